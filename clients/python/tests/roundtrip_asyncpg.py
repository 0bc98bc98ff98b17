#!/usr/bin/python3
"""See clients/t/ClientTest.pm."""
import asyncio
import warnings

import asyncpg
from bson import ObjectId
from pg_objectid.asyncpg import register

from checks import check, first_migration, new_ids, plan, standard_sql, two_databases

loop = asyncio.new_event_loop()
run = loop.run_until_complete


def query(conn):
    """a function that runs a statement, with a placeholder for each {}"""
    return lambda sql, *parameters: run(
        conn.fetch(sql.format(*(f"${n + 1}" for n in range(len(parameters)))), *parameters))


plan(14)

# without register(), asyncpg uses the text format
conn = run(asyncpg.connect())
strings = [str(ObjectId()), None]
check(query(conn)("SELECT {}::objectid, {}::objectid[]", strings[0], strings)[0] == (strings[0], strings),
      "no set-up: str in, str out")
run(conn.close())


async def example():
    # the example in README.md
    conn = await asyncpg.connect()
    await register(conn)

    made = ObjectId()
    await conn.execute("INSERT INTO event (id, what) VALUES ($1, $2)", made, "log in")
    found = await conn.fetchval("SELECT id FROM event WHERE id = ANY($1)", [made])
    assert found == made
    return conn


conn = run(example())
standard_sql("binary", query(conn), "::timestamptz", right=lambda error, value: (
    isinstance(error, asyncpg.DataError) and str(value) in str(error) and error.sqlstate == "22000"))

# binary COPY; the server compares the ids
run(conn.copy_records_to_table("made", records=[("copy", i, str(i)) for i in new_ids()]))

other = run(asyncpg.connect(database="other"))
run(register(other))
two_databases(query(conn), query(other))

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    pool = run(asyncpg.create_pool(database="empty", init=register, min_size=1, max_size=1, loop=loop))

    def expire():
        run(pool.expire_connections())

    first_migration(query(pool), created=expire, dropped=expire)
    check(any("expire_connections" in str(warning.message) for warning in caught), "a warning if there is no type yet")
run(pool.close())
