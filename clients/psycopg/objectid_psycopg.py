"""psycopg 3: bson.ObjectId for columns of type objectid.

Without register(), an id is read and written as str (24 digits), and an array is read as
one string.  register() makes psycopg accept and return ObjectId, alone, in lists and in
COPY, in text and in binary format.
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

    For an AsyncConnection write "await register(conn)", and for a pool of them
    AsyncConnectionPool(configure=register).  This looks up the type's OID, which differs
    between databases.  Qualify the type's name if its schema is not on the search path.
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
