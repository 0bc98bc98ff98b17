-- A new id, in a query
-- order: 10, kinds: key
\ir start.psql
SELECT count(:make) FROM generate_series(1, :rows) AS i;
\ir stop.psql
\set query :seconds
\ir start.psql
SELECT count(1) FROM generate_series(1, :rows) AS i;
\ir stop.psql
SELECT bench.record('generate, net of the query', 'ns', :'kind', :rows, (:query - :seconds) / :rows * 1e9);
