import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.math.BigInteger;
import java.sql.*;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import objectid.PGobjectid;
import org.bson.types.ObjectId;
import org.postgresql.util.PGobject;

/** See clients/t/ClientTest.pm. */
public class RoundTrip {
    static void check(boolean condition, String what) {
        System.out.println((condition ? "ok - " : "not ok - ") + what);
    }

    /** the seconds of VECTORS, by their digits */
    static final Map<String, Long> VECTORS = Stream.of(System.getenv("VECTORS").split("\n"))
        .map(line -> line.split(" ")).collect(Collectors.toMap(vector -> vector[0], vector -> Long.valueOf(vector[1])));

    static Connection connect(String database, String options) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT")
            + "/" + database + "?user=" + System.getenv("PGUSER") + options);
    }

    /** the only column of all rows */
    static List<Object> read(Connection conn, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = conn.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            List<Object> column = new ArrayList<>();
            if (statement.execute()) {
                for (ResultSet rows = statement.getResultSet(); rows.next();) {
                    column.add(rows.getObject(1));
                }
            }
            return column;
        }
    }

    static Object one(Connection conn, String sql, Object... parameters) throws SQLException {
        return read(conn, sql, parameters).get(0);
    }

    static void example(Connection conn) throws SQLException {
        // the example in docs/clients-others.md
        PGobjectid.register(conn);
        ObjectId id = new ObjectId();

        PreparedStatement insert = conn.prepareStatement("INSERT INTO event (id, what) VALUES (?, 'log in')");
        insert.setObject(1, new PGobjectid(id));
        insert.executeUpdate();

        PreparedStatement select = conn.prepareStatement("SELECT id FROM event WHERE id > ?");
        select.setObject(1, OffsetDateTime.now().minusHours(1));
        ResultSet row = select.executeQuery();
        row.next();
        ObjectId found = row.getObject("id", PGobjectid.class).get();

        if (!found.equals(id)) {
            throw new AssertionError("the example failed");
        }
    }

    static void noSetUp(String digits) throws SQLException {
        try (Connection conn = connect("postgres", "&stringtype=unspecified")) {
            check(one(conn, "SELECT count(*) FROM event WHERE id = ? AND id = ANY(?)", digits, "{" + digits + "}").equals(1L),
                "no set-up: String with stringtype=unspecified");
        }
        try (Connection conn = connect("postgres", "")) {
            PreparedStatement statement = conn.prepareStatement("SELECT id FROM event WHERE id = ? AND id = ?::objectid");
            statement.setObject(1, new ObjectId(digits), Types.OTHER);
            statement.setString(2, digits);
            ResultSet rows = statement.executeQuery();
            check(rows.next() && rows.getString(1).equals(digits), "no set-up: ObjectId as Types.OTHER, String with a cast");
        }
    }

    static void json() throws Exception {
        ObjectId id = new ObjectId();
        List<Object> both = Arrays.asList(id, new PGobjectid(id));
        SimpleModule module = new SimpleModule();
        module.addSerializer(ObjectId.class, ToStringSerializer.instance);
        module.addSerializer(PGobjectid.class, ToStringSerializer.instance);
        String jackson = new ObjectMapper().registerModule(module).writeValueAsString(both);
        JsonSerializer<Object> digits = (value, type, context) -> new JsonPrimitive(value.toString());
        String gson = new GsonBuilder().registerTypeAdapter(ObjectId.class, digits)
            .registerTypeAdapter(PGobjectid.class, digits).create().toJson(both);
        check(jackson.equals("[\"" + id + "\",\"" + id + "\"]") && gson.equals(jackson), "JSON");
    }

    static void order() throws SQLException {
        PGobjectid first = new PGobjectid(new ObjectId("7fffffffffffffffffffffff"));
        PGobjectid second = new PGobjectid(new ObjectId("800000000000000000000000"));
        check(first.compareTo(second) < 0 && second.compareTo(first) > 0 && new PGobjectid().compareTo(first) < 0, "Comparable");
        PGobject text = new PGobject();
        text.setType("text");
        text.setValue(first.getValue());
        check(first.equals(new PGobjectid(first.get())) && !first.equals(text) && !first.equals(null), "equals");
    }

    /** A connection from before CREATE EXTENSION reads a PGobjectid; only a new one writes it. */
    static void firstMigration() throws SQLException {
        PGobjectid id = new PGobjectid(new ObjectId());
        String options = "&datatype.objectid=objectid.PGobjectid";
        for (int i = 0; i < 2; i++) {
            try (Connection old = connect("empty", options)) {
                read(old, "CREATE EXTENSION objectid");
                read(old, "CREATE TABLE event (id objectid PRIMARY KEY, ids objectid[])");
                try (Connection conn = connect("empty", options)) {
                    read(conn, "INSERT INTO event VALUES (?, ?)", id, conn.createArrayOf("objectid", new Object[] {id.get()}));
                    check(one(conn, "SELECT id FROM event WHERE id = ?", id).equals(id) && one(old, "SELECT id FROM event").equals(id),
                        "the first migration, and again");
                }
                read(old, "DROP TABLE event");
                read(old, "DROP EXTENSION objectid");
            }
        }
    }

    /** the bytes of an id on the wire, in seven executions */
    static String lengths(Connection conn) throws SQLException {
        StringBuilder lengths = new StringBuilder();
        try (PreparedStatement statement = conn.prepareStatement("SELECT gen_objectid()")) {
            for (int i = 0; i < 7; i++) {
                ResultSet row = statement.executeQuery();
                row.next();
                lengths.append(row.getBytes(1).length).append(' ');
            }
        }
        return lengths.toString();
    }

    static void protocol(String how, Connection conn) throws SQLException {
        PGobjectid.register(conn);
        PGobjectid[] ids = Stream.concat(Stream.generate(ObjectId::new).limit(1000), VECTORS.keySet().stream().map(ObjectId::new))
            .map(PGobjectid::new).sorted().toArray(PGobjectid[]::new);
        for (PGobjectid id : ids) {
            read(conn, "INSERT INTO made VALUES (?, ?, ?)", how, id, id.get().toHexString());
        }
        List<Object> found = read(conn, "SELECT id FROM made WHERE how = ? ORDER BY id", how);
        check(found.equals(Arrays.asList(ids)), how + ": 1,000 ids come back equal");

        ResultSet row = conn.prepareStatement("SELECT NULL::objectid").executeQuery();
        check(one(conn, "SELECT ?::objectid", new PGobjectid(null)) == null && one(conn, "SELECT ?::objectid", (Object) null) == null
            && row.next() && row.getObject(1, PGobjectid.class).get() == null, how + ": NULL");

        PGobjectid[] ten = Arrays.copyOfRange(ids, 500, 510);
        for (PGobjectid[] in : new PGobjectid[][] {ten, {ids[0], null}, {}, null}) {
            Array back = (Array) one(conn, "SELECT ?::objectid[]", in == null ? null : conn.createArrayOf("objectid", in));
            check(Arrays.equals(in, back == null ? null : (Object[]) back.getArray()), how + ": arrays");
        }

        // elements that are no ids: an error, or the id that is in the text
        PGobjectid first = ids[0];
        List<Object> accepted = new ArrayList<>();
        for (Object element : new Object[] {first + "," + first, "NULL", "null", "", "{}", "{", "\"", "\\", "\"" + first + "\"",
            "{" + first + "}", first + "}", " a", 5}) {
            try {
                Array back = (Array) one(conn, "SELECT ?::objectid[]", conn.createArrayOf("objectid", new Object[] {first, element}));
                boolean read = Arrays.equals(new PGobjectid[] {first, first}, (Object[]) back.getArray());
                if (!read || !element.toString().contains(first.toString())) {
                    accepted.add(element);
                }
            } catch (SQLException expected) {
                continue;
            }
        }
        check(accepted.isEmpty(), how + ": elements of arrays that are no ids: " + accepted);

        check(one(conn, "SELECT id FROM made WHERE id = ?", ids[500]).equals(ids[500])
            && one(conn, "SELECT count(*) FROM made WHERE id = ANY(?)", conn.createArrayOf("objectid", ten)).equals(10L),
            how + ": WHERE with an ObjectId");

        // the driver sends a Timestamp without its type, so the server takes it for an id
        OffsetDateTime since = OffsetDateTime.parse("2025-02-20T05:00:00Z");
        check(one(conn, "SELECT count(*) FROM dated WHERE id > ?", since).equals(10L)
            && one(conn, "SELECT count(*) FROM dated WHERE id > ?::timestamptz", Timestamp.from(since.toInstant())).equals(10L),
            how + ": id > a date");

        boolean right = true;
        for (String digits : VECTORS.keySet()) {
            List<Object> rows = read(conn, "SELECT id FROM made WHERE how = ? AND id = ?", how, new PGobjectid(new ObjectId(digits)));
            ObjectId id = ((PGobjectid) rows.get(0)).get();
            // getTimestamp() is signed, and getDate() is wrong after 2038 in bson up to 3.9
            right &= rows.size() == 1 && id.toHexString().equals(digits) && Integer.toUnsignedLong(id.getTimestamp()) == VECTORS.get(digits)
                && new BigInteger(1, id.toByteArray()).equals(new BigInteger(digits, 16));
        }
        check(right, how + ": vectors");
    }

    public static void main(String[] args) throws Exception {
        System.out.println("1..31");
        json();
        order();
        firstMigration();
        String oid;
        try (Connection conn = connect("postgres", "")) {
            example(conn);
            noSetUp(one(conn, "SELECT id::text FROM event").toString());
            oid = one(conn, "SELECT 'objectid'::regtype::oid::text").toString();
        }
        try (Connection conn = connect("postgres", "&binaryTransferDisable=" + oid)) {
            protocol("text", conn);
            check(lengths(conn).equals("24 24 24 24 24 24 24 "), "text: the transfer stays text");
        }
        try (Connection conn = connect("other", "&datatype.objectid=objectid.PGobjectid")) {
            PGobjectid id = new PGobjectid(new ObjectId());
            check(one(conn, "SELECT ?", id).equals(id), "registered by a property, with a table of this name");
        }
        // prepareThreshold=-1: binary from the first execution on
        try (Connection conn = connect("postgres", "&prepareThreshold=-1&binaryTransferEnable=" + oid)) {
            protocol("binary", conn);
            check(lengths(conn).equals("12 12 12 12 12 12 12 "), "binary: the transfer is binary");
        }
        try (Connection conn = connect("postgres", "")) {
            PGobjectid.register(conn);
            check(lengths(conn).equals("24 24 24 24 24 12 12 "), "binary from the sixth execution on, without either property");
        }
    }
}
