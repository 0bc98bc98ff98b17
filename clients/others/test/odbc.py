"""psqlODBC: an id as a key, in an array, and a date, which needs a cast; see t/others.pl."""
from glob import glob
from os import environ

import pyodbc

driver, = glob("/usr/lib/*/odbc/psqlodbcw.so")
conn = pyodbc.connect(f"Driver={driver};Servername={environ['PGHOST']};Port={environ['PGPORT']};"
                      f"Database={environ['PGDATABASE']};UID={environ['PGUSER']}")
id = "507f1f77bcf86cd799439011"
conn.execute("INSERT INTO event (id) VALUES (?)", id)
assert tuple(conn.execute("SELECT id, ARRAY[id] FROM event WHERE id = ?", id).fetchone()) == (id, "{%s}" % id)
late = conn.execute("SELECT n FROM dated WHERE id > ?::timestamptz", "2025-02-20 05:00Z").fetchall()
assert len(late) == 10
