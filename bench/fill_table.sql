-- A table with a primary key, for single rows to be added.  Its pages are as full as insertion in no order leaves them.
CREATE SCHEMA IF NOT EXISTS filled;
CREATE TABLE filled.:"kind" (id :ddl, v integer);
INSERT INTO filled.:"kind" (v) SELECT i FROM generate_series(1, :rows) AS i;
ALTER TABLE filled.:"kind" ADD PRIMARY KEY (id) WITH (fillfactor = 70);
VACUUM (FREEZE, ANALYZE) filled.:"kind";
\ir procedure.psql
