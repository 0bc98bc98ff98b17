"""asyncpg: bson.ObjectId for columns of type objectid.

With no set-up an id is read as str and written as str (its 24 digits), and so are
the ids of an array.  register() makes asyncpg take and give ObjectId, alone, in
lists and in COPY, by the binary protocol.
"""
from bson import ObjectId


async def register(conn, type_name="objectid"):
    """Adapt ObjectId on this connection: create_pool(init=register).

    asyncpg wants to know the type's schema, so it is looked up.
    """
    row = await conn.fetchrow(
        "SELECT typname, nspname FROM pg_type JOIN pg_namespace ON pg_namespace.oid = typnamespace"
        " WHERE pg_type.oid = to_regtype($1)", type_name)
    if row is None:
        raise LookupError("no type objectid here: CREATE EXTENSION objectid")
    await conn.set_type_codec(row["typname"], schema=row["nspname"], format="binary",
                              encoder=lambda value: ObjectId(value).binary, decoder=ObjectId)
