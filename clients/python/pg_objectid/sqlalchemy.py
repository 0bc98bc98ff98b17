"""SQLAlchemy: bson.ObjectId for columns of type objectid.

    id = Column(ObjectIdType, primary_key=True, server_default=func.gen_objectid())
    ids = Column(ARRAY(ObjectIdType))

A datetime compared with such a column is sent as a datetime, and the server compares it with the
time of the ids.  Importing this module adds the type to reflection.  register(engine) is for arrays
with psycopg and psycopg2, and for ObjectIds in statements whose types SQLAlchemy does not know.
"""
from __future__ import annotations

from datetime import date
from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable

from bson import ObjectId
from sqlalchemy import Date, DateTime, cast, event, literal, types
from sqlalchemy.dialects.postgresql.base import ischema_names

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine
    from sqlalchemy.ext.asyncio import AsyncEngine


def cast_date(value: Any) -> Any:
    if isinstance(value, date):
        value = literal(value)
    return cast(value, DateTime(timezone=True)) if isinstance(getattr(value, "type", None), (Date, DateTime)) else value


# as Uuid does: the session compares the keys of its objects, and digits are no ObjectId
def only_id(value: Any) -> ObjectId:
    if isinstance(value, ObjectId):
        return value
    raise TypeError(f"not an ObjectId: {value!r}")


class ObjectIdType(types.UserDefinedType):  # type: ignore[type-arg]  # SQLAlchemy 1.4 has no argument
    cache_ok = True
    render_bind_cast = True  # of SQLAlchemy 2.0; the drivers of 1.4 need no cast

    class Comparator(types.UserDefinedType.Comparator):  # type: ignore[type-arg]
        """A date has a cast, so that delete(Event).where(Event.id < date) does not compare the ids of loaded objects with it."""

        def operate(self, op: Any, *other: Any, **kwargs: Any) -> Any:
            return super().operate(op, *map(cast_date, other), **kwargs)

    comparator_factory = Comparator

    @property
    def python_type(self) -> type[ObjectId]:
        return ObjectId

    def get_col_spec(self, **kw: Any) -> str:
        return "objectid"

    def bind_processor(self, dialect: Any) -> Callable[[Any], Any]:
        # psycopg2 writes a list of strings as an array of text, and ObjectIds with a cast
        as_text = dialect.driver != "psycopg2"
        if not as_text:
            import_module("pg_objectid.psycopg2")
        return lambda value: None if value is None else str(only_id(value)) if as_text else only_id(value)

    def literal_processor(self, dialect: Any) -> Callable[[Any], str]:
        # with a cast, because ARRAY['...'] is an array of text
        return lambda value: "NULL" if value is None else f"CAST('{only_id(value)}' AS objectid)"

    def result_processor(self, dialect: Any, coltype: Any) -> Callable[[Any], ObjectId | None]:
        return lambda value: None if value is None else ObjectId(value)


ischema_names["objectid"] = ObjectIdType


async def register_asyncpg(conn: Any) -> bool:
    try:
        await conn.set_type_codec("objectid", schema="pg_catalog", format="binary",
                                  encoder=lambda value: ObjectId(value).binary, decoder=ObjectId)
    except ValueError:  # there is no such type yet
        return False
    return True


def register(engine: Engine | AsyncEngine) -> None:
    """Register the driver's adapter when the pool of this engine hands out a connection.  The type may be created later."""
    engine = getattr(engine, "sync_engine", engine)
    driver = engine.dialect.driver
    adapter = register_asyncpg if driver == "asyncpg" else import_module(f"pg_objectid.{driver}")

    @event.listens_for(engine, "checkout")
    def checkout(connection: Any, record: Any, proxy: Any) -> None:
        if record.info.get("pg_objectid"):
            return
        if engine.dialect.is_async:
            record.info["pg_objectid"] = connection.run_async(getattr(adapter, "register_async", adapter))
        else:
            record.info["pg_objectid"] = adapter.register(connection)


def render_item(kind: str, item: Any, context: Any) -> Any:
    """Alembic: context.configure(..., render_item=render_item) in env.py.

    Generated migrations then import this module.
    """
    if kind == "type" and isinstance(item, ObjectIdType):
        context.imports.add(f"import {__name__}")
        return f"{__name__}.ObjectIdType()"
    return False
