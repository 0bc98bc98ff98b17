-- The same with ten times the rows: random keys then touch the whole index
-- order: 45, kinds: key
CREATE TABLE filled (id :ddl PRIMARY KEY, v integer);
\ir start.psql
INSERT INTO filled (v) SELECT i FROM generate_series(1, 10 * :rows) AS i;
\ir stop.psql
SELECT bench.record('bulk insert of ten times the rows', 'us a row', :'kind', 10 * :rows, :seconds / (10 * :rows) * 1e6);
DROP TABLE filled;
