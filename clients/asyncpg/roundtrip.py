#!/usr/bin/python3
"""See t/ClientTest.pm."""
import asyncio
from datetime import datetime, timezone

import bson
from bson import ObjectId
import asyncpg
from objectid_asyncpg import register


def check(condition, what):
    print("ok -" if condition else "not ok -", what)


def new_ids():
    """1,000 ids, sorted: the counter of the library may wrap"""
    return sorted(ObjectId() for _ in range(1000))


async def read(conn, query, *parameters):
    return [row[0] for row in await conn.fetch(query, *parameters)]


async def main():
    # without register(), asyncpg uses the text format
    conn = await asyncpg.connect()
    ids = new_ids()
    await conn.executemany("INSERT INTO made VALUES ('text', $1, $2)", [(str(i), str(i)) for i in ids])
    check(await read(conn, "SELECT id FROM made ORDER BY id") == [str(i) for i in ids], "no set-up: str in, str out")
    strings = [str(ids[0]), None]
    check(await read(conn, "SELECT $1::objectid[]", strings) == [strings], "no set-up: arrays of str")
    try:
        await conn.fetch("SELECT $1::objectid", "507f1f77bcf86cd79943901")
        check(False, "an invalid id is SQLSTATE 22P02")
    except asyncpg.InvalidTextRepresentationError as error:
        check(error.sqlstate == "22P02", "an invalid id is SQLSTATE 22P02")
    await conn.close()

    # the example in docs/clients-python.md
    conn = await asyncpg.connect()
    await register(conn)
    made = ObjectId()
    await conn.execute("INSERT INTO event (id, what) VALUES ($1, $2)", made, "log in")
    assert await conn.fetchval("SELECT id FROM event WHERE id = ANY($1)", [made]) == made

    ids = new_ids()
    await conn.executemany("INSERT INTO made VALUES ('binary', $1, $2)", [(i, str(i)) for i in ids])
    check(await read(conn, "SELECT id FROM made WHERE how = 'binary' ORDER BY id") == ids,
          "binary: 1,000 ids come back equal")

    rows = await conn.fetch("SELECT id, seconds FROM generated")
    check(len(rows) == 1004 and all(row["id"].generation_time.timestamp() == row["seconds"] for row in rows),
          "binary: generated ids have the time of objectid_time()")

    check(await read(conn, "SELECT $1::objectid", None) == [None], "binary: NULL")

    arrays = [ids[:3], [ids[0], None], [], None]
    await conn.executemany("INSERT INTO list VALUES ($1, $2)", enumerate(arrays))
    check(await read(conn, "SELECT ids FROM list ORDER BY n") == arrays, "binary: arrays")

    check(await read(conn, "SELECT id FROM made WHERE id = $1", ids[500]) == [ids[500]]
          and await read(conn, "SELECT count(*) FROM made WHERE how = 'binary' AND id < $1", ids[500]) == [500]
          and await read(conn, "SELECT count(*) FROM made WHERE id = ANY($1)", ids[:10]) == [10],
          "binary: WHERE with an ObjectId")

    # the server takes a parameter compared with an id for an id, unless it is cast
    date = datetime(2025, 2, 20, 5, tzinfo=timezone.utc)
    check(await read(conn, "SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", date) == list(range(9990, 10000))
          and await read(conn, "SELECT n FROM dated WHERE $1::timestamptz < id ORDER BY n", date) == list(range(9990, 10000)),
          "binary: id > a date")

    id, document = await conn.fetchrow("SELECT id, bson FROM document")
    found = bson.decode(document)["_id"]
    check(bson.encode({"_id": id}) == document and found == id
          and await read(conn, "SELECT count(*) FROM document WHERE id = $1", found) == [1], "binary: BSON")

    ids = new_ids()
    await conn.copy_records_to_table("made", records=[("copy", i, str(i)) for i in ids])
    check(await read(conn, "SELECT id FROM made WHERE how = 'copy' ORDER BY id") == ids,
          "binary COPY: 1,000 ids come back equal")
    # in a database where the type has a different OID and is not on the search path, while the first connection stays open
    other = await asyncpg.connect(database="other")
    await register(other, "apart.objectid")
    for connection, type_name in (conn, "objectid"), (other, "apart.objectid"):
        await connection.execute(f"CREATE TEMP TABLE kept (id {type_name}, ids {type_name}[])")
        row = await connection.fetchrow("INSERT INTO pg_temp.kept VALUES ($1, $2) RETURNING *", made, [made, None])
        check(tuple(row) == (made, [made, None]), f"two databases: {type_name}")
    await other.close()
    await conn.close()

    # a connection keeps the codec when the pool resets it
    async with asyncpg.create_pool(init=register, min_size=1, max_size=1) as pool:
        found = [await pool.fetchval("SELECT id FROM event WHERE id = $1", made) for _ in range(2)]
        check(found == [made, made], "a pool")


asyncio.run(main())
