-- One hour of five years: by the objectid, else by a created_at with its own index; and by BRIN
-- order: 180, after: data, kinds: key
SELECT least(20000, :rows) AS windows, least(1000, :rows / 100) AS brin_windows, :'kind' = 'objectid' AS time_in_key \gset
SELECT setseed(0.5);
CREATE TEMPORARY TABLE hour AS
	SELECT to_timestamp(1600000000) + random() * interval '1824 days' AS start FROM generate_series(1, :windows);
\if :time_in_key
	\set since id
	CREATE TABLE past (id :ddl PRIMARY KEY, v integer);
	INSERT INTO past (id, v) SELECT id, v FROM ordered.:"kind" ORDER BY v;
\else
	\set since created_at
	CREATE TABLE past (id :ddl PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), v integer);
	CREATE INDEX past_created_at ON past (created_at);
	INSERT INTO past (id, created_at, v)
		SELECT id, to_timestamp(1600000000 + v * 157680000::bigint / :rows), v FROM ordered.:"kind" ORDER BY v;
\endif
VACUUM (FREEZE, ANALYZE) past;
SELECT bench.record('five years of rows, with all that finds an hour', 'bytes a row', :'kind', :rows, pg_total_relation_size('past')::float / :rows);
\set sum 'SELECT sum(w.sum) FROM hour, LATERAL (SELECT sum(v) FROM past WHERE ' :since ' >= start AND ' :since ' < start + interval ''1 hour'') AS w'
:sum;
\ir start.psql
:sum;
\ir stop.psql
SELECT bench.record('an hour of five years', 'us', :'kind', :rows, :seconds / :windows * 1e6);

DROP INDEX IF EXISTS past_created_at;
ALTER TABLE past DROP CONSTRAINT past_pkey;
CREATE INDEX past_brin ON past USING brin (:since) WITH (pages_per_range = 16);
VACUUM (FREEZE, ANALYZE) past;
SET enable_seqscan = off;
DELETE FROM hour WHERE ctid NOT IN (SELECT ctid FROM hour LIMIT :brin_windows);
\ir start.psql
:sum;
\ir stop.psql
SELECT bench.record('an hour of five years, by BRIN', 'us', :'kind', :rows, :seconds / :brin_windows * 1e6);
DROP TABLE past;
