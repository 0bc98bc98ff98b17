--
-- id <@ tstzrange: the result of objectid_time(id) <@ range, with the index
--
\t on
SET timezone = 'UTC';
-- all kinds of bounds, at and around the ends of the range of the type, as operator and as function
-- call
CREATE TABLE sample AS
SELECT objectid_from_time(t) AS id FROM unnest('{1970-01-01,1970-01-01 00:00:01,2024-05-05 04:59:59,2024-05-05 05:00,
  2024-05-05 05:00:01,2106-02-07 06:28:14,2106-02-07 06:28:15}'::timestamptz[]) AS t
UNION ALL SELECT unnest('{0000000000000000000000ff,6637124fffffffffffffffff,66371250ffffffffffffffff,
  ffffffff0000000000000000,fffffffffffffffffffffffe,ffffffffffffffffffffffff,NULL}'::objectid[]);
CREATE TABLE period AS
WITH edge AS (SELECT unnest('{-infinity,1969-12-31 23:59:59,1969-12-31 23:59:59.999999,1970-01-01,
  1970-01-01 00:00:00.000001,2024-05-05 05:00,2024-05-05 05:00:00.5,2024-05-05 05:00:01,2106-02-07 06:28:15,
  2106-02-07 06:28:15.999999,2106-02-07 06:28:16,2200-01-01,infinity,NULL}'::timestamptz[]) AS t)
SELECT tstzrange(a.t, b.t, bounds) AS period FROM edge AS a, edge AS b, unnest('{[],[),(],()}'::text[]) AS bounds
WHERE a.t <= b.t OR a.t IS NULL OR b.t IS NULL
UNION ALL SELECT 'empty' UNION ALL SELECT NULL;
SELECT count(*) AS compared, count(objectid_time(id) <@ period) AS known,
       count(*) FILTER (WHERE objectid_time(id) <@ period) AS inside FROM sample, period;
SELECT id, period FROM sample, period
WHERE (id <@ period) IS DISTINCT FROM (objectid_time(id) <@ period)
   OR objectid_contained_by_period(id, period) IS DISTINCT FROM (objectid_time(id) <@ period)
   OR (NOT id <@ period) IS DISTINCT FROM (NOT objectid_time(id) <@ period)
   -- not simplified: ANY over an array
   OR (id <@ ANY (ARRAY[period])) IS DISTINCT FROM (objectid_time(id) <@ period);
-- constants (from 17 on, core finds NULL to be in '(,)' and not in 'empty')
DO $$
DECLARE
  p tstzrange;
BEGIN
  FOR p IN TABLE period LOOP
    EXECUTE format('SELECT 1 / (count(*) = 0)::integer FROM sample WHERE id IS NOT NULL
      AND (id <@ %L::tstzrange) IS DISTINCT FROM (objectid_time(id) <@ %1$L::tstzrange)', p);
  END LOOP;
END$$;
-- the bounds, and those of periods without ids
SELECT p AS period, objectid_first_in(p) AS first, objectid_last_in(p) AS last
FROM unnest('{"[2024-05-05 05:00,2024-05-05 05:01)","(2024-05-05 05:00,2024-05-05 05:01]",
              "(,)","empty","(,1960-01-01)","[2200-01-01,)"}'::tstzrange[]) AS p;

-- an untyped literal is a range next to an id, and unchanged next to a range: there is no "range @> id"
SELECT '66371250ffffffffffffffff'::objectid <@ '[2024-05-05 05:00,2024-05-05 05:01)' AS inside,
       tstzrange('2024-01-01', '2025-01-01') @> '[2024-02-01,2024-03-01)' AS inside,
       '[2024-02-01,2024-03-01)' <@ tstzrange('2024-01-01', '2025-01-01') AS inside;

-- the index
SET max_parallel_workers_per_gather = 0;
CREATE TABLE event (id objectid PRIMARY KEY, n integer);
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '10 minutes'), n
FROM generate_series(0, 52703) AS n;
VACUUM ANALYZE event;
SELECT count(*) FROM event WHERE id <@ tstzrange('2024-03-01', '2024-03-01 01:00', '(]');
-- a constant that is open at an end has one bound, and its negation has one condition
SELECT plan_nodes('SELECT id FROM event WHERE ' || condition)
FROM unnest(ARRAY[$$id <@ tstzrange('2024-03-01', '2024-03-01 01:00')$$, 'id <@ tstzrange(now(), NULL)',
  $$id <@ '[2024-12-31,)'$$, $$id <@ '(,2024-01-02)'$$, $$NOT id <@ '[2024-01-02,)'$$, $$id <@ '(,)'$$,
  -- no row is in an empty period, or in one without ids; a null stays unknown
  $$id <@ 'empty'$$, $$id <@ '[2200-01-01,)'$$,
  -- a volatile period is evaluated for each row, so it is not an index condition
  'id <@ tstzrange(clock_timestamp(), NULL)', $$gen_objectid() <@ tstzrange('2024-01-01', NULL)$$,
  -- an expression of the id is evaluated once, whatever it costs
  $$greatest(id, id) <@ tstzrange('2024-01-01', '2024-01-02')$$, 'greatest(id, id) <@ tstzrange(now(), NULL)'])
  AS condition;
SELECT id, id <@ 'empty' AS inside FROM sample WHERE id IS NULL OR id < '010000000000000000000000' ORDER BY id;
-- the functions of the operators; and an index that knows no order
SET enable_seqscan = off;
SELECT plan_nodes($$SELECT id FROM event WHERE objectid_contained_by_period(id, tstzrange(now(), NULL))$$);
CREATE TABLE hashed AS SELECT id FROM event LIMIT 100;
CREATE INDEX ON hashed USING hash (id);
SELECT plan_nodes($$SELECT id FROM hashed WHERE id <@ tstzrange(now(), NULL)$$);
DROP TABLE hashed; RESET enable_seqscan;
-- a parameter of a generic plan
PREPARE during(tstzrange) AS SELECT count(*) FROM event WHERE id <@ $1;
SET plan_cache_mode = force_generic_plan;
SELECT plan_nodes($$EXECUTE during('[2024-03-01,2024-03-02)')$$);
SELECT p, outcome(format('EXECUTE during(%L)', p))
FROM unnest('{"[2024-03-01,2024-03-02)",empty,NULL,"(,)"}'::tstzrange[]) AS p;
RESET plan_cache_mode; DEALLOCATE during;
-- a table of periods: a nested loop with the index
CREATE TABLE shift (name text, during tstzrange);
INSERT INTO shift VALUES ('day', '[2024-03-01 06:00,2024-03-01 18:00)'),
  ('night', '[2024-03-01 18:00,2024-03-02 06:00)'), ('none', 'empty'), ('unknown', NULL), ('always', '(,)');
ANALYZE shift;
SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_material = off; SET enable_memoize = off;
SELECT plan_nodes($$SELECT * FROM shift JOIN event AS e ON e.id <@ shift.during$$);
-- the costs are those of a window of 0.005 of the table, or of the same two bounds
SELECT (inner_node->>'Total Cost')::float8 / (top_node($$SELECT * FROM event
  WHERE id <@ tstzrange('2024-03-01', '2024-03-02 20:00')$$)->>'Total Cost')::float8 BETWEEN 0.5 AND 2 AS as_a_window
FROM (SELECT top_node($$SELECT * FROM shift JOIN event AS e ON e.id <@ shift.during$$)->'Plans'->1) AS p(inner_node);
SELECT period, bounds
FROM (VALUES ('id <@ tstzrange(now() - interval ''1000 years'', timestamptz ''2024-05-06'')',
              'id >= now() - interval ''1000 years'' AND id < timestamptz ''2024-05-06'''),
             ('id <@ tstzrange(timestamptz ''2024-05-05'', timestamptz ''2024-05-06'' + (now() - now()))',
              'id >= timestamptz ''2024-05-05'' AND id < timestamptz ''2024-05-06''')) AS c(period, bounds)
WHERE (top_node('SELECT * FROM event WHERE ' || period)->>'Total Cost')::float8
    / (top_node('SELECT * FROM event WHERE ' || bounds)->>'Total Cost')::float8 NOT BETWEEN 0.8 AND 1.2;
RESET enable_seqscan; RESET enable_bitmapscan; RESET enable_material; RESET enable_memoize;
SELECT name, count(e.id) FROM shift LEFT JOIN event AS e ON e.id <@ shift.during GROUP BY name ORDER BY name;
-- a subquery is an index condition
SELECT regexp_replace(plan_nodes($$SELECT id FROM event WHERE id <@ (SELECT during FROM shift WHERE name = 'day')$$),
                      '\$0|\(InitPlan \w+\).col1', 'initplan', 'g') AS plan_nodes;
SELECT count(*) FROM event WHERE id <@ (SELECT during FROM shift WHERE name = 'day')
   OR (SELECT min(id) FROM event) <@ (SELECT during FROM shift WHERE name = 'none');
-- both are evaluated once for each of 14 rows, or for each of 70 pairs of rows
CREATE SEQUENCE calls;
CREATE FUNCTION counted(tstzrange) RETURNS tstzrange LANGUAGE plpgsql AS
  $$BEGIN PERFORM nextval('calls'); RETURN $1; END$$;
CREATE INDEX sample_id ON sample (id); SET enable_seqscan = off; SET enable_memoize = off;
SELECT count(*), currval('calls') AS calls FROM sample WHERE id <@ counted('[2024-05-05 05:00,2024-05-05 05:01)');
SELECT count(*), currval('calls') AS calls FROM sample AS s
WHERE id <@ (SELECT counted('[2024-05-05 05:00,2024-05-05 05:01)')
             WHERE s.id >= '000000000000000000000000' OR s.id IS NULL);
SELECT count(*), currval('calls') AS calls
FROM shift AS o JOIN sample ON id <@ (SELECT counted(i.during) FROM shift AS i WHERE i.name = o.name);
RESET enable_seqscan; RESET enable_memoize;
-- and an id of an implicit cast for each of 14 rows
CREATE TYPE boxed AS (id objectid);
CREATE FUNCTION unboxed(boxed) RETURNS objectid LANGUAGE plpgsql AS
  $$BEGIN PERFORM nextval('calls'); RETURN $1.id; END$$;
CREATE CAST (boxed AS objectid) WITH FUNCTION unboxed AS IMPLICIT;
SELECT count(*), currval('calls') AS calls FROM (SELECT ROW(id)::boxed AS id FROM sample OFFSET 0) AS b
WHERE objectid_contained_by_period(id, '[2024-05-05 05:00,2024-05-05 05:01)');
DROP CAST (boxed AS objectid); DROP FUNCTION unboxed; DROP TYPE boxed; DROP FUNCTION counted;
DROP SEQUENCE calls; DROP INDEX sample_id;
-- bounds take the place of a period in a filter, too, but not beside an outer column or an expression
SELECT plan_nodes($$SELECT id FROM (SELECT id FROM event OFFSET 0) AS e WHERE id <@ tstzrange(now(), NULL)$$);
SELECT plan_nodes($$SELECT (SELECT count(*) FROM shift WHERE e.id <@ tstzrange(now(), NULL)) FROM event AS e$$);

-- an index of the periods: constants, parameters and joins from either side
CREATE TABLE booking (room integer, during tstzrange, EXCLUDE USING gist (during WITH &&));
INSERT INTO booking SELECT n, tstzrange(t, t + interval '30 minutes')
FROM generate_series(1, 10000) AS n, LATERAL (SELECT timestamptz '2024-01-01' + n * interval '30 minutes') AS i(t);
CREATE INDEX booking_spgist ON booking USING spgist (during);
CREATE INDEX booking_btree ON booking USING btree (during); VACUUM ANALYZE booking;
SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_memoize = off;
PREPARE at_id(objectid) AS SELECT room FROM booking WHERE $1 <@ during;
SET plan_cache_mode = force_generic_plan;
SELECT plan_nodes(query) FROM unnest(ARRAY[
  $$SELECT room FROM booking WHERE objectid '65e11cd80000000000000000' <@ during$$,
  $$EXECUTE at_id('65e11cd80000000000000000')$$,
  'SELECT room FROM booking WHERE objectid_from_time(now()) <@ during',
  $$SELECT e.n, b.room FROM event AS e JOIN booking AS b ON e.id <@ b.during WHERE e.id < timestamptz '2024-01-02'$$,
  'SELECT e.n, b.room FROM booking AS b JOIN event AS e ON e.id <@ b.during WHERE b.room = 1',
  'SELECT n, (SELECT room FROM booking AS b WHERE e.id <@ b.during) FROM event AS e',
  'SELECT n FROM event AS e WHERE NOT EXISTS (SELECT FROM booking AS b WHERE e.id <@ b.during)']) AS query;
RESET plan_cache_mode; DEALLOCATE at_id;
SELECT room, estimate($$SELECT room FROM booking WHERE objectid '65e11cd80000000000000000' <@ during$$)
           = estimate($$SELECT room FROM booking WHERE during @> timestamptz '2024-03-01 00:10'$$) AS estimated_alike
FROM booking WHERE objectid_from_time('2024-03-01 00:10') <@ during;
SELECT count(*), count(b.room), sum(b.room) FROM event AS e LEFT JOIN booking AS b ON e.id <@ b.during
UNION ALL
SELECT count(*), count(b.room), sum(b.room) FROM event AS e LEFT JOIN booking AS b ON b.during @> objectid_time(e.id);
-- under a policy, too: the operators are leakproof
ALTER TABLE booking ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON booking USING (abs(room) % 2 = 0);
CREATE ROLE regress_objectid_guest; GRANT SELECT ON booking TO regress_objectid_guest;
SET ROLE regress_objectid_guest;
SELECT plan_nodes($$SELECT room FROM booking WHERE objectid '65e11cd80000000000000000' <@ during$$);
RESET ROLE; RESET enable_seqscan; RESET enable_bitmapscan; RESET enable_memoize;
DROP TABLE booking; DROP ROLE regress_objectid_guest;
SELECT gen_objectid() <@ tstzrange(now() - interval '1 minute', NULL) AS now;
DROP TABLE event, shift, sample, period;
