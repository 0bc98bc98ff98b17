-- GROUP BY by hashing
-- order: 140, after: data, kinds: key
SET enable_sort = off;
\ir start.psql
SELECT count(*) FROM (SELECT id, sum(v) FROM shuffled.:"kind" GROUP BY id) AS g;
\ir stop.psql
SELECT bench.record('GROUP BY', 's', :'kind', :rows, :seconds);
