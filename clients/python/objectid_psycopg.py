"""psycopg 3: bson.ObjectId for columns of type objectid.

register() makes psycopg accept and return ObjectId, alone, in lists and in COPY, in text and in
binary format.
"""
from bson import ObjectId
import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format, PipelineStatus, TransactionStatus
from psycopg.types import TypeInfo


class TextDumper(Dumper):
    def dump(self, obj):
        return str(obj).encode()


class BinaryDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj):
        return obj.binary


class TextLoader(Loader):
    def load(self, data):
        return ObjectId(bytes(data).decode())


class BinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data):
        return ObjectId(bytes(data))


def register(conn, type_name="objectid"):
    """Adapt ObjectId on this connection: ConnectionPool(configure=register).

    For an AsyncConnection write "await register(conn)".

    The type may be created later, or again: the connection looks it up when it reads a type
    that it does not know, and when it writes its first ObjectId without a type.
    """
    if isinstance(conn, psycopg.AsyncConnection):
        return register_async(conn, type_name)
    adapt(conn, type_name, TypeInfo.fetch(conn, type_name))


async def register_async(conn, type_name):
    adapt(conn, type_name, await TypeInfo.fetch(conn, type_name))


def adapt(conn, type_name, info):
    for dumper in TextDumper, BinaryDumper:
        bases = (dumper,) if info else (Waiting, dumper)
        conn.adapters.register_dumper(ObjectId, type(dumper.__name__, bases, {"oid": info.oid if info else 0, "type_name": type_name}))
    if info:
        info.register(conn)
        for loader in TextLoader, BinaryLoader:
            conn.adapters.register_loader(info.oid, loader)
    for format in Format:
        conn.adapters.register_loader(0, type("Unknown", (Unknown,), {"format": format, "type_name": type_name}))


def look_up(conn, type_name):
    """Register the type in the middle of a statement, without a cursor, if the connection can answer now."""
    if (conn.pgconn.pipeline_status != PipelineStatus.OFF
            or conn.pgconn.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.INTRANS)):
        return None
    found = conn.pgconn.exec_params(
        b"SELECT oid, typarray, oid::regtype::text FROM pg_type WHERE oid = to_regtype($1)", [type_name.encode()])
    if not found.ntuples:
        return None
    oid, array_oid, regtype = (found.get_value(0, n).decode() for n in range(3))
    info = TypeInfo(type_name, int(oid), int(array_oid), regtype=regtype)
    adapt(conn, type_name, info)
    return info


class Waiting:
    """A dumper for a type that did not exist when the connection was registered"""

    def __init__(self, cls, context=None):
        super().__init__(cls, context)
        info = look_up(self.connection, self.type_name)
        if info:
            info.register(context)
            self.oid = info.oid


class Unknown(Loader):
    """A loader for types that the connection does not know: this may be the type, created after register()"""
    loader = None

    def load(self, data):
        if not self.loader:
            adapters = self.connection.adapters
            look_up(self.connection, self.type_name)
            loader = adapters.get_loader(self.oid, self.format)
            if not loader:  # another type: do not ask again
                loader = psycopg.adapters.get_loader(0, self.format)
                adapters.register_loader(self.oid, loader)
            self.loader = loader(self.oid, self.connection)
        return self.loader.load(data)
