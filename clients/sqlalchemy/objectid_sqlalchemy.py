"""SQLAlchemy: bson.ObjectId for columns of type objectid.

    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())

Ids travel as text, with a cast, so that the driver needs no set-up.  But ARRAY(ObjectIdType)
does: let the driver's adapter register each connection,

    event.listen(engine, "connect", lambda connection, record: register(connection))

Importing this makes reflection know the type.
"""
from bson import ObjectId
from sqlalchemy import cast, types
from sqlalchemy.dialects.postgresql.base import ischema_names


class ObjectIdType(types.UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kw):
        return "objectid"

    def bind_processor(self, dialect):
        return lambda value: None if value is None else str(ObjectId(value))

    def bind_expression(self, bindvalue):
        return cast(bindvalue, self)

    def literal_processor(self, dialect):
        return lambda value: f"'{ObjectId(value)}'"

    def result_processor(self, dialect, coltype):
        return lambda value: None if value is None else ObjectId(value)


ischema_names["objectid"] = ObjectIdType
