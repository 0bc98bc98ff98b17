"""SQLAlchemy: bson.ObjectId for columns of type objectid.

    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())
    ids = Column(ObjectIdArray)

Ids are sent and read as text, so the driver needs no set-up.  A datetime compared with such a
column is sent as a datetime, and the server compares it with the time of the ids.

Importing this module adds the type to reflection.
"""
from datetime import date

from bson import ObjectId
from sqlalchemy import cast, literal, types
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.base import ischema_names


class ObjectIdType(types.UserDefinedType):
    cache_ok = True
    render_bind_cast = True  # of SQLAlchemy 2.0; the drivers of 1.4 need no cast

    def get_col_spec(self, **kw):
        return "objectid"

    def coerce_compared_value(self, op, value):
        return literal(value).type if isinstance(value, date) else self

    def bind_processor(self, dialect):
        return lambda value: None if value is None else str(ObjectId(value))

    def literal_processor(self, dialect):
        return lambda value: f"'{ObjectId(value)}'"

    def result_processor(self, dialect, coltype):
        return lambda value: None if value is None else ObjectId(value)


class ObjectIdArray(types.TypeDecorator):
    """An ARRAY(ObjectIdType) that also reads the text of psycopg and psycopg2"""
    impl = ARRAY
    cache_ok = True

    def __init__(self):
        super().__init__(ObjectIdType)

    def coerce_compared_value(self, op, value):
        return self if isinstance(value, (list, tuple)) else self.impl.coerce_compared_value(op, value)

    def bind_expression(self, bindvalue):
        return cast(bindvalue, self)  # psycopg2 writes ARRAY['...'], an array of text

    def result_processor(self, dialect, coltype):
        process = super().result_processor(dialect, coltype)
        return lambda value: process(parse(value) if isinstance(value, str) else value)


def parse(text):
    """The array {507f1f77bcf86cd799439011,NULL} as a list"""
    return [None if element == "NULL" else element for element in text.strip("{}").split(",") if element]


ischema_names["objectid"] = ObjectIdType


def render_item(kind, item, context):
    """Alembic: context.configure(..., render_item=render_item) in env.py.

    Generated migrations then import this module.
    """
    if kind == "type" and isinstance(item, (ObjectIdType, ObjectIdArray)):
        context.imports.add(f"import {__name__}")
        return f"{__name__}.{type(item).__name__}()"
    return False
