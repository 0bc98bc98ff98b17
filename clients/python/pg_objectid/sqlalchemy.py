"""SQLAlchemy: bson.ObjectId for columns of type objectid.

    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())
    ids = Column(ARRAY(ObjectIdType))

A datetime compared with such a column is sent as a datetime, and the server compares it with the
time of the ids.  Importing this module adds the type to reflection.
"""
from __future__ import annotations

from datetime import date
from importlib import import_module
from typing import Any, Callable

from bson import ObjectId
from sqlalchemy import event, literal, types
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.pool import Pool


class ObjectIdType(types.UserDefinedType):  # type: ignore[type-arg]  # SQLAlchemy 1.4 has no argument
    cache_ok = True
    render_bind_cast = True  # of SQLAlchemy 2.0; the drivers of 1.4 need no cast

    def get_col_spec(self, **kw: Any) -> str:
        return "objectid"

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        return literal(value).type if isinstance(value, date) else self

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any]:
        # psycopg2 writes a list of strings as an array of text, and ObjectIds with a cast
        as_text = dialect.driver != "psycopg2"
        return lambda value: None if value is None else str(ObjectId(value)) if as_text else ObjectId(value)

    def literal_processor(self, dialect: Any) -> Callable[[Any], str]:
        return lambda value: f"'{ObjectId(value)}'"

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], ObjectId | None]:
        return lambda value: None if value is None else ObjectId(value)


ischema_names["objectid"] = ObjectIdType


@event.listens_for(Pool, "checkout")
def register(connection: Any, record: Any, proxy: Any) -> None:
    """psycopg and psycopg2 read arrays only if their adapter knows the type, which may be created later."""
    driver = type(getattr(connection, "driver_connection", connection)).__module__.partition(".")[0]
    if driver in ("psycopg", "psycopg2") and not record.info.get("pg_objectid"):
        adapter = import_module(f"pg_objectid.{driver}")
        asynchronous = hasattr(connection, "run_async")
        found = connection.run_async(adapter.register_async) if asynchronous else adapter.register(connection)
        record.info["pg_objectid"] = found or driver == "psycopg"  # which looks it up later


def render_item(kind: str, item: Any, context: Any) -> Any:
    """Alembic: context.configure(..., render_item=render_item) in env.py.

    Generated migrations then import this module.
    """
    if kind == "type" and isinstance(item, ObjectIdType):
        context.imports.add(f"import {__name__}")
        return f"{__name__}.ObjectIdType()"
    return False
