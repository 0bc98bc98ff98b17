#!/usr/bin/python3
"""See t/ClientTest.pm."""
import asyncio

import asyncpg
from bson import ObjectId

from checks import check, new_ids, plan, standard_sql, two_databases

loop = asyncio.new_event_loop()
run = loop.run_until_complete


def query(conn):
    """a function that runs a statement, with a placeholder for each {}"""
    return lambda sql, *parameters: run(
        conn.fetch(sql.format(*(f"${n + 1}" for n in range(len(parameters)))), *parameters))


plan(11)

# without register(), asyncpg uses the text format
conn = run(asyncpg.connect())
strings = [str(ObjectId()), None]
check(query(conn)("SELECT {}::objectid, {}::objectid[]", strings[0], strings)[0] == (strings[0], strings),
      "no set-up: str in, str out")
run(conn.close())


async def example():
    # the example in README.md
    async def register(conn):
        await conn.set_type_codec("objectid", schema="pg_catalog", format="binary",
                                  encoder=lambda value: ObjectId(value).binary, decoder=ObjectId)

    conn = await asyncpg.connect()
    made = ObjectId()
    await conn.execute("INSERT INTO event (id, what) VALUES ('%s', 'log in')" % made)

    await register(conn)
    found = await conn.fetchval("SELECT id FROM event WHERE id = ANY($1)", [made])

    assert found == made
    return conn, register


conn, register = run(example())
standard_sql("binary", query(conn), "::timestamptz")

# binary COPY; the server compares the ids
run(conn.copy_records_to_table("made", records=[("copy", i, str(i)) for i in new_ids()]))

other = run(asyncpg.connect(database="other"))
run(register(other))
two_databases(query(conn), query(other))

# the first connections are there before the type
pool = run(asyncpg.create_pool(database="empty", min_size=1, max_size=1, loop=loop))
query(pool)("CREATE EXTENSION objectid")
run(pool.close())
pool = run(asyncpg.create_pool(database="empty", init=register, min_size=1, max_size=1, loop=loop))
check(query(pool)("SELECT {}::objectid AS id", strings[0])[0]["id"] == ObjectId(strings[0]), "a pool, and str in")
run(pool.close())
