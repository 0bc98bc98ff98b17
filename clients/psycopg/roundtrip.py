#!/usr/bin/python3
"""See t/ClientTest.pm."""
import asyncio
from datetime import datetime, timezone

import bson
from bson import ObjectId
import psycopg
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, ConnectionPool
from objectid_psycopg import register


def check(condition, what):
    print("ok -" if condition else "not ok -", what)


def new_ids():
    """1,000 ids, sorted: the counter of the library may wrap"""
    return sorted(ObjectId() for _ in range(1000))


with psycopg.connect(autocommit=True) as conn:
    # no set-up
    oid = ObjectId()
    check(conn.execute("SELECT %s::objectid", [str(oid)]).fetchone()[0] == str(oid), "no set-up: str in, str out")
    check(conn.execute("SELECT id = %s FROM (SELECT %s::objectid AS id) AS t", [str(oid), repr(oid)]).fetchone()[0],
          "no set-up: the output of repr() is accepted")

    # the example in docs/clients.md; the next one inserts the row that the test counts
    with conn.transaction(force_rollback=True):
        digits = "507f1f77bcf86cd799439011"
        conn.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [digits, "log in"])
        found, = conn.execute("SELECT id FROM event WHERE id = %s", [digits]).fetchone()
        assert found == digits

    # the example in docs/clients-python.md
    register(conn)
    made = ObjectId()
    conn.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [made, "log in"])
    found, = conn.execute("SELECT id FROM event WHERE id = ANY(%s)", [[made]]).fetchone()
    assert found == made and isinstance(found, ObjectId)

    for how in "text", "binary":
        ids = new_ids()
        binary = how == "binary"
        value = "%b" if binary else "%t"
        with conn.cursor(binary=binary) as cur:
            cur.executemany(f"INSERT INTO made VALUES (%s, {value}, %s)", [(how, i, str(i)) for i in ids])
            cur.execute("SELECT id FROM made WHERE how = %s ORDER BY id", [how])
            check([row[0] for row in cur] == ids, f"{how}: 1,000 ids come back equal")

            cur.execute("SELECT id, seconds FROM generated")
            rows = cur.fetchall()
            check(len(rows) == 1004 and all(i.generation_time.timestamp() == s for i, s in rows),
                  f"{how}: generated ids have the time of objectid_time()")

            cur.execute(f"SELECT {value}::objectid, NULL::objectid", [None])
            check(cur.fetchone() == (None, None), f"{how}: NULL")

            arrays = [ids[:3], [ids[0], None], [], None]
            for n, array in enumerate(arrays):
                cur.execute(f"INSERT INTO list VALUES (%s, {value}::objectid[])", [n, array])
            cur.execute("WITH l AS (DELETE FROM list RETURNING *) SELECT ids FROM l ORDER BY n")
            check([row[0] for row in cur] == arrays, f"{how}: arrays")

            cur.execute(f"SELECT id FROM made WHERE id = {value}", [ids[500]])
            equal = cur.fetchall() == [(ids[500],)]
            cur.execute(f"SELECT count(*) FROM made WHERE how = %s AND id < {value}", [how, ids[500]])
            less = cur.fetchone() == (500,)
            cur.execute(f"SELECT count(*) FROM made WHERE id = ANY({value})", [ids[:10]])
            check(equal and less and cur.fetchone() == (10,), f"{how}: WHERE with an ObjectId")

            date = datetime(2025, 2, 20, 5, tzinfo=timezone.utc)
            late = [cur.execute(f"SELECT n FROM dated WHERE {condition} ORDER BY n", [date]).fetchall()
                    for condition in (f"id > {value}", f"{value} < id")]
            check(late == [[(n,) for n in range(9990, 10000)]] * 2, f"{how}: id > a date")

            id, document = cur.execute("SELECT id, bson FROM document").fetchone()
            found = bson.decode(document)["_id"]
            cur.execute(f"SELECT count(*) FROM document WHERE id = {value}", [found])
            check(bson.encode({"_id": id}) == document and found == id and cur.fetchone() == (1,), f"{how}: BSON")

    ids = new_ids()
    with conn.cursor() as cur:
        with cur.copy("COPY made FROM STDIN WITH (FORMAT binary)") as copy:
            copy.set_types(["text", "objectid", "text"])
            for i in ids:
                copy.write_row(("copy", i, str(i)))
        with cur.copy("COPY (SELECT id FROM made WHERE how = 'copy' ORDER BY id) TO STDOUT WITH (FORMAT binary)") as copy:
            copy.set_types(["objectid"])
            check([row[0] for row in copy.rows()] == ids, "binary COPY: 1,000 ids, both ways")

    try:
        conn.execute("SELECT %s::objectid", ["507f1f77bcf86cd79943901"])
        check(False, "an invalid id is SQLSTATE 22P02")
    except psycopg.errors.InvalidTextRepresentation as error:
        check(error.sqlstate == "22P02", "an invalid id is SQLSTATE 22P02")

    # in a database where the type has a different OID and is not on the search path, while the first connection stays open
    with psycopg.connect("dbname=other", autocommit=True) as other:
        register(other, "apart.objectid")
        for how in "%t", "%b":
            for connection, type_name in (conn, "objectid"), (other, "apart.objectid"):
                connection.execute(f"CREATE TEMP TABLE IF NOT EXISTS kept (id {type_name}, ids {type_name}[])")
                row = connection.execute(f"INSERT INTO pg_temp.kept VALUES ({how}, {how}) RETURNING *, pg_typeof({how})::text",
                                         [made, [made, None], made]).fetchone()
                check(row == (made, [made, None], type_name), f"two databases: {type_name} as {how}")

    # the client inserts the parameters into the statement
    with psycopg.ClientCursor(conn) as cur:
        cur.execute("SELECT n FROM dated WHERE id > %s AND id = ANY (%s)", [datetime(2025, 2, 20, 5, tzinfo=timezone.utc), [made]])
        late = cur.fetchall()
        cur.execute("SELECT id, %s::objectid[] FROM event WHERE id = %s", [[made, None], made])
        check(cur.fetchall() == [(made, [made, None])] and late == [], "ClientCursor")

# pools, and rows as dict; a pool refuses a connection that is left in a transaction
with ConnectionPool(configure=register, min_size=1, kwargs={"row_factory": dict_row}) as pool, pool.connection() as conn:
    check(conn.execute("SELECT id FROM event WHERE id = %s", [made]).fetchone() == {"id": made}, "a pool")


async def asynchronous():
    async with await psycopg.AsyncConnection.connect() as conn:
        await register(conn)
        cur = await conn.execute("SELECT id, ARRAY[id] FROM event WHERE id = %s", [made])
        check(await cur.fetchone() == (made, [made]), "AsyncConnection")
    async with AsyncConnectionPool(configure=register, min_size=1, open=False) as pool, pool.connection() as conn:
        cur = await conn.execute("SELECT id FROM event WHERE id = %s", [made])
        check(await cur.fetchone() == (made,), "an asynchronous pool")


asyncio.run(asynchronous())
