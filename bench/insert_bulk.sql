-- One INSERT of many rows into a table with a primary key, and the resulting sizes
-- order: 40, kinds: key
CREATE TABLE filled (id :ddl PRIMARY KEY, v integer);
\ir start.psql
INSERT INTO filled (v) SELECT i FROM generate_series(1, :rows) AS i;
\ir stop.psql
SELECT bench.record('bulk insert with primary key', 's', :'kind', :rows, :seconds),
	bench.record('table', 'bytes a row', :'kind', :rows, pg_relation_size('filled')::float / :rows),
	bench.record('primary key after inserts', 'bytes a row', :'kind', :rows, pg_relation_size('filled_pkey')::float / :rows),
	bench.record('table and primary key after inserts', 'bytes a row', :'kind', :rows,
		(pg_relation_size('filled') + pg_relation_size('filled_pkey'))::float / :rows);
REINDEX TABLE filled;
SELECT bench.record('primary key after REINDEX', 'bytes a row', :'kind', :rows, pg_relation_size('filled_pkey')::float / :rows);
DROP TABLE filled;
