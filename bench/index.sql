-- CREATE INDEX on keys in two orders
-- order: 110, after: data, kinds: key
\ir start.psql
CREATE INDEX made ON shuffled.:"kind" (id);
\ir stop.psql
SELECT bench.record('CREATE INDEX, shuffled', 's', :'kind', :rows, :seconds);
DROP INDEX shuffled.made;
\ir start.psql
CREATE INDEX made ON bulk.:"kind" (id);
\ir stop.psql
SELECT bench.record('CREATE INDEX, one bulk load', 's', :'kind', :rows, :seconds);
DROP INDEX bulk.made;
