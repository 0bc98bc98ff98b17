--
-- Plans for comparisons with instants: every use of an index on the id.
--
\t on
SET timezone = 'UTC'; SET max_parallel_workers_per_gather = 0;
CREATE TABLE event (id objectid PRIMARY KEY, what text);
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01 00:00:00+00' + n * interval '10 minutes'), 'w' || n
FROM generate_series(0, 52703) AS n;
VACUUM ANALYZE event;

-- index-only scan, index scan, bitmap scan
SELECT plan_nodes($$SELECT id FROM event
  WHERE id >= timestamptz '2024-03-01 00:00:00+00' AND id < timestamptz '2024-03-01 01:00:00+00'$$);
SELECT objectid_time(id) FROM event
WHERE id >= timestamptz '2024-03-01 00:00:00+00' AND id < timestamptz '2024-03-01 01:00:00+00';
SET enable_bitmapscan = off;
SELECT plan_nodes($$SELECT * FROM event
  WHERE id > timestamptz '2024-03-01 00:00:00.5+00' AND timestamptz '2024-03-01 01:00:00.5+00' >= id$$);
SELECT count(*) FROM event
WHERE id > timestamptz '2024-03-01 00:00:00.5+00' AND timestamptz '2024-03-01 01:00:00.5+00' >= id;
RESET enable_bitmapscan; SET enable_indexscan = off;
SELECT plan_nodes($$SELECT * FROM event
  WHERE id BETWEEN timestamptz '2024-03-01 00:00:00+00' AND timestamptz '2024-03-01 01:00:00+00'$$);
SELECT count(*) FROM event
WHERE id BETWEEN timestamptz '2024-03-01 00:00:00+00' AND timestamptz '2024-03-01 01:00:00+00';
RESET enable_indexscan;

-- now() - interval, current_date, a date, a timestamp
SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT plan_nodes('SELECT id FROM event WHERE ' || condition)
FROM unnest(ARRAY[$$id > now() - interval '1 day'$$, 'id >= current_date', $$id < date '2024-02-01'$$,
  $$timestamp '2024-12-31 12:00' <= id$$,
  -- in order, with LIMIT
  $$id <= timestamptz '2024-06-01 00:00:00+00' ORDER BY id DESC LIMIT 5$$]) AS condition;
SELECT (SELECT count(*) FROM event WHERE id < date '2024-02-01'),
       (SELECT count(*) FROM event WHERE timestamp '2024-12-31 12:00' <= id);
SELECT what FROM event WHERE id <= timestamptz '2024-06-01 00:00:00+00' ORDER BY id DESC LIMIT 2;

-- a parameter, in a custom and in a generic plan
PREPARE since(timestamptz) AS SELECT count(*) FROM event WHERE id >= $1;
SET plan_cache_mode = force_custom_plan;
SELECT plan_nodes($$EXECUTE since('2024-12-31 00:00:00+00')$$);
EXECUTE since('2024-12-31 00:00:00+00');
SET plan_cache_mode = force_generic_plan;
SELECT plan_nodes($$EXECUTE since('2024-12-31 00:00:00+00')$$);
SELECT t, outcome(format('EXECUTE since(%L)', t))
FROM unnest('{2024-12-31 00:00:00+00,infinity,-infinity}'::timestamptz[]) AS t;
RESET plan_cache_mode; DEALLOCATE since;

-- the instant from a different table: a parameterised nested loop
CREATE TABLE day (d timestamptz);
INSERT INTO day VALUES ('2024-01-01 00:00:00+00'), ('2024-07-01 00:00:00+00'), ('2024-12-31 00:00:00+00'),
                       ('2025-01-01 00:00:00+00');
ANALYZE day;
SELECT plan_nodes($$SELECT * FROM day JOIN event ON id >= d AND id < d + interval '1 day'$$);
SELECT d, count(*) FROM day JOIN event ON id >= d AND id < d + interval '1 day' GROUP BY d ORDER BY d;
DROP TABLE day;

-- an array is a filter only
SELECT plan_nodes($$SELECT id FROM event
  WHERE id >= ANY (ARRAY[timestamptz '2024-12-31 23:30:00+00', timestamptz '2024-12-31 23:00:00+00'])$$) AS node;
SELECT count(*) FROM event
WHERE id >= ANY (ARRAY[timestamptz '2024-12-31 23:30:00+00', timestamptz '2024-12-31 23:00:00+00']);
RESET enable_seqscan; RESET enable_bitmapscan;

-- a partial index is used if the condition implies its predicate
CREATE TABLE partly (LIKE event);
INSERT INTO partly TABLE event;
CREATE INDEX partly_recent ON partly (what) WHERE id >= timestamptz '2024-12-01 00:00:00+00'; ANALYZE partly;
SELECT plan_nodes(format($$SELECT * FROM partly WHERE id >= timestamptz %L AND what = 'w52700'$$, t))
FROM unnest('{2024-12-31 00:00:00+00,2024-11-30 00:00:00+00}'::text[]) AS t;
DROP TABLE partly;

DROP TABLE event;
