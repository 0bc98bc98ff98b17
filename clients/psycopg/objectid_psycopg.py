"""psycopg 3: bson.ObjectId for columns of type objectid.

With no set-up an id is read as str, written as str (its 24 digits), and an array
of them is read as one string.  register() makes psycopg take and give ObjectId,
alone, in lists and in COPY, by the text and by the binary protocol.
"""
from bson import ObjectId
from psycopg import AsyncConnection
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
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

    On an AsyncConnection it is "await register(conn)", and the same in an
    AsyncConnectionPool.  The type's OID differs from database to database, so it is
    looked up; name the type with its schema where that is not on the search path.
    """
    if isinstance(conn, AsyncConnection):
        return register_async(conn, type_name)
    adapt(conn, TypeInfo.fetch(conn, type_name))


async def register_async(conn, type_name):
    adapt(conn, await TypeInfo.fetch(conn, type_name))


def adapt(conn, info):
    if info is None:
        raise LookupError("no type objectid here: CREATE EXTENSION objectid")
    info.register(conn)
    for dumper in TextDumper, BinaryDumper:
        conn.adapters.register_dumper(ObjectId, type(dumper.__name__, (dumper,), {"oid": info.oid}))
    for loader in TextLoader, BinaryLoader:
        conn.adapters.register_loader(info.oid, loader)
