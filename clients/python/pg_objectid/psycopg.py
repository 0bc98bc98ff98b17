"""psycopg 3: bson.ObjectId for columns of type objectid.

register() makes psycopg accept and return ObjectId, alone, in lists and in COPY, in text and in
binary format.

psycopg has no hook for a type that is created below an open connection, but applications run
their first migration on the pool that they then use.  look_up() is for that: it asks the server
when the connection reads a type that it does not know, or writes its first ObjectId.  It cannot
ask in a pipeline and while stream() returns rows: they read such a type as str.
"""
from __future__ import annotations

from typing import Any, cast

from bson import ObjectId
import psycopg
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format, PipelineStatus, TransactionStatus
from psycopg.types import TypeInfo


class ObjectIdDumper(Dumper):
    type_name: str

    def __init__(self, cls: type, context: AdaptContext | None = None):
        super().__init__(cls, context)
        info = look_up(self.connection, self.type_name) if context and not self.oid else None
        if info:
            info.register(context)
            self.oid = info.oid

    def dump(self, obj: ObjectId) -> bytes:
        return obj.binary if self.format == Format.BINARY else str(obj).encode()


class ObjectIdLoader(Loader):
    def load(self, data: Buffer) -> ObjectId:
        return ObjectId(bytes(data) if self.format == Format.BINARY else bytes(data).decode())


class Unknown(Loader):
    """A loader for all types that the connection does not know"""
    type_name: str
    loader: Any = None

    def load(self, data: Buffer) -> Any:
        if not self.loader:
            adapters = (self.connection or psycopg).adapters
            loader = adapters.get_loader(self.oid, self.format)
            if not loader:
                asked = look_up(self.connection, self.type_name)
                loader = adapters.get_loader(self.oid, self.format) or psycopg.adapters.get_loader(0, self.format)
                if asked:  # it is another type: do not ask again
                    adapters.register_loader(self.oid, cast("type[Loader]", loader))
            self.loader = cast("type[Loader]", loader)(self.oid, self.connection)
        return self.loader.load(data)


def register(conn: psycopg.Connection[Any], type_name: str = "objectid") -> None:
    """Adapt ObjectId on this connection: ConnectionPool(configure=register).  The type may be created later, or again."""
    adapt(conn, type_name, TypeInfo.fetch(conn, type_name))


async def register_async(conn: psycopg.AsyncConnection[Any], type_name: str = "objectid") -> None:
    """The same: AsyncConnectionPool(configure=register_async)"""
    adapt(conn, type_name, await TypeInfo.fetch(conn, type_name))


def adapt(conn: psycopg.BaseConnection[Any], type_name: str, info: TypeInfo | None) -> None:
    for format in Format:
        def of_format(base: type, **attributes: Any) -> Any:
            return type(base.__name__, (base,), {"format": format, "type_name": type_name, **attributes})

        conn.adapters.register_dumper(ObjectId, of_format(ObjectIdDumper, oid=info.oid if info else 0))
        conn.adapters.register_loader(0, of_format(Unknown))
        if info:
            conn.adapters.register_loader(info.oid, of_format(ObjectIdLoader))
    if info:
        info.register(conn)


def look_up(conn: psycopg.BaseConnection[Any] | None, type_name: str) -> TypeInfo | None:
    """Register the type in the middle of a statement, so without a cursor, if the connection can answer now."""
    if (not conn or conn.pgconn.pipeline_status != PipelineStatus.OFF
            or conn.pgconn.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.INTRANS)):
        return None
    found = conn.pgconn.exec_params(
        b"SELECT oid, typarray, oid::regtype::text FROM pg_type WHERE oid = to_regtype($1)", [type_name.encode()])
    if not found.ntuples:
        return None
    oid, array_oid, regtype = (cast(bytes, found.get_value(0, n)).decode() for n in range(3))
    info = TypeInfo("objectid", int(oid), int(array_oid), regtype=regtype)
    adapt(conn, type_name, info)
    return info
