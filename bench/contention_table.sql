-- An empty table with a unique key, to whose right-hand end many sessions add rows; or eight
-- partitions with one each.
CREATE SCHEMA IF NOT EXISTS filled;
SELECT :'kind' ~ 'partitions' AS partitioned, :'kind' ~ 'prefixes' AS prefixed \gset
\if :partitioned
CREATE TABLE filled.:"kind" (id :ddl PRIMARY KEY, v integer) PARTITION BY HASH (id);
SELECT format('CREATE TABLE filled.%I PARTITION OF filled.%I FOR VALUES WITH (MODULUS 8, REMAINDER %s)', :'kind' || i, :'kind', i) FROM generate_series(0, 7) AS i \gexec
\elif :prefixed
CREATE TABLE filled.:"kind" (id :ddl, v integer);
CREATE UNIQUE INDEX ON filled.:"kind" ((objectid_hash(id) & 7), id);
\else
CREATE TABLE filled.:"kind" (id :ddl PRIMARY KEY, v integer);
\endif
\ir procedure.psql
