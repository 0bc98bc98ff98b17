"""asyncpg: bson.ObjectId for columns of type objectid.

register() makes asyncpg accept and return ObjectId, alone, in lists and in COPY, in binary format.
"""
from __future__ import annotations

from typing import Any
from warnings import warn

from bson import ObjectId

from . import parse


async def register(conn: Any) -> bool:
    """Adapt ObjectId on this connection, and return whether the type exists: create_pool(init=register).

    If the type does not exist yet, or is created anew, call pool.expire_connections() afterwards.
    """
    try:
        await conn.set_type_codec("objectid", schema="pg_catalog", format="binary",
                                  encoder=lambda value: parse(value).binary, decoder=ObjectId)
    except ValueError:
        warn("there is no type objectid yet: after CREATE EXTENSION, call pool.expire_connections()")
        return False
    return True
