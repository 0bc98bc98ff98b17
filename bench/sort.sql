-- ORDER BY without an index
-- order: 120, after: data, kinds: key
\ir start.psql
SELECT count(*) FROM (SELECT id FROM shuffled.:"kind" ORDER BY id OFFSET 0) AS s;
\ir stop.psql
SELECT bench.record('ORDER BY, shuffled', 's', :'kind', :rows, :seconds);
\ir start.psql
SELECT count(*) FROM (SELECT id FROM bulk.:"kind" ORDER BY id OFFSET 0) AS s;
\ir stop.psql
SELECT bench.record('ORDER BY, one bulk load', 's', :'kind', :rows, :seconds);
