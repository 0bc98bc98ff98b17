package objectid;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.bson.types.ObjectId;
import org.postgresql.PGConnection;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * JDBC: org.bson.types.ObjectId for columns of type objectid.
 *
 * <p>After register(), getObject(i) returns a PGobjectid, or null for NULL, and so do the elements of
 * arrays. setObject() accepts one. The driver uses the binary format once a statement is prepared on
 * the server, unless binaryTransferDisable of the connection names the type's OID.
 */
@SuppressWarnings("serial")
public final class PGobjectid extends PGobject implements PGBinaryObject, Comparable<PGobjectid> {
    /** With the schema, because without it the driver prefers a table of this name. */
    private static final String TYPE = "pg_catalog.objectid";

    /** The ObjectId, or null for NULL. */
    private ObjectId id;

    /** For the driver, which then sets the value; getObject(i, PGobjectid.class) leaves it for NULL. */
    public PGobjectid() {
        setType(TYPE);
    }

    /**
     * A value to send.
     *
     * @param id the ObjectId, or null for NULL
     */
    public PGobjectid(ObjectId id) {
        this();
        this.id = id;
    }

    /**
     * Makes getObject() of a connection return PGobjectid.
     *
     * @param conn a connection, also one of a pool
     * @throws SQLException if it is not one of PostgreSQL
     */
    public static void register(Connection conn) throws SQLException {
        conn.unwrap(PGConnection.class).addDataType("objectid", PGobjectid.class);
    }

    /** {@return the ObjectId, or null for NULL} */
    public ObjectId get() {
        return id;
    }

    @Override
    public void setValue(String digits) {
        setType(TYPE); // the driver has set the name without the schema
        id = digits == null ? null : new ObjectId(digits);
    }

    @Override
    public String getValue() {
        return id == null ? null : id.toHexString();
    }

    @Override
    public void setByteValue(byte[] bytes, int offset) {
        setType(TYPE);
        id = new ObjectId(Arrays.copyOfRange(bytes, offset, offset + 12));
    }

    @Override
    public int lengthInBytes() {
        return id == null ? 0 : 12;
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        System.arraycopy(id.toByteArray(), 0, bytes, offset, 12);
    }

    /** Not equal to a PGobject of another type that has the same text, such as bytea. */
    @Override
    public boolean equals(Object other) {
        return super.equals(other) && getType().equals(((PGobject) other).getType());
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(id);
    }

    /** The order of the server. An object without an id is the smallest. */
    @Override
    public int compareTo(PGobjectid other) {
        return Objects.compare(id, other.id, Comparator.nullsFirst(Comparator.naturalOrder()));
    }
}
