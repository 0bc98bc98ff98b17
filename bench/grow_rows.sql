-- Costs by the number of rows: filling a table, rebuilding its key, reading one row by its key
SELECT trim_scale(:rows / 1000000.0) || ' million' AS rows_in_words \gset
CREATE TABLE grown (id :ddl PRIMARY KEY, v integer);
\ir start.psql
INSERT INTO grown (v) SELECT i FROM generate_series(1, :rows) AS i;
\ir stop.psql
SELECT bench.record(:'rows_in_words' || ' rows: bulk insert', 'us a row', :'kind', :rows, :seconds / :rows * 1e6);
\ir start.psql
REINDEX INDEX grown_pkey;
\ir stop.psql
SELECT bench.record(:'rows_in_words' || ' rows: REINDEX', 'us a row', :'kind', :rows, :seconds / :rows * 1e6);
VACUUM (FREEZE, ANALYZE) grown;
SELECT setseed(0.5);
CREATE TEMPORARY TABLE wanted AS
	SELECT id FROM grown WHERE random() < 100000.0 / :rows ORDER BY random();
ANALYZE wanted;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
\ir start.psql
SELECT sum(v) FROM wanted JOIN grown USING (id);
\ir stop.psql
SELECT bench.record(:'rows_in_words' || ' rows: point lookup', 'us', :'kind', :rows, :seconds / (SELECT count(*) FROM wanted) * 1e6);
DROP TABLE grown;
