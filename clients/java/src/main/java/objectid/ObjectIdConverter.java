package objectid;

import javax.persistence.AttributeConverter;
import javax.persistence.Converter;
import org.bson.types.ObjectId;

/**
 * JPA: org.bson.types.ObjectId for columns of type objectid.
 *
 * <p>Not applied by itself, because Hibernate 7 rejects a converter of a key that is.
 */
@Converter
public final class ObjectIdConverter implements AttributeConverter<ObjectId, Object> {
    /** For the persistence provider. */
    public ObjectIdConverter() {}

    @Override
    public Object convertToDatabaseColumn(ObjectId id) {
        return id == null ? null : new PGobjectid(id);
    }

    @Override
    public ObjectId convertToEntityAttribute(Object value) {
        return value == null ? null : new ObjectId(value.toString());
    }
}
