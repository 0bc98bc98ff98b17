-- A table with a primary key, for inserts of single rows.  Its pages are as full as after inserts in
-- random order.
CREATE SCHEMA IF NOT EXISTS filled;
CREATE TABLE filled.:"kind" (id :ddl, v integer);
INSERT INTO filled.:"kind" (v) SELECT i FROM generate_series(1, :rows) AS i;
ALTER TABLE filled.:"kind" ADD PRIMARY KEY (id) WITH (fillfactor = 70);
VACUUM (FREEZE, ANALYZE) filled.:"kind";
\ir procedure.psql
