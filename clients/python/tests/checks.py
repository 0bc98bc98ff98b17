"""What the programs of this directory share: see clients/t/ClientTest.pm."""
from datetime import datetime, timezone
import os

from bson import ObjectId

date = datetime(2025, 2, 20, 5, tzinfo=timezone.utc)
after_date = list(range(9990, 10000))
vectors = {ObjectId(digits): (digits, int(seconds)) for digits, seconds in map(str.split, os.environ["VECTORS"].splitlines())}
count = 0


def plan(checks):
    print(f"1..{checks}")


def check(condition, what):
    global count
    count += 1
    print("ok" if condition else "not ok", count, "-", what)


def new_ids():
    """1,000 ids and the vectors, sorted: the counter of the library may wrap"""
    return sorted([*vectors, *(ObjectId() for _ in range(1000))])


def check_vectors(how, found, where):
    """of the ids that a way has read; where() returns the ids that are equal to one"""
    found = [i for i in found if i in vectors]
    check([(str(i), i.generation_time.timestamp()) for i in found] == sorted(vectors.values())
          and all(i.binary.hex() == str(i) and list(where(i)) == [i] for i in found), f"{how}: vectors")


# no ids; ObjectId() accepts the third, of 11 bytes
wrong = ["zzz", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390  ", 5, ""]


def check_refused(what, use, right=lambda error, value: True, values=wrong):
    """use() raises the right error for each of these values"""
    accepted = []
    for value in values:
        try:
            use(value)
        except Exception as error:
            if right(error, value):
                continue
        accepted.append(value)
    check(not accepted, f"{what} {accepted}")


def query(conn, placeholder="%s", **options):
    """A function that runs a statement, with a placeholder for each {}, and returns rows"""
    def run(sql, *parameters):
        cur = conn.cursor(**options)
        cur.execute(sql.replace("{}", placeholder), parameters)
        return cur.fetchall() if cur.description else []
    return run


def check_elements(how, echo):
    """Elements of an array that are no ids: an error, or the id that is in the text.  echo() writes an array, and reads it."""
    id = ObjectId()
    accepted = []
    for element in f"{id},{id}", "NULL", "null", "", "{}", "{", '"', "\\", f'"{id}"', f"{{{id}}}", f"{id}}}", " a", 5:
        for first in id, str(id):
            try:
                found = echo([first, element])
            except Exception:
                continue
            if found != [id, id] or str(id) not in element:
                accepted.append(element)
    check(not accepted, f"{how}: elements of arrays that are no ids: {accepted}")


def standard(how, query, cast=""):
    """The checks of a driver, which gets a function like that of query()"""
    def column(sql, *parameters):
        return [row[0] for row in query(sql, *parameters)]

    ids = new_ids()
    for i in ids:
        query("INSERT INTO made VALUES ({}, {}, {}) RETURNING id", how, i, str(i))
    found = column("SELECT id FROM made WHERE how = {} ORDER BY id", how)
    check(found == ids, f"{how}: 1,000 ids come back equal")
    check_vectors(how, found, lambda i: column("SELECT id FROM made WHERE how = {} AND id = {}", how, i))

    check(column("SELECT {}::objectid", None) == [None], f"{how}: NULL")

    for array in ids[:3], [ids[0], None], [], None:
        check(column("SELECT {}::objectid[]", array) == [array], f"{how}: arrays")
    check_elements(how, lambda ids: column("SELECT {}::objectid[]", ids)[0])

    check(column("SELECT id FROM made WHERE how = {} AND id = {}", how, ids[500]) == [ids[500]]
          and column("SELECT count(*) FROM made WHERE how = {} AND id = ANY({})", how, ids[:10]) == [10],
          f"{how}: WHERE with an ObjectId")

    check_refused(f"{how}: an error for what is no id", lambda value: column("SELECT id FROM made WHERE id = {}", value))

    check(column(f"SELECT n FROM dated WHERE id > {{}}{cast} ORDER BY n", date) == after_date, f"{how}: id > a date")


def two_databases(queries, made, what=""):
    """in a database where the type has a different OID, and in the first one"""
    for query in queries:
        query("CREATE TEMP TABLE IF NOT EXISTS kept (id objectid, ids objectid[])")
        row, = query("INSERT INTO kept VALUES ({}, {}) RETURNING *", made, [made, None])
        check(tuple(row) == (made, [made, None]), f"two databases{what}")


def first_migration(query, created=lambda: None, dropped=lambda: None):
    """What the documentation shows for an empty database, and for an extension that is created again"""
    made = ObjectId()
    for _ in range(2):
        query("CREATE EXTENSION objectid")
        query("CREATE TABLE event (id objectid PRIMARY KEY, ids objectid[])")
        created()
        query("INSERT INTO event VALUES ({}, {})", made, [made])
        found, = query("SELECT id, ids FROM event WHERE id = ANY({})", [made])
        check(tuple(found) == (made, [made]), "the first migration, and again")
        query("DROP TABLE event")
        query("DROP EXTENSION objectid")
        dropped()
