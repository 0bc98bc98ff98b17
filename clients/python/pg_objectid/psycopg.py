"""psycopg 3: bson.ObjectId for columns of type objectid.

register() makes psycopg accept and return ObjectId, alone, in lists and in COPY, in text and in
binary format.
"""
from __future__ import annotations

from typing import Any

from bson import ObjectId
import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo


class ObjectIdDumper(Dumper):
    def dump(self, obj: ObjectId) -> bytes:
        return obj.binary if self.format == Format.BINARY else str(obj).encode()


class ObjectIdLoader(Loader):
    def load(self, data: Buffer) -> ObjectId:
        return ObjectId(bytes(data) if self.format == Format.BINARY else bytes(data).decode())


# not bool, because ConnectionPool(configure=register) demands None
def register(conn: psycopg.Connection[Any]) -> Any:
    """Adapt ObjectId on this connection, and return whether the type exists.  If not, this does nothing."""
    return adapt(conn, TypeInfo.fetch(conn, "objectid"))


async def register_async(conn: psycopg.AsyncConnection[Any]) -> Any:
    """The same: AsyncConnectionPool(configure=register_async)"""
    return adapt(conn, await TypeInfo.fetch(conn, "objectid"))


def adapt(conn: psycopg.BaseConnection[Any], info: TypeInfo | None) -> bool:
    if info is None:
        return False
    info.register(conn)
    for format in Format:
        def of_format(base: type, **attributes: Any) -> Any:
            return type(base.__name__, (base,), {"format": format, **attributes})

        conn.adapters.register_dumper(ObjectId, of_format(ObjectIdDumper, oid=info.oid))
        conn.adapters.register_loader(info.oid, of_format(ObjectIdLoader))
    return True
