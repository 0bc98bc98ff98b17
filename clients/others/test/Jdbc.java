import java.sql.*;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.types.ObjectId;

/** See clients/t/ClientTest.pm. Ids are strings. */
public class Jdbc {
    static void check(boolean condition, String what) {
        System.out.println((condition ? "ok - " : "not ok - ") + what);
    }

    static Connection connect(String options) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT")
            + "/postgres?user=" + System.getenv("PGUSER") + options);
    }

    /** the only column of all rows; a String is sent without a type */
    static List<String> read(Connection conn, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = conn.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            if (parameters[i] instanceof String || parameters[i] instanceof ObjectId) {
                statement.setObject(i + 1, parameters[i], Types.OTHER);
            } else {
                statement.setObject(i + 1, parameters[i]);
            }
        }
        List<String> column = new ArrayList<>();
        if (statement.execute()) {
            for (ResultSet rows = statement.getResultSet(); rows.next();) {
                column.add(rows.getString(1));
            }
        }
        return column;
    }

    static void example(Connection conn) throws SQLException {
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

        check(found.equals(id) && new ObjectId(found).toHexString().equals(id), "the example");
    }

    public static void main(String[] args) throws Exception {
        System.out.println("1..7");
        List<String> vectors = Stream.of(System.getenv("VECTORS").split("\n")).map(line -> line.split(" ")[0]).collect(Collectors.toList());
        Connection conn = connect("");
        example(conn);
        List<String> ids = Stream.concat(Stream.generate(() -> new ObjectId().toHexString()).limit(1000), vectors.stream())
            .sorted().collect(Collectors.toList());
        for (String id : ids) {
            read(conn, "INSERT INTO made VALUES ('text', ?, ?)", id, id);
        }
        check(read(conn, "SELECT id FROM made ORDER BY id").equals(ids), "text: 1,000 ids come back equal");
        check(read(conn, "SELECT ?::objectid", (Object) null).get(0) == null, "text: NULL");
        Array ten = conn.createArrayOf("objectid", ids.subList(500, 510).toArray());
        check(read(conn, "SELECT id FROM made WHERE id = ?", ids.get(500)).equals(ids.subList(500, 501))
            && read(conn, "SELECT id FROM made WHERE id = ANY(?)", ten).size() == 10
            && read(conn, "SELECT ?::objectid[]", conn.createArrayOf("objectid", new String[] {ids.get(0), null})).get(0)
                .equals("{" + ids.get(0) + ",NULL}"), "text: WHERE with an ObjectId");

        // the driver sends a Timestamp without its type, so the server takes it for an id
        OffsetDateTime since = OffsetDateTime.parse("2025-02-20T05:00:00Z");
        check(read(conn, "SELECT n FROM dated WHERE id > ?", since).size() == 10
            && read(conn, "SELECT n FROM dated WHERE id > ?::timestamptz", Timestamp.from(since.toInstant())).size() == 10,
            "text: id > a date");

        boolean right = true;
        for (String id : vectors) {
            right &= read(conn, "SELECT id FROM made WHERE id = ?", new ObjectId(id)).equals(List.of(id));
        }
        check(right, "text: vectors");

        PreparedStatement select = connect("&stringtype=unspecified").prepareStatement("SELECT id FROM event WHERE id < ?");
        select.setString(1, "ffffffffffffffffffffffff");
        check(select.executeQuery().next(), "setString() with stringtype=unspecified");
    }
}
