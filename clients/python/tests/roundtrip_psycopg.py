#!/usr/bin/python3
"""See t/ClientTest.pm."""
import asyncio

import psycopg
from bson import ObjectId
from pg_objectid.psycopg import register, register_async

from psycopg_pool import AsyncConnectionPool, ConnectionPool

from checks import check, date, first_migration, plan, query, standard_sql, two_databases

plan(22)
with psycopg.connect(autocommit=True) as conn:
    # the examples in docs/clients.md; the next one inserts the row that the test counts
    with conn.transaction(force_rollback=True):
        digits = "507f1f77bcf86cd799439011"
        conn.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [digits, "log in"])
        found, = conn.execute("SELECT id FROM event WHERE id = %s", [digits]).fetchone()
        assert found == digits

        digits = str(ObjectId())
        conn.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [digits, "log in"])

        found, = conn.execute("SELECT id FROM event WHERE id = ANY(%s)", [[digits]]).fetchone()
        check(found == digits, "no set-up: a list of str")

    # the example in README.md
    conn.execute("CREATE EXTENSION IF NOT EXISTS objectid")
    register(conn)

    made = ObjectId()
    conn.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [made, "log in"])
    found, = conn.execute("SELECT id FROM event WHERE id = ANY(%s)", [[made]]).fetchone()
    assert isinstance(found, ObjectId) and found == made

    standard_sql("text", query(conn, "%t"))
    ids = standard_sql("binary", query(conn, "%b", binary=True))

    with conn.cursor() as cur:
        with cur.copy("COPY made FROM STDIN WITH (FORMAT binary)") as copy:
            copy.set_types(["text", "objectid", "text"])
            for i in ids:
                copy.write_row(("copy", i, str(i)))
        with cur.copy("COPY (SELECT id FROM made WHERE how = 'copy' ORDER BY id) TO STDOUT WITH (FORMAT binary)") as copy:
            copy.set_types(["objectid"])
            check([row[0] for row in copy.rows()] == ids, "binary COPY: 1,000 ids, both ways")

    with psycopg.connect("dbname=other", autocommit=True) as other:
        register(other)
        two_databases(query(conn), query(other))

    # the client inserts the parameters into the statement
    with psycopg.ClientCursor(conn) as cur:
        cur.execute("SELECT id, %s::objectid[] FROM event WHERE id = %s AND id > %s", [[made, None], made, date])
        check(cur.fetchall() == [(made, [made, None])], "ClientCursor")


def open_pool():
    """for an empty database, with one connection, which the pool refuses if it is left in a transaction"""
    return ConnectionPool("dbname=empty", configure=register, min_size=1, max_size=1)


def pooled(sql, *parameters):
    with pool.connection() as conn:
        return query(conn)(sql, *parameters)


def empty_pool():
    global pool
    if hasattr(pool, "drain"):
        pool.drain()
    else:
        pool.close()
        pool = open_pool()


pool = open_pool()
first_migration(pooled, created=empty_pool, dropped=empty_pool)
pool.close()


async def asynchronous():
    async with AsyncConnectionPool(configure=register_async, min_size=1, open=False) as pool:
        async with pool.connection() as conn:
            found = await (await conn.execute("SELECT %s, %s", [made, [made, None]])).fetchone()
            check(found == (made, [made, None]), "an asynchronous pool")


asyncio.run(asynchronous())
