package objectid;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.Objects;
import org.bson.types.ObjectId;
import org.postgresql.PGConnection;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

/**
 * JDBC: org.bson.types.ObjectId for columns of type objectid.
 *
 * <p>After register(), getObject(i) and getObject(i, PGobjectid.class) return a PGobjectid, so
 * do the elements of arrays, and setObject() accepts one. The driver uses the binary format if
 * binaryTransferEnable of the connection names the type's OID.
 *
 * <p>ObjectId.getDate() of the 3.x library is wrong after 2038: use
 * Integer.toUnsignedLong(id.getTimestamp()).
 */
@SuppressWarnings("serial")
public final class PGobjectid extends PGobject implements PGBinaryObject, Comparable<PGobjectid> {
    private ObjectId id;

    public PGobjectid() {
        setType("objectid");
    }

    public PGobjectid(ObjectId id) {
        this();
        this.id = id;
    }

    /** Makes getObject() of this connection return PGobjectid. */
    public static void register(Connection conn) throws SQLException {
        conn.unwrap(PGConnection.class).addDataType("objectid", PGobjectid.class);
    }

    public ObjectId get() {
        return id;
    }

    @Override
    public void setValue(String digits) {
        id = digits == null ? null : new ObjectId(digits);
    }

    @Override
    public String getValue() {
        return id == null ? null : id.toHexString();
    }

    @Override
    public void setByteValue(byte[] bytes, int offset) {
        byte[] own = new byte[12];
        System.arraycopy(bytes, offset, own, 0, 12);
        id = new ObjectId(own);
    }

    @Override
    public int lengthInBytes() {
        return id == null ? 0 : 12;
    }

    @Override
    public void toBytes(byte[] bytes, int offset) {
        System.arraycopy(id.toByteArray(), 0, bytes, offset, 12);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PGobjectid && Objects.equals(id, ((PGobjectid) other).id);
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

    @Override
    public Object clone() {
        return new PGobjectid(id);
    }
}
