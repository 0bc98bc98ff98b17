"""What the programs of this directory share: see t/ClientTest.pm."""
from datetime import datetime, timezone
import os

from bson import ObjectId

vectors = {ObjectId(digits): (digits, int(seconds)) for digits, seconds in map(str.split, os.environ["VECTORS"].splitlines())}
date = datetime(2025, 2, 20, 5, tzinfo=timezone.utc)
after_date = list(range(9990, 10000))
id = ObjectId()
arrays = [id, ObjectId()], [id, None], [], None
# no ids; ObjectId() accepts the fourth, of 11 bytes
wrong = ["507f1f77bcf86cd7994390112", "zzz", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390  ", 5, ""]


def plan(checks):
    print(f"1..{checks}")


def check(condition, what):
    print("ok" if condition else "not ok", "-", what)


def new_ids():
    """1,000 ids and the vectors, sorted: the counter of the library may wrap"""
    return sorted([*vectors, *(ObjectId() for _ in range(1000))])


def accepted(use, right, values):
    """The values for which use() does not raise an error, or not the right one, and what it returns"""
    for value in values:
        try:
            yield value, use(value)
        except Exception as error:
            if not right(error, value):
                yield value, error


def standard(how, insert, every, equal, among, null, echo, later, right=lambda error, value: True, wrong=wrong):
    """The checks of a driver, by functions that write ids to "made", read them from there, all, those that are equal to one, and
    those in a list, read a NULL, write and read an array, and read "n" of "dated" after a date.  right() is of the error for
    what is no id."""
    ids = new_ids()
    insert(ids)
    found = every()
    check(found == ids, f"{how}: 1,000 ids come back equal")
    found = [i for i in found if i in vectors]
    check([(str(i), i.generation_time.timestamp()) for i in found] == sorted(vectors.values())
          and all(i.binary.hex() == str(i) and equal(i) == [i] for i in found), f"{how}: vectors")
    check(null() is None, f"{how}: NULL")
    check(all(echo(array) == array for array in arrays), f"{how}: arrays")
    check(equal(ids[500]) == [ids[500]] and among(ids[:10]) == ids[:10], f"{how}: WHERE with an ObjectId")
    check(later(date) == after_date, f"{how}: id > a date")
    found = list(accepted(equal, right, wrong))
    check(not found, f"{how}: an error for what is no id: {found}")
    return ids


def query(conn, placeholder="%s", **options):
    """A function that runs a statement, with a placeholder for each {}, and returns rows"""
    def run(sql, *parameters):
        cur = conn.cursor(**options)
        cur.execute(sql.replace("{}", placeholder), parameters)
        return cur.fetchall() if cur.description else []
    return run


def standard_sql(how, query, cast="", **options):
    """The same, by a function like that of query()"""
    def column(sql, *parameters):
        return [row[0] for row in query(sql, *parameters)]

    def insert(ids):
        for i in ids:
            query("INSERT INTO made VALUES ({}, {}, {})", how, i, str(i))

    return standard(
        how, insert,
        every=lambda: column("SELECT id FROM made WHERE how = {} ORDER BY id", how),
        equal=lambda i: column("SELECT id FROM made WHERE how = {} AND id = {}", how, i),
        among=lambda ids: column("SELECT id FROM made WHERE how = {} AND id = ANY({}) ORDER BY id", how, ids),
        null=lambda: column("SELECT {}::objectid", None)[0],
        echo=lambda ids: column("SELECT {}::objectid[]", ids)[0],
        later=lambda date: column(f"SELECT n FROM dated WHERE id > {{}}{cast} ORDER BY n", date),
        **options)


def two_databases(first, other):
    """in a database where the type has a different OID, and in the first one"""
    for query in first, other:
        row, = query("SELECT {}::objectid, {}::objectid[]", id, [id, None])
        check(tuple(row) == (id, [id, None]), "two databases")


def first_migration(query, created=lambda: None, dropped=lambda: None):
    """What the documentation shows for an empty database, and for an extension that is created again"""
    for _ in range(2):
        query("CREATE EXTENSION objectid")
        query("CREATE TABLE event (id objectid PRIMARY KEY, ids objectid[])")
        created()
        query("INSERT INTO event VALUES ({}, {})", id, [id])
        found, = query("SELECT id, ids FROM event WHERE id = ANY({})", [id])
        check(tuple(found) == (id, [id]), "the first migration, and again")
        query("DROP TABLE event")
        query("DROP EXTENSION objectid")
        dropped()
