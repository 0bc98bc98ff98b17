#!/usr/bin/python3
"""See clients/t/ClientTest.pm."""
import asyncio
import json
import re
from typing import List, Optional

import psycopg
from bson import ObjectId
from pg_objectid.psycopg import register, register_async

import fastapi
from fastapi import FastAPI
from fastapi.encoders import ENCODERS_BY_TYPE, jsonable_encoder
from fastapi.testclient import TestClient
from pg_objectid.pydantic import PydanticObjectId
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool, ConnectionPool
import pydantic

from checks import check, date, first_migration, new_ids, plan, query, standard, two_databases, wrong

plan(37)
with psycopg.connect(autocommit=True) as conn:
    # no set-up
    check(conn.execute("SELECT count(*) FROM event WHERE id = ANY(%s)", [[str(ObjectId())]]).fetchone() == (0,),
          "no set-up: a list of str")

    # the example in docs/clients.md; the next one inserts the row that the test counts
    with conn.transaction(force_rollback=True):
        digits = "507f1f77bcf86cd799439011"
        conn.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [digits, "log in"])
        found, = conn.execute("SELECT id FROM event WHERE id = %s", [digits]).fetchone()
        assert found == digits

    # the example in README.md
    conn.execute("CREATE EXTENSION IF NOT EXISTS objectid")
    conn.execute("CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)")
    register(conn)

    made = ObjectId()
    conn.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [made, "log in"])
    found, = conn.execute("SELECT id FROM event WHERE id = ANY(%s)", [[made]]).fetchone()
    assert isinstance(found, ObjectId) and found == made

    standard("text", query(conn, "%t"))
    standard("binary", query(conn, "%b", binary=True))

    ids = new_ids()
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
        for how in "%t", "%b":
            two_databases([query(conn, how), query(other, how)], made, f" as {how}")

    # the client inserts the parameters into the statement
    with psycopg.ClientCursor(conn) as cur:
        cur.execute("SELECT id, %s::objectid[] FROM event WHERE id = %s AND id > %s", [[made, None], made, date])
        check(cur.fetchall() == [(made, [made, None])], "ClientCursor")

    class Item(pydantic.BaseModel):
        id: PydanticObjectId
        written = property(getattr(pydantic.BaseModel, "model_dump_json" if pydantic.VERSION >= "2" else "json"))

    ENCODERS_BY_TYPE[ObjectId] = str
    check(json.loads(json.dumps({"id": found}, default=str)) == json.loads(Item(id=found).written)
          == jsonable_encoder({"id": found}) == {"id": str(found)}, "JSON")

# FastAPI
app = FastAPI()


class Query(pydantic.BaseModel):
    id: PydanticObjectId
    others: List[PydanticObjectId] = []
    parent: Optional[PydanticObjectId] = None


@app.post("/items")
def post(item: Query) -> Query:
    return item


@app.get("/items/{id}")
def get(id: PydanticObjectId, after: Optional[PydanticObjectId] = None, others: List[PydanticObjectId] = fastapi.Query([])):
    return {"types": [type(i).__name__ for i in [id, after, *others]], "ids": [str(i) for i in [id, after, *others]]}


client = TestClient(app)
digits = str(made)
given = {"id": digits.upper(), "others": [digits], "parent": None}
check(client.post("/items", json=given).json() == {**given, "id": digits}
      and client.get(f"/items/{digits}?after={digits}&others={digits}").json()
      == {"types": ["ObjectId"] * 3, "ids": [digits] * 3}, "FastAPI: ids")
check([client.post("/items", json=body).status_code for i in wrong
       for body in ({"id": i}, {"id": digits, "others": [i]}, {"id": digits, "parent": i})] == [422] * 15
      and [client.post("/items", json=body).status_code for body in ({}, {"id": None})] == [422] * 2
      and [client.get(f"/items/{path}").status_code for i in wrong[:4]
           for path in (i, f"{digits}?after={i}", f"{digits}?others={i}")] == [422] * 12, "FastAPI: malformed ids")
components = client.get("/openapi.json").json()
schemas = [components["components"]["schemas"]["Query"]["properties"]["id"],
           components["paths"]["/items/{id}"]["get"]["parameters"][0]["schema"]]
check(all(schema["type"] == "string" and re.fullmatch(schema["pattern"], schema["example"]) for schema in schemas),
      "FastAPI: the schema")

# pools, and rows as dict; a pool refuses a connection that is left in a transaction
with ConnectionPool(configure=register, min_size=1, kwargs={"row_factory": dict_row}) as pool, pool.connection() as conn:
    check(conn.execute("SELECT id FROM event WHERE id = %s", [made]).fetchone() == {"id": made}, "a pool")


def empty():
    """a pool for an empty database, with one connection"""
    return ConnectionPool("dbname=empty", configure=register, min_size=1, max_size=1)


pool = empty()


def pooled(sql, *parameters):
    with pool.connection() as conn:
        return query(conn)(sql, *parameters)


def empty_pool():
    global pool
    if hasattr(pool, "drain"):
        pool.drain()
    else:
        pool.close()
        pool = empty()


first_migration(pooled, created=empty_pool, dropped=empty_pool)
pool.close()


async def asynchronous():
    async with AsyncConnectionPool(configure=register_async, min_size=1, open=False) as pool:
        async with pool.connection() as conn:
            found = await (await conn.execute("SELECT %s, %s", [made, [made, None]])).fetchone()
            check(found == (made, [made, None]), "an asynchronous pool")


asyncio.run(asynchronous())
