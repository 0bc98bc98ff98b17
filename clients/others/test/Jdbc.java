import java.io.StringReader;
import java.sql.*;
import java.time.OffsetDateTime;
import org.bson.types.ObjectId;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** See t/ClientTest.pm. Ids are strings. */
public class Jdbc {
    static void check(boolean condition, String what) {
        System.out.println((condition ? "ok - " : "not ok - ") + what);
    }

    static Connection connect(String options) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT")
            + "/postgres?user=" + System.getenv("PGUSER") + options);
    }

    /** the first row of a query with one parameter */
    static ResultSet read(Connection conn, String sql, Object parameter) throws SQLException {
        PreparedStatement statement = conn.prepareStatement(sql);
        statement.setObject(1, parameter, parameter instanceof ObjectId ? Types.OTHER : Types.TIMESTAMP);
        ResultSet row = statement.executeQuery();
        row.next();
        return row;
    }

    public static void main(String[] args) throws Exception {
        System.out.println("1..5");
        Connection conn = connect("");
        // the example in README.md
        String id = "507f1f77bcf86cd799439011";

        PreparedStatement insert = conn.prepareStatement("INSERT INTO event (id, what) VALUES (?, 'log in')");
        insert.setObject(1, id, Types.OTHER);
        insert.executeUpdate();

        PreparedStatement select = conn.prepareStatement("SELECT id FROM event WHERE id = ANY(?) AND id > ?");
        select.setArray(1, conn.createArrayOf("objectid", new String[] {id}));
        select.setObject(2, OffsetDateTime.parse("2012-01-01T00:00:00Z"));
        ResultSet row = select.executeQuery();
        row.next();
        String found = row.getString("id");

        check(found.equals(id), "the example");
        row = read(conn, "SELECT id FROM event WHERE id = ?", new ObjectId(id));
        check(!row.getObject(1).equals(id) && row.getObject(1).toString().equals(id), "an ObjectId; getObject()");

        new CopyManager(conn.unwrap(BaseConnection.class)).copyIn("COPY list FROM STDIN", new StringReader("1\t{" + id + ",NULL}\n"));
        row = conn.createStatement().executeQuery("SELECT ids FROM list");
        row.next();
        check(row.getString(1).equals("{" + id + ",NULL}"), "an array, COPY");

        Timestamp since = Timestamp.from(OffsetDateTime.parse("2025-02-20T05:00:00Z").toInstant());
        check(read(conn, "SELECT count(*) FROM dated WHERE id > ?::timestamptz", since).getInt(1) == 10, "id > a date");

        Connection untyped = connect("&stringtype=unspecified");
        select = untyped.prepareStatement("SELECT id FROM event WHERE id = ?");
        select.setString(1, id);
        String sql = "SELECT count(*) FROM event WHERE id = ?";
        JdbcTemplate template = new JdbcTemplate(new SingleConnectionDataSource(untyped, true));
        check(select.executeQuery().next() && template.queryForObject(sql, Integer.class, id) == 1,
            "setString() and JdbcTemplate with stringtype=unspecified");
    }
}
