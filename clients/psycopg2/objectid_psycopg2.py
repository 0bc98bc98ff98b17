"""psycopg2: bson.ObjectId for columns of type objectid.

With no set-up an id is read as str and written as str (its 24 digits), and an
array of them is read as one string.  register() makes psycopg2 take and give
ObjectId, alone and in lists.  psycopg2 speaks the text protocol only.
"""
from bson import ObjectId
from psycopg2.extensions import TRANSACTION_STATUS_IDLE, AsIs, new_array_type, new_type, register_adapter, register_type


def register(conn, type_name="objectid"):
    """Adapt ObjectId: reading on this connection, writing on all of them.

    The type's OID differs from database to database, so it is looked up; name the
    type with its schema where that is not on the search path.
    """
    idle = conn.info.transaction_status == TRANSACTION_STATUS_IDLE
    with conn.cursor() as cur:
        cur.execute("SELECT oid, typarray FROM pg_type WHERE oid = %s::regtype", [type_name])
        oid, array_oid = cur.fetchone()
    if idle:
        conn.rollback()  # no transaction is left open by this
    one = new_type((oid,), "OBJECTID", lambda value, cur: None if value is None else ObjectId(value))
    register_type(one, conn)
    register_type(new_array_type((array_oid,), "OBJECTID[]", one), conn)
    # the type is told, for ARRAY['...'] would be an array of text
    register_adapter(ObjectId, lambda value: AsIs(f"'{value}'::{type_name}"))
