import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import objectid.PGobjectid;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.DocumentCodec;
import org.bson.types.ObjectId;
import org.postgresql.PGConnection;

/** See t/ClientTest.pm. */
public class RoundTrip {
    static void check(boolean condition, String what) {
        System.out.println((condition ? "ok - " : "not ok - ") + what);
    }

    static Connection connect(String options) throws SQLException {
        return connect(System.getenv("PGDATABASE"), options);
    }

    static Connection connect(String database, String options) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://" + System.getenv("PGHOST") + ":" + System.getenv("PGPORT")
            + "/" + database + "?user=" + System.getenv("PGUSER") + options);
    }

    /** 1,000 ids, sorted: the counter of the library may wrap */
    static List<ObjectId> newIds() {
        List<ObjectId> ids = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            ids.add(new ObjectId());
        }
        ids.sort(null);
        return ids;
    }

    static PreparedStatement prepare(Connection conn, String sql, Object... parameters) throws SQLException {
        PreparedStatement statement = conn.prepareStatement(sql);
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
        return statement;
    }

    static List<ObjectId> read(Connection conn, String sql, Object... parameters) throws SQLException {
        List<ObjectId> ids = new ArrayList<>();
        try (PreparedStatement statement = prepare(conn, sql, parameters); ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                PGobjectid id = rows.getObject(1, PGobjectid.class);
                // the driver may return a PGobjectid without an id for NULL
                ids.add(id == null ? null : id.get());
                PGobjectid same = (PGobjectid) rows.getObject(1);
                if (!Objects.equals(same == null ? null : same.get(), ids.get(ids.size() - 1))) {
                    throw new AssertionError("getObject() without a class gives something else");
                }
            }
        }
        return ids;
    }

    static long count(Connection conn, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(conn, sql, parameters); ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    static Array array(Connection conn, List<ObjectId> ids) throws SQLException {
        return conn.createArrayOf("objectid", ids.toArray());
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

    static void noSetUp() throws SQLException {
        String digits = new ObjectId().toString();
        try (Connection conn = connect("&stringtype=unspecified")) {
            PreparedStatement statement = conn.prepareStatement("INSERT INTO made VALUES ('one', ?, 'x') RETURNING id");
            statement.setString(1, digits);
            ResultSet row = statement.executeQuery();
            row.next();
            boolean inserted = row.getString(1).equals(digits);
            check(inserted && count(conn, "SELECT count(*) FROM made WHERE id = ?", digits) == 1
                && count(conn, "SELECT count(*) FROM made WHERE id = ANY(?)", "{" + digits + "}") == 1,
                "no set-up: String with stringtype=unspecified");
        }
        try (Connection conn = connect("")) {
            PreparedStatement statement = conn.prepareStatement("SELECT id FROM made WHERE id = ? UNION ALL SELECT ?::objectid");
            statement.setObject(1, new ObjectId(digits), Types.OTHER);
            statement.setString(2, digits);
            ResultSet rows = statement.executeQuery();
            check(rows.next() && rows.getString(1).equals(digits) && rows.next() && rows.getString(1).equals(digits),
                "no set-up: ObjectId as Types.OTHER, String with a cast");
            statement = conn.prepareStatement("DELETE FROM made WHERE id = ?");
            statement.setObject(1, digits, Types.OTHER);
            check(statement.executeUpdate() == 1, "no set-up: String as Types.OTHER");
        }
    }

    static boolean after(Connection conn, String sql, Object date) throws SQLException {
        try (PreparedStatement statement = prepare(conn, sql, date); ResultSet rows = statement.executeQuery()) {
            int n = 9990;
            while (rows.next()) {
                if (rows.getInt(1) != n++) {
                    return false;
                }
            }
            return n == 10000;
        }
    }

    /** The driver finds the type in any schema. */
    static void schema() throws SQLException {
        try (Connection conn = connect("&currentSchema=pg_catalog")) {
            PGobjectid.register(conn);
            PGobjectid id = new PGobjectid(new ObjectId());
            check(read(conn, "SELECT ?", id).equals(Arrays.asList(id.get())), "a schema off the search path");
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

    static void order() {
        List<PGobjectid> sorted = new ArrayList<>();
        for (String digits : new String[] {null, "000000000000000000000000", "7fffffffffffffffffffffff", "800000000000000000000000"}) {
            sorted.add(new PGobjectid(digits == null ? null : new ObjectId(digits)));
        }
        List<PGobjectid> ids = new ArrayList<>(sorted);
        Collections.reverse(ids);
        Collections.sort(ids);
        check(ids.equals(sorted), "Comparable");
    }

    /** A connection from before CREATE EXTENSION reads a PGobjectid; only a new one writes it. */
    static void firstMigration() throws SQLException {
        PGobjectid id = new PGobjectid(new ObjectId());
        String options = "&datatype.objectid=objectid.PGobjectid";
        List<ObjectId> found = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (Connection old = connect("empty", options); Statement statement = old.createStatement()) {
                statement.execute("CREATE EXTENSION objectid");
                statement.execute("CREATE TABLE event (id objectid PRIMARY KEY, ids objectid[])");
                try (Connection conn = connect("empty", options)) {
                    prepare(conn, "INSERT INTO event VALUES (?, ?)", id, array(conn, Arrays.asList(id.get()))).executeUpdate();
                    found.addAll(read(conn, "SELECT id FROM event WHERE id = ?", id));
                }
                found.addAll(read(old, "SELECT id FROM event"));
                statement.execute("DROP TABLE event");
                statement.execute("DROP EXTENSION objectid");
            }
        }
        check(found.equals(Collections.nCopies(4, id.get())), "the first migration, and again");
    }

    static void protocol(String how, Connection conn) throws SQLException {
        PGobjectid.register(conn);

        List<ObjectId> ids = newIds();
        try (PreparedStatement insert = conn.prepareStatement("INSERT INTO made VALUES (?, ?, ?)")) {
            for (ObjectId id : ids) {
                insert.setString(1, how);
                insert.setObject(2, new PGobjectid(id));
                insert.setString(3, id.toHexString());
                insert.addBatch();
            }
            insert.executeBatch();
        }
        check(read(conn, "SELECT id FROM made WHERE how = ? ORDER BY id", how).equals(ids), how + ": 1,000 ids come back equal");

        int rows = 0;
        boolean right = true;
        try (ResultSet generated = conn.createStatement().executeQuery("SELECT id, seconds FROM generated")) {
            for (; generated.next(); rows++) {
                ObjectId id = ((PGobjectid) generated.getObject(1)).get();
                right = right && Integer.toUnsignedLong(id.getTimestamp()) == generated.getLong(2);
            }
        }
        check(right && rows == 1004, how + ": generated ids have the time of objectid_time()");

        List<ObjectId> nothing = new ArrayList<>();
        nothing.add(null);
        check(read(conn, "SELECT ?::objectid", new PGobjectid(null)).equals(nothing)
            && read(conn, "SELECT ?::objectid", (Object) null).equals(nothing), how + ": NULL");

        right = true;
        for (List<ObjectId> in : Arrays.asList(ids.subList(0, 3), Arrays.asList(ids.get(0), null), new ArrayList<ObjectId>(), null)) {
            String sql = "INSERT INTO list SELECT count(*), ?::objectid[] FROM list RETURNING ids";
            try (PreparedStatement insert = prepare(conn, sql, in == null ? null : array(conn, in)); ResultSet row = insert.executeQuery()) {
                row.next();
                Array back = row.getArray(1);
                List<ObjectId> out = back == null ? null : new ArrayList<>();
                if (back != null) {
                    for (Object element : (Object[]) back.getArray()) {
                        out.add(element == null ? null : ((PGobjectid) element).get());
                    }
                }
                right = right && (in == null ? out == null : in.equals(out));
            }
        }
        conn.createStatement().execute("DELETE FROM list");
        check(right, how + ": arrays");

        PGobjectid middle = new PGobjectid(ids.get(500));
        check(read(conn, "SELECT id FROM made WHERE id = ?", middle).equals(ids.subList(500, 501))
            && count(conn, "SELECT count(*) FROM made WHERE how = ? AND id < ?", how, middle) == 500
            && count(conn, "SELECT count(*) FROM made WHERE id = ANY(?)", array(conn, ids.subList(0, 10))) == 10,
            how + ": WHERE with an ObjectId");

        // the driver sends a Timestamp without its type, so the server takes it for an id
        OffsetDateTime since = OffsetDateTime.of(2025, 2, 20, 5, 0, 0, 0, ZoneOffset.UTC);
        Timestamp timestamp = Timestamp.from(since.toInstant());
        check(after(conn, "SELECT n FROM dated WHERE id > ? ORDER BY n", since)
            && after(conn, "SELECT n FROM dated WHERE ? < id ORDER BY n", since)
            && after(conn, "SELECT n FROM dated WHERE id > ?::timestamptz ORDER BY n", timestamp)
            && after(conn, "SELECT n FROM dated WHERE ?::timestamptz < id ORDER BY n", timestamp), how + ": id > a date");

        try (ResultSet row = conn.createStatement().executeQuery("SELECT id, bson FROM document")) {
            row.next();
            Document document = new Document("_id", row.getObject(1, PGobjectid.class).get());
            ByteBuffer written = new RawBsonDocument(document, new DocumentCodec()).getByteBuffer().asNIO();
            Document decoded = new RawBsonDocument(row.getBytes(2)).decode(new DocumentCodec());
            check(written.equals(ByteBuffer.wrap(row.getBytes(2))) && decoded.equals(document)
                && count(conn, "SELECT count(*) FROM document WHERE id = ?", new PGobjectid(decoded.getObjectId("_id"))) == 1,
                how + ": BSON");
        }
    }

    static void copy(Connection conn) throws Exception {
        List<ObjectId> ids = newIds();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream data = new DataOutputStream(bytes);
        data.write("PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1));
        for (ObjectId id : ids) {
            data.writeShort(3);
            for (byte[] field : new byte[][] {"copy".getBytes(), id.toByteArray(), id.toHexString().getBytes()}) {
                data.writeInt(field.length);
                data.write(field);
            }
        }
        data.writeShort(-1);
        conn.unwrap(PGConnection.class).getCopyAPI().copyIn(
            "COPY made FROM STDIN WITH (FORMAT binary)", new ByteArrayInputStream(bytes.toByteArray()));
        check(read(conn, "SELECT id FROM made WHERE how = 'copy' ORDER BY id").equals(ids), "binary COPY: 1,000 ids come back equal");
    }

    public static void main(String[] args) throws Exception {
        String oid;
        noSetUp();
        json();
        order();
        firstMigration();
        try (Connection conn = connect("")) {
            example(conn);
            protocol("text", conn);
            copy(conn);

            try (PreparedStatement bad = prepare(conn, "SELECT ?::objectid", "507f1f77bcf86cd79943901")) {
                bad.executeQuery();
                check(false, "an invalid id is SQLSTATE 22P02");
            } catch (SQLException e) {
                check(e.getSQLState().equals("22P02"), "an invalid id is SQLSTATE 22P02");
            }
            try (ResultSet row = conn.createStatement().executeQuery("SELECT 'objectid'::regtype::oid")) {
                row.next();
                oid = row.getString(1);
            }
        }
        try (Connection conn = connect("&datatype.objectid=objectid.PGobjectid")) {
            check(read(conn, "SELECT id FROM event").size() == 1, "registered by a property");
        }
        schema();
        // prepareThreshold=-1: binary from the first execution on
        try (Connection conn = connect("&prepareThreshold=-1&binaryTransferEnable=" + oid)) {
            protocol("binary", conn);
            try (ResultSet row = prepare(conn, "SELECT gen_objectid()").executeQuery()) {
                row.next();
                check(row.getBytes(1).length == 12, "binary: the transfer is binary");
            }
        }
    }
}
