-- One row by its key, for keys in random order
-- order: 150, after: data, kinds: key
CREATE UNIQUE INDEX key ON ordered.:"kind" (id);
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT least(:rows, 200000) AS lookups \gset
SELECT count(*) FROM ordered.:"kind" WHERE id IS NOT NULL;
\ir start.psql
SELECT sum(o.v) FROM (SELECT id FROM shuffled.:"kind" LIMIT :lookups) AS s JOIN ordered.:"kind" AS o USING (id);
\ir stop.psql
SELECT bench.record('point lookup', 'us', :'kind', :rows, :seconds / :lookups * 1e6);
DROP INDEX ordered.key;
