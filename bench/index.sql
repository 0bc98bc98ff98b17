-- CREATE INDEX on keys in the order of a bulk load
-- order: 110, after: data, kinds: key
\ir start.psql
CREATE INDEX made ON bulk.:"kind" (id);
\ir stop.psql
SELECT bench.record('CREATE INDEX, one bulk load', 's', :'kind', :rows, :seconds);
DROP INDEX bulk.made;
