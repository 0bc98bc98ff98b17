"""psycopg2: bson.ObjectId for columns of type objectid.

With no set-up an id is read as str and written as str (its 24 digits), and an
array of them is read as one string.  register() makes psycopg2 take and give
ObjectId, alone and in lists.  psycopg2 speaks the text protocol only.
"""
from weakref import WeakKeyDictionary

from bson import ObjectId
from psycopg2.extensions import (
    TRANSACTION_STATUS_IDLE, cursor, new_array_type, new_type, register_adapter, register_type)

types = WeakKeyDictionary()  # what the type is called on each connection


class Literal:
    """An ObjectId in a statement.  It has a type, because ARRAY['...'] is an array of text."""

    def __init__(self, value):
        self.value = value
        self.cast = ""

    def prepare(self, conn):
        if conn in types:
            self.cast = "::" + types[conn]

    def getquoted(self):
        return f"'{self.value}'{self.cast}".encode()


register_adapter(ObjectId, Literal)


def register(conn, type_name="objectid"):
    """Adapt ObjectId on this connection; a pool's on each, once or after every getconn().

    The type's OID differs from database to database, so it is looked up; name the
    type with its schema where that is not on the search path.
    """
    idle = conn.info.transaction_status == TRANSACTION_STATUS_IDLE
    with conn.cursor(cursor_factory=cursor) as cur:
        cur.execute("SELECT pg_type.oid, typarray, format('%%I.%%I', nspname, typname)"
                    " FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace"
                    " WHERE pg_type.oid = %s::regtype", [type_name])
        oid, array_oid, types[conn] = cur.fetchone()
    if idle:
        conn.rollback()  # no transaction is left open by this
    one = new_type((oid,), "OBJECTID", lambda value, cur: None if value is None else ObjectId(value))
    register_type(one, conn)
    register_type(new_array_type((array_oid,), "OBJECTID[]", one), conn)
