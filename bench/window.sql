-- One hour of five years: by the key if it contains the time, else by a created_at with its own
-- index; and by BRIN
-- order: 180, after: data, kinds: key; string; window
SELECT least(20000, :rows) AS windows, least(1000, :rows / 100) AS brin_windows \gset
SELECT setseed(0.5);
CREATE TEMPORARY TABLE hour AS
	SELECT to_timestamp(1600000000) + random() * interval '1824 days' AS start FROM generate_series(1, :windows);
SELECT :'bound' <> '' AS time_in_key,
	format(coalesce(nullif(:'bound', ''), '%s'), 'start') AS low,
	format(coalesce(nullif(:'bound', ''), '%s'), $$(start + interval '1 hour')$$) AS high \gset
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

SELECT sum(w.sum) FROM hour, LATERAL (SELECT sum(v) FROM past WHERE :since >= :low AND :since < :high) AS w;
\ir start.psql
SELECT sum(w.sum) FROM hour, LATERAL (SELECT sum(v) FROM past WHERE :since >= :low AND :since < :high) AS w;
\ir stop.psql
SELECT bench.record('an hour of five years', 'us', :'kind', :rows, :seconds / :windows * 1e6);

-- Literals, as from a client without prepared statements: everything except the execution
SELECT format('DO $do$ BEGIN FOR i IN 1 .. 1000 LOOP EXECUTE %L; END LOOP; END $do$',
	format('EXPLAIN SELECT sum(v) FROM past WHERE %s >= %s AND %s < %s',
		:'since', format(coalesce(nullif(:'bound', ''), '%s'), $$timestamptz '2023-05-06 07:00:00+00'$$),
		:'since', format(coalesce(nullif(:'bound', ''), '%s'), $$timestamptz '2023-05-06 08:00:00+00'$$))) AS plan \gset
:plan;
\ir start.psql
:plan;
\ir stop.psql
SELECT bench.record('an hour of five years, planning', 'us', :'kind', :rows, :seconds / 1000 * 1e6);

CREATE TABLE past_brin AS TABLE past;
CREATE INDEX past_brin_since ON past_brin USING brin (:since) WITH (pages_per_range = 16);
VACUUM (FREEZE, ANALYZE) past_brin;
SELECT bench.record('BRIN index', 'bytes a row', :'kind', :rows, pg_relation_size('past_brin_since')::float / :rows);
SET enable_seqscan = off;
DELETE FROM hour WHERE ctid NOT IN (SELECT ctid FROM hour LIMIT :brin_windows);
\ir start.psql
SELECT sum(w.sum) FROM hour, LATERAL (SELECT sum(v) FROM past_brin WHERE :since >= :low AND :since < :high) AS w;
\ir stop.psql
SELECT bench.record('an hour of five years, by BRIN', 'us', :'kind', :rows, :seconds / :brin_windows * 1e6);
DROP TABLE past, past_brin;
