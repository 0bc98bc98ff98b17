-- Joins of a table with a copy in a different order
-- order: 130, after: data, kinds: key; string
SET enable_mergejoin = off;
SET enable_nestloop = off;
\ir start.psql
SELECT sum(b.v) FROM shuffled.:"kind" AS a JOIN ordered.:"kind" AS b USING (id);
\ir stop.psql
SELECT bench.record('hash join', 's', :'kind', :rows, :seconds);
RESET enable_mergejoin;
SET enable_hashjoin = off;
\ir start.psql
SELECT sum(b.v) FROM shuffled.:"kind" AS a JOIN ordered.:"kind" AS b USING (id);
\ir stop.psql
SELECT bench.record('merge join, with its sorts', 's', :'kind', :rows, :seconds);
