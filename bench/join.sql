-- Hash join of a table with a copy in a different order
-- order: 130, after: data, kinds: key
SET enable_mergejoin = off;
SET enable_nestloop = off;
\ir start.psql
SELECT sum(b.v) FROM shuffled.:"kind" AS a JOIN ordered.:"kind" AS b USING (id);
\ir stop.psql
SELECT bench.record('hash join', 's', :'kind', :rows, :seconds);
