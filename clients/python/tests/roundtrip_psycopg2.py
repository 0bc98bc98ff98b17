#!/usr/bin/python3
"""See clients/t/ClientTest.pm."""
import psycopg2
from bson import ObjectId
from pg_objectid.psycopg2 import register

import peewee
from psycopg2.extras import RealDictConnection, RealDictCursor
from psycopg2.pool import SimpleConnectionPool

from checks import check, first_migration, plan, query, standard, two_databases

plan(21)
conn = psycopg2.connect("")
cur = conn.cursor()

# no set-up
oid = ObjectId()
cur.execute("SELECT id FROM (SELECT %s::objectid AS id) AS t WHERE id = %s", [str(oid), repr(oid)])
check(cur.fetchone() == (str(oid),), "no set-up: str in, str out")
cur.execute("SELECT count(*) FROM event WHERE id = ANY(%s::objectid[])", [[str(oid)]])
check(cur.fetchone() == (0,), "no set-up: a list of str, with a cast")

cur.execute("CREATE TEMP TABLE still_there ()")
register(conn)
conn.commit()
register(conn)
conn.autocommit = True  # psycopg2 refuses this in a transaction
cur.execute("TABLE still_there")
check(True, "register() neither opens a transaction nor ends one")

# the example in README.md
cur.execute("CREATE EXTENSION IF NOT EXISTS objectid")
cur.execute("CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)")
register(conn)

made = ObjectId()
cur.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [made, "log in"])
cur.execute("SELECT id FROM event WHERE id = ANY(%s)", [[made]])
assert cur.fetchone() == (made,)

standard("text", query(conn))

# rows of any kind
for kind in {"connection_factory": RealDictConnection}, {"cursor_factory": RealDictCursor}:
    another = psycopg2.connect("", **kind)
    register(another)
    with another.cursor() as rows:
        rows.execute("SELECT %s AS id, %s AS ids", [made, [made, None]])
        check(rows.fetchone() == {"id": made, "ids": [made, None]}, next(iter(kind.values())).__name__)
    another.close()

other = psycopg2.connect("dbname=other")
other.autocommit = True
register(other)
two_databases([query(conn), query(other)], made)

pool = SimpleConnectionPool(1, 1, "dbname=empty")


def pooled(sql, *parameters):
    conn = pool.getconn()
    register(conn)
    with conn:
        rows = query(conn)(sql, *parameters)
    pool.putconn(conn)
    return rows


first_migration(pooled)


class ObjectIdField(peewee.Field):
    field_type = "objectid"


class Post(peewee.Model):
    id = ObjectIdField(primary_key=True, constraints=[peewee.SQL("DEFAULT gen_objectid()")])

    class Meta:
        database = peewee.PostgresqlDatabase("postgres")


Post.create_table()
posts = [Post.create().id, Post.create(id=str(made)).id]
check([[post.id for post in Post.select().where(condition)] for condition in (
    Post.id == str(made), Post.id.in_(posts[:1]), Post.id.in_([]))] == [[str(made)], posts[:1], []], "Peewee")
