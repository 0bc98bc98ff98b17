"""SQLAlchemy: bson.ObjectId for columns of type objectid.

    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())

Ids are sent as text with a cast, so the driver needs no set-up.  A datetime compared with such
a column is sent as a datetime, and the server compares it with the time of the ids.

With psycopg2 and psycopg, ARRAY(ObjectIdType) needs the driver's adapter on each connection:

    event.listen(engine, "connect", lambda connection, record: register(connection))

Importing this module adds the type to reflection.
"""
from datetime import date

from bson import ObjectId
from sqlalchemy import cast, literal, types
from sqlalchemy.dialects.postgresql.base import ischema_names


class ObjectIdType(types.UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kw):
        return "objectid"

    def coerce_compared_value(self, op, value):
        return literal(value).type if isinstance(value, date) else self

    def bind_processor(self, dialect):
        return lambda value: None if value is None else str(ObjectId(value))

    def bind_expression(self, bindvalue):
        return cast(bindvalue, self)

    def literal_processor(self, dialect):
        return lambda value: f"'{ObjectId(value)}'"

    def result_processor(self, dialect, coltype):
        return lambda value: None if value is None else ObjectId(value)


ischema_names["objectid"] = ObjectIdType


def render_item(kind, item, context):
    """Alembic: context.configure(..., render_item=render_item) in env.py.

    Generated migrations then import this module.
    """
    if kind == "type" and isinstance(item, ObjectIdType):
        context.imports.add(f"import {__name__}")
        return f"{__name__}.ObjectIdType()"
    return False
