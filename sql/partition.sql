--
-- Partitions: by range of time, by hash, by list.
--
\t on
\set VERBOSITY terse
SET timezone = 'UTC'; SET max_parallel_workers_per_gather = 0;

-- months, whose bounds are the smallest ids of their first seconds
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text) PARTITION BY RANGE (id);
CREATE TABLE event_2024_01 PARTITION OF event
  FOR VALUES FROM (objectid_from_time('2024-01-01')) TO (objectid_from_time('2024-02-01'));
CREATE TABLE event_2024_02 PARTITION OF event
  FOR VALUES FROM (objectid_from_time('2024-02-01')) TO (objectid_from_time('2024-03-01'));
CREATE TABLE event_2024_03 PARTITION OF event
  FOR VALUES FROM (objectid_from_time('2024-03-01')) TO (objectid_from_time('2024-04-01'));
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '1 hour'), 'w' || n
FROM generate_series(0, 2183) AS n;
SELECT tableoid::regclass, count(*), min(objectid_time(id)), max(objectid_time(id))
FROM event GROUP BY tableoid ORDER BY tableoid::regclass::text;
INSERT INTO event VALUES (objectid_from_time('2024-02-01')), ('65badf7fffffffffffffffff') RETURNING tableoid::regclass;
INSERT INTO event VALUES (gen_objectid('2024-04-01'));
CREATE TABLE event_rest PARTITION OF event DEFAULT;
INSERT INTO event VALUES (gen_objectid('2024-04-01')) RETURNING tableoid::regclass;
INSERT INTO event (what) VALUES ('now') RETURNING tableoid::regclass;
ANALYZE event;

-- pruning at plan time: by id, by boundary, by instant
CREATE FUNCTION scanned(query text) RETURNS text LANGUAGE sql AS
  $$SELECT string_agg(DISTINCT substring(node FROM 'on (event_\w+)'), ' ') FROM plan_nodes(query) AS node
    WHERE node ~ 'Scan.* on event_'$$;
SELECT scanned('SELECT count(*) FROM event, (SELECT true AS active OFFSET 0) AS a WHERE ' || condition)
FROM unnest(ARRAY[$$id = '65badf7fffffffffffffffff'$$,
  $$id >= objectid_from_time('2024-02-10') AND id < objectid_from_time('2024-02-11')$$,
  $$id >= timestamptz '2024-02-10' AND id < timestamptz '2024-02-11'$$,
  $$id BETWEEN timestamptz '2024-01-31' AND timestamptz '2024-02-11'$$,
  $$timestamptz '2024-02-01' <= id AND timestamptz '2024-03-01' > id$$,
  -- by a period, also if the query groups by sets of columns
  $$id <@ tstzrange('2024-02-10', '2024-02-11')$$,
  $$id <@ tstzrange('2024-02-10', '2024-02-11') GROUP BY ROLLUP (active)$$,
  $$id <@ tstzrange('2024-02-10', '2024-02-11') GROUP BY ROLLUP (what) ORDER BY what IS NULL$$]) AS condition;
SELECT count(*) FROM event WHERE timestamptz '2024-02-01' <= id AND timestamptz '2024-03-01' > id;

-- at run time: stable expressions, parameters of generic plans, a nested loop
CREATE FUNCTION pruned(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  line text;
  result text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
    IF line ~ 'Scan.* on event_' AND line !~ 'never executed' THEN
      result := concat_ws(' ', result, substring(line FROM 'on (event_\w+)'));
    ELSIF line ~ 'Subplans Removed' THEN
      result := concat_ws(' ', 'removed: ' || substring(line FROM '\d+'), result);
    END IF;
  END LOOP;
  RETURN result;
END$$;
SET plan_cache_mode = force_generic_plan;
PREPARE between_instants(timestamptz, timestamptz) AS SELECT * FROM event WHERE id >= $1 AND id < $2;
SELECT pruned(query) FROM unnest(ARRAY[$$EXECUTE between_instants('2024-02-10', '2024-02-11')$$,
  $$EXECUTE between_instants('2024-01-10', '2024-02-01 00:00:00.5')$$,
  $$EXECUTE between_instants('2024-01-10', '2024-02-01')$$,
  'SELECT * FROM event WHERE id > current_date - 1']) AS query;
DEALLOCATE between_instants; RESET plan_cache_mode;
CREATE TABLE day (d timestamptz);
INSERT INTO day VALUES ('2024-02-10');
ANALYZE day; SET enable_hashjoin = off; SET enable_mergejoin = off;
SELECT pruned($$SELECT * FROM day JOIN event ON id >= d AND id < d + interval '1 day'$$);
RESET enable_hashjoin; RESET enable_mergejoin;

-- moving a row, detaching, attaching
UPDATE event SET id = gen_objectid('2024-03-15')
WHERE id = '65badf7fffffffffffffffff' RETURNING tableoid::regclass, objectid_time(id);
ALTER TABLE event DETACH PARTITION event_2024_01;
SELECT count(*) FROM event WHERE id < timestamptz '2024-02-01';
ALTER TABLE event ATTACH PARTITION event_2024_01
  FOR VALUES FROM (objectid_from_time('2024-01-02')) TO (objectid_from_time('2024-02-01'));
-- a constraint on the time avoids the scan of the attached table
ALTER TABLE event_2024_01 ADD CHECK (id >= timestamptz '2024-01-01 00:00:00+00'
                                     AND id < timestamptz '2024-02-01 00:00:00+00'), ALTER id SET NOT NULL;
SET client_min_messages = debug1;
ALTER TABLE event ATTACH PARTITION event_2024_01
  FOR VALUES FROM (objectid_from_time('2024-01-01')) TO (objectid_from_time('2024-02-01'));
RESET client_min_messages;
SELECT count(*) FROM event WHERE id < timestamptz '2024-02-01';

DROP TABLE event, day; DROP FUNCTION scanned, pruned;

-- list (for hash, see hash.sql)
CREATE TABLE l (tenant objectid) PARTITION BY LIST (tenant);
CREATE TABLE l_one PARTITION OF l FOR VALUES IN ('507f1f77bcf86cd799439011', 'ObjectId("507f1f77bcf86cd799439012")');
CREATE TABLE l_null PARTITION OF l FOR VALUES IN (NULL);
INSERT INTO l VALUES ('507f1f77bcf86cd799439012'), (NULL) RETURNING tableoid::regclass, tenant;
INSERT INTO l VALUES ('507f1f77bcf86cd799439013');
CREATE TABLE l_two PARTITION OF l FOR VALUES IN ('507F1F77BCF86CD799439011');
SELECT plan_nodes($$SELECT * FROM l WHERE tenant = '507f1f77bcf86cd799439011'$$) AS node LIMIT 1;
DROP TABLE l;
