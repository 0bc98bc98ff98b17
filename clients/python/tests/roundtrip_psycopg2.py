#!/usr/bin/python3
"""See t/ClientTest.pm."""
import psycopg2
from bson import ObjectId
from pg_objectid.psycopg2 import register

import peewee
from playhouse.postgres_ext import ArrayField
from psycopg2.extras import RealDictCursor
from psycopg2.pool import SimpleConnectionPool

from checks import check, first_migration, id, plan, query, standard_sql, two_databases

plan(16)
conn = psycopg2.connect("")
cur = conn.cursor()

# no set-up
cur.execute("SELECT %s::objectid, ARRAY[%s::objectid] && %s::objectid[]", [str(id), repr(id), [str(id)]])
check(cur.fetchone() == (str(id), True), "no set-up: str in, str out, and a list with a cast")

cur.execute("CREATE TEMP TABLE still_there ()")
register(conn)
conn.commit()
register(conn)
conn.autocommit = True  # psycopg2 refuses this in a transaction
cur.execute("TABLE still_there")
check(True, "register() neither opens a transaction nor ends one")

made = ObjectId()
cur.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [made, "log in"])
# the example in README.md
register(conn)
cur.execute("SELECT id FROM event WHERE id = ANY(%s)", [[made]])
assert cur.fetchone() == (made,)

standard_sql("text", query(conn))

other = psycopg2.connect("dbname=other", cursor_factory=RealDictCursor)
register(other)
check(query(other)("SELECT %s AS id", id) == [{"id": id}], "rows as dict")
other.cursor_factory = None
two_databases(query(conn), query(other))

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


class Event(peewee.Model):
    id = ObjectIdField(primary_key=True)


class List(peewee.Model):
    n = peewee.IntegerField(primary_key=True)
    ids = ArrayField(ObjectIdField, null=True)


db = peewee.PostgresqlDatabase("postgres")
db.bind([Event, List])
found = [Event.get(condition).id for condition in (Event.id == str(made), Event.id.in_([str(made)]))]
check(found == [str(made)] * 2, "Peewee")
List.insert(n=1, ids=[str(made)]).execute()
without = List.get().ids
register(db.connection())
check(isinstance(without, str) and List.get().ids == [made], "Peewee: an array needs register()")
