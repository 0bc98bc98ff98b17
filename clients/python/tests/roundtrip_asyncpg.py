#!/usr/bin/python3
"""See clients/t/ClientTest.pm."""
import asyncio
import warnings

import asyncpg
from bson import ObjectId
from pg_objectid.asyncpg import register

from checks import check, check_refused, first_migration, new_ids, plan, standard, two_databases

loop = asyncio.new_event_loop()
run = loop.run_until_complete


def query(conn):
    """a function that runs a statement, with a placeholder for each {}"""
    return lambda sql, *parameters: run(
        conn.fetch(sql.format(*(f"${n + 1}" for n in range(len(parameters)))), *parameters))


plan(20)

# without register(), asyncpg uses the text format
conn = run(asyncpg.connect())
strings = [str(ObjectId()), None]
check(query(conn)("SELECT {}::objectid", strings[0])[0][0] == strings[0], "no set-up: str in, str out")
check(query(conn)("SELECT {}::objectid[]", strings)[0][0] == strings, "no set-up: arrays of str")
run(conn.close())


async def example():
    # the example in README.md
    conn = await asyncpg.connect()
    await conn.execute("CREATE EXTENSION IF NOT EXISTS objectid")
    await conn.execute("CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)")
    await register(conn)

    made = ObjectId()
    await conn.execute("INSERT INTO event (id, what) VALUES ($1, $2)", made, "log in")
    assert await conn.fetchval("SELECT id FROM event WHERE id = ANY($1)", [made]) == made
    return conn, made


conn, made = run(example())
standard("binary", query(conn), "::timestamptz")

check_refused("an invalid id is an error of the client", lambda value: query(conn)("SELECT {}::objectid", value),
              lambda error, value: isinstance(error, asyncpg.DataError)
              and str(value) in str(error) and error.sqlstate == "22000")

# binary COPY; the server compares the ids
run(conn.copy_records_to_table("made", records=[("copy", i, str(i)) for i in new_ids()]))

other = run(asyncpg.connect(database="other"))
run(register(other))
two_databases([query(conn), query(other)], made)


async def pool():
    # a connection keeps the codec when the pool resets it
    async with asyncpg.create_pool(init=register, min_size=1, max_size=1) as pool:
        check([await pool.fetchval("SELECT id FROM event") for _ in range(2)] == [made, made], "a pool")


run(pool())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    pool = run(asyncpg.create_pool(database="empty", init=register, min_size=1, max_size=1, loop=loop))

    def expire():
        run(pool.expire_connections())

    first_migration(query(pool), created=expire, dropped=expire)
    check(any("expire_connections" in str(warning.message) for warning in caught), "a warning if there is no type yet")
run(pool.close())
