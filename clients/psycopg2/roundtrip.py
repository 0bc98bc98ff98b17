#!/usr/bin/python3
"""See t/ClientTest.pm."""
from datetime import datetime, timezone
import io
import struct

import bson
from bson import ObjectId
import psycopg2
from psycopg2.extras import DictConnection, DictCursor, NamedTupleCursor, RealDictConnection, RealDictCursor
from psycopg2.pool import SimpleConnectionPool
from objectid_psycopg2 import register


def check(condition, what):
    print("ok -" if condition else "not ok -", what)


def new_ids():
    """1,000 ids, sorted: the counter of the library may wrap"""
    return sorted(ObjectId() for _ in range(1000))


conn = psycopg2.connect("")
conn.cursor().execute("CREATE TEMP TABLE kept ()")
register(conn)
conn.commit()
register(conn)
conn.autocommit = True  # psycopg2 refuses this in a transaction
conn.cursor().execute("TABLE kept")
conn.close()
check(True, "register() neither opens a transaction nor ends one")

conn = psycopg2.connect("")
conn.autocommit = True
cur = conn.cursor()

# no set-up
oid = ObjectId()
cur.execute("SELECT id FROM (SELECT %s::objectid AS id) AS t WHERE id = %s", [str(oid), repr(oid)])
check(cur.fetchone() == (str(oid),), "no set-up: str in, str out")

# the example in docs/clients-python.md
register(conn)
made = ObjectId()
cur.execute("INSERT INTO event (id, what) VALUES (%s, %s)", [made, "log in"])
cur.execute("SELECT id FROM event WHERE id = ANY(%s)", [[made]])
assert cur.fetchone() == (made,)

ids = new_ids()
cur.executemany("INSERT INTO made VALUES ('text', %s, %s)", [(i, str(i)) for i in ids])
cur.execute("SELECT id FROM made ORDER BY id")
check([row[0] for row in cur] == ids, "text: 1,000 ids come back equal")

cur.execute("SELECT id, seconds FROM generated")
rows = cur.fetchall()
check(len(rows) == 1004 and all(i.generation_time.timestamp() == s for i, s in rows),
      "text: generated ids have the time of objectid_time()")

cur.execute("SELECT %s::objectid, NULL::objectid", [None])
check(cur.fetchone() == (None, None), "text: NULL")

arrays = [ids[:3], [ids[0], None], [], None]
for n, array in enumerate(arrays):
    cur.execute("INSERT INTO list VALUES (%s, %s)", [n, array])
cur.execute("SELECT ids FROM list ORDER BY n")
check([row[0] for row in cur] == arrays, "text: arrays")

cur.execute("SELECT id FROM made WHERE id = %s", [ids[500]])
equal = cur.fetchall() == [(ids[500],)]
cur.execute("SELECT count(*) FROM made WHERE id < %s", [ids[500]])
less = cur.fetchone() == (500,)
cur.execute("SELECT count(*) FROM made WHERE id = ANY(%s)", [ids[:10]])
check(equal and less and cur.fetchone() == (10,), "text: WHERE with an ObjectId")

date = datetime(2025, 2, 20, 5, tzinfo=timezone.utc)
late = []
for condition in "id > %s", "%s < id":
    cur.execute(f"SELECT n FROM dated WHERE {condition} ORDER BY n", [date])
    late.append([row[0] for row in cur])
check(late == [list(range(9990, 10000))] * 2, "text: id > a date")

cur.execute("SELECT id, bson FROM document")
id, document = cur.fetchone()
found = bson.decode(document)["_id"]
cur.execute("SELECT count(*) FROM document WHERE id = %s", [found])
check(bson.encode({"_id": id}) == bytes(document) and found == id and cur.fetchone() == (1,), "text: BSON")

# the caller formats the rows of COPY: text is str(id), and binary its 12 bytes
ids = new_ids()
cur.copy_expert("COPY made FROM STDIN", io.StringIO("".join(f"text COPY\t{i}\t{i}\n" for i in ids)))
data = b"PGCOPY\n\xff\r\n\0" + bytes(8)
for i in ids:
    data += struct.pack("!hi11si12si24s", 3, 11, b"binary COPY", 12, i.binary, 24, str(i).encode())
cur.copy_expert("COPY made FROM STDIN WITH (FORMAT binary)", io.BytesIO(data + b"\xff\xff"))
for how in "text COPY", "binary COPY":
    cur.execute("SELECT id FROM made WHERE how = %s ORDER BY id", [how])
    check([row[0] for row in cur] == ids, f"{how}: 1,000 ids come back equal")

try:
    cur.execute("SELECT %s::objectid", ["507f1f77bcf86cd79943901"])
    check(False, "an invalid id is SQLSTATE 22P02")
except psycopg2.DataError as error:
    check(error.pgcode == "22P02", "an invalid id is SQLSTATE 22P02")

# rows of any kind
for kind in [{"connection_factory": DictConnection}, {"connection_factory": RealDictConnection},
             {"cursor_factory": DictCursor}, {"cursor_factory": NamedTupleCursor}, {"cursor_factory": RealDictCursor}]:
    another = psycopg2.connect("", **kind)
    register(another)
    with another.cursor() as rows:
        rows.execute("SELECT %s AS id, %s AS ids", [made, [made, None]])
        row = rows.fetchone()
    row = row._asdict() if hasattr(row, "_asdict") else dict(row)
    check(row == {"id": made, "ids": [made, None]}, next(iter(kind.values())).__name__)
    another.close()

# in a database where the type has a different OID and is not on the search path, while the first connection stays open
other = psycopg2.connect("dbname=other")
other.autocommit = True
register(other, "apart.objectid")
for connection, type_name in (conn, "objectid"), (other, "apart.objectid"):
    with connection.cursor() as rows:
        rows.execute(f"CREATE TEMP TABLE kept (id {type_name}, ids {type_name}[])")
        rows.execute("INSERT INTO pg_temp.kept VALUES (%s, %s) RETURNING *, pg_typeof(%s)::text", [made, [made, None], made])
        check(rows.fetchone() == (made, [made, None], type_name), f"two databases: {type_name}")

pool = SimpleConnectionPool(1, 1)
for _ in range(2):
    pooled = pool.getconn()
    register(pooled)
    with pooled.cursor() as rows:
        rows.execute("SELECT id FROM event WHERE id = %s", [made])
        found = rows.fetchone()
    pool.putconn(pooled)
check(found == (made,), "a pool")
