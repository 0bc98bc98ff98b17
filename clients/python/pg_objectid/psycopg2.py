"""psycopg2: bson.ObjectId for columns of type objectid.

register() makes psycopg2 accept and return ObjectId, alone and in lists.
"""
from __future__ import annotations

from bson import ObjectId
from psycopg2.extensions import (
    TRANSACTION_STATUS_IDLE, connection, cursor, new_array_type, new_type, register_adapter, register_type)


class Literal:
    """An ObjectId in a statement, with a cast, because ARRAY['...'] is an array of text."""

    def __init__(self, value: ObjectId):
        self.value = value

    def getquoted(self) -> bytes:
        return f"'{self.value}'::objectid".encode()


register_adapter(ObjectId, Literal)


def register(conn: connection) -> bool:
    """Adapt ObjectId on this connection, and return whether the type exists.

    With a pool, call it after every getconn().  Before the type exists, only writing an ObjectId
    is an error.
    """
    idle = conn.info.transaction_status == TRANSACTION_STATUS_IDLE
    with conn.cursor(cursor_factory=cursor) as cur:
        cur.execute("SELECT oid, typarray FROM pg_type WHERE oid = to_regtype('objectid')")
        oid, array_oid = cur.fetchone() or (None, None)
    if idle:
        conn.rollback()  # leave no transaction open
    if oid is None:
        return False
    one = new_type((oid,), "OBJECTID", lambda value, cur: None if value is None else ObjectId(value))
    register_type(one, conn)
    register_type(new_array_type((array_oid,), "OBJECTID[]", one), conn)
    return True
