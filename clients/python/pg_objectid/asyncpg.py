"""asyncpg: bson.ObjectId for columns of type objectid.

register() makes asyncpg accept and return ObjectId, alone, in lists and in COPY, in binary format.
"""
from __future__ import annotations

from typing import Any
from warnings import warn

from bson import ObjectId

from . import parse


async def register(conn: Any, type_name: str = "objectid") -> bool:
    """Adapt ObjectId on this connection, and return whether the type exists: create_pool(init=register).

    This looks up the schema of the type, because asyncpg needs it.  If the type does not exist
    yet, or is created anew, call pool.expire_connections() afterwards.
    """
    row = await conn.fetchrow(
        "SELECT typname, nspname FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace"
        " WHERE pg_type.oid = to_regtype($1)", type_name)
    if row is None:
        warn("there is no type objectid yet: after CREATE EXTENSION, call pool.expire_connections()")
        return False
    await conn.set_type_codec(row["typname"], schema=row["nspname"], format="binary",
                              encoder=lambda value: parse(value).binary, decoder=ObjectId)
    return True
