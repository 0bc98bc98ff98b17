import java.sql.Timestamp;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.persistence.*;
import org.bson.types.ObjectId;

// the example in README.md
@Entity
@Table(name = "event")
class Event {
    @Id
    @Column(columnDefinition = "objectid")
    String id = new ObjectId().toHexString();

    String what;
}

/** See t/ClientTest.pm. The driver is the provider. */
public class Jpa {
    @Entity(name = "Remark")
    @Table(name = "remark")
    static class Remark {
        @Id
        @Column(columnDefinition = "objectid")
        String id = new ObjectId().toHexString();

        @ManyToOne
        Event event;
    }

    static void check(boolean condition, String what) {
        System.out.println((condition ? "ok - " : "not ok - ") + what);
    }

    /** creates the tables that are missing, or only compares them */
    static EntityManager open(boolean create) {
        Map<String, String> options = new HashMap<>();
        options.put("javax.persistence.jdbc.user", System.getenv("PGUSER"));
        options.put("javax.persistence.jdbc.url",
            "jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT") + "/postgres?stringtype=unspecified");
        options.put("javax.persistence.schema-generation.database.action", create ? "create" : "none");
        options.put("hibernate.hbm2ddl.auto", create ? "update" : "validate");
        return Persistence.createEntityManagerFactory(System.getenv("DRIVER"), options).createEntityManager();
    }

    public static void main(String[] args) {
        System.out.println("1..3");
        open(true).close();
        EntityManager manager = open(false);
        manager.getTransaction().begin();
        Event event = new Event();
        manager.persist(event);
        manager.flush();
        manager.clear();

        Event found = manager.find(Event.class, event.id);
        List<?> late = manager.createNativeQuery("SELECT * FROM event WHERE id > CAST(? AS timestamptz)", Event.class)
            .setParameter(1, Timestamp.from(Instant.now().minusSeconds(3600))).getResultList();

        check(found.id.equals(event.id) && late.equals(List.of(found)), "the example");
        // a constant that the index on "dated" answers
        check(manager.createNativeQuery("SELECT n FROM dated WHERE id > CAST(? AS timestamptz)")
            .setParameter(1, Timestamp.from(Instant.parse("2025-02-20T05:00:00Z"))).getResultList().size() == 10, "id > a date");

        Remark remark = new Remark();
        Remark orphan = new Remark();
        remark.event = found;
        manager.persist(remark);
        manager.persist(orphan);
        manager.flush();
        manager.clear();
        Remark joined = manager.createQuery("SELECT r FROM Remark r WHERE r.event = :event AND r.id IN :ids", Remark.class)
            .setParameter("event", found).setParameter("ids", List.of(remark.id, orphan.id)).getSingleResult();
        check(joined.event.id.equals(event.id) && joined.id.equals(remark.id) && manager.find(Remark.class, orphan.id).event == null,
            "a relation, IN, NULL");
        manager.getTransaction().commit();
    }
}
