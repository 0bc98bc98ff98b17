--
-- Row estimates: a condition on the id gets the same estimate as one on created_at.  "$" in a
-- condition stands for the column.  Each query prints the conditions whose estimates differ by more
-- than a factor, allowing one row for rounding.
--
SET timezone = 'UTC';
CREATE FUNCTION unlike(tables text, condition text, factor float8)
RETURNS TABLE (query text, by_id float8, by_created_at float8) LANGUAGE sql AS $$
  SELECT q, i, c
  FROM (SELECT 'SELECT * FROM ' || tables || ' WHERE ' || condition) AS query(q),
       LATERAL (SELECT estimate(replace(q, '$', 'id')), estimate(replace(q, '$', 'created_at')) OFFSET 0) AS e(i, c)
  WHERE i NOT BETWEEN c / factor - 1 AND c * factor + 1 $$;

-- a year of rows, one every 30 seconds
CREATE TABLE event (id objectid PRIMARY KEY, created_at timestamptz, kind integer);
INSERT INTO event
SELECT gen_objectid(t), t, n % 3 FROM generate_series(1, 1051200) AS n,
  LATERAL (SELECT timestamptz '2023-01-01' + n * interval '30 seconds') AS i(t);
CREATE INDEX ON event (created_at);
-- not analysed yet
SELECT unlike('event', '$ >= timestamptz ''2023-05-05'' AND $ < timestamptz ''2023-05-06''', 1.01);
SELECT unlike('event', '$ >= timestamptz ''2023-05-05''', 1.01);
ANALYZE event;

-- windows of ten minutes to a month, in five places, written in all ways
CREATE TABLE place AS SELECT t, t + w AS u, w
FROM unnest('{2023-01-01,2023-02-28 23:55,2023-05-05 05:05:05.5,2023-08-31,2023-11-30 12:00}'::timestamptz[]) AS t,
     unnest('{10 minutes,1 hour,6 hours,1 day,7 days,1 month}'::interval[]) AS w;
SELECT u.* FROM place, unnest(ARRAY[
  '$ >= timestamptz %1$L AND $ < timestamptz %2$L',
  '$ < timestamptz %2$L AND $ > timestamptz %1$L',
  '$ BETWEEN timestamptz %1$L AND timestamptz %2$L',
  '$ BETWEEN timestamptz %1$L AND timestamptz %1$L + %3$L::interval',
  'timestamptz %1$L <= $ AND timestamptz %2$L > $',
  '$ NOT BETWEEN timestamptz %1$L AND timestamptz %2$L',
  'NOT ($ >= timestamptz %1$L AND $ < timestamptz %2$L)',
  '($ >= timestamptz %1$L AND $ < timestamptz %2$L) IS TRUE',
  '($ > timestamptz %2$L) IS FALSE AND $ > timestamptz %1$L',
  '$ < timestamptz %2$L AND $ > timestamptz %1$L AND ($ > timestamptz %1$L) IS TRUE',
  '$ > timestamptz %1$L AND kind = 1 AND $ <= timestamptz %2$L',
  -- several bounds of the same kind: the tightest counts
  '$ > timestamptz ''2023-01-01'' AND $ > timestamptz %1$L AND $ < timestamptz %2$L',
  '$ < timestamptz %2$L AND $ >= timestamptz %1$L AND $ < timestamptz ''2023-12-31''
    AND $ >= timestamptz ''-infinity''',
  '$ > timestamptz %1$L AND $ < timestamptz %2$L AND $ > timestamptz %1$L AND $ < timestamptz %2$L',
  '$ > timestamptz %1$L - interval ''9 days'' AND $ < timestamptz %2$L + interval ''9 days''
    AND $ > timestamptz %1$L AND $ < timestamptz %2$L',
  -- each arm of an OR has a list of its own
  '($ >= timestamptz %1$L AND $ < timestamptz %2$L)
    OR ($ >= timestamptz ''2023-10-01'' AND $ < timestamptz ''2023-10-02'')',
  '($ >= timestamptz %1$L AND $ < timestamptz %2$L AND kind = 1)
    OR ($ BETWEEN timestamptz ''2023-10-01'' AND timestamptz ''2023-10-02'' AND kind = 2)',
  '$ > timestamptz %1$L AND ($ < timestamptz %2$L OR kind = 5)'
]) AS condition, LATERAL unlike('event', format(condition, t, u, w), 1.5) AS u;
-- the estimates are also close to the number of rows
SELECT * FROM (SELECT t, w, extract(epoch FROM w) / 30 AS truth,
                      estimate(format('SELECT * FROM event WHERE id >= timestamptz %L AND id < timestamptz %L', t, u))
                        AS estimate
               FROM place WHERE t > '2023-01-01' AND w <> interval '1 month') AS e
WHERE estimate NOT BETWEEN truth / 1.5 AND truth * 1.5;

-- one-sided: before the first row, within the first bin and others, after the last row
SELECT u.* FROM unnest('{<,<=,>=,>}'::text[]) AS op,
  unnest('{-infinity,1960-01-01,2023-01-01,2023-01-01 00:00:30,2023-01-01 05:00,2023-03-04,2023-12-31,2024-01-01,
    2024-02-01,infinity}'::timestamptz[]) AS t,
  unnest(ARRAY['$ %1$s timestamptz %2$L', 'timestamptz %2$L %1$s $']) AS condition,
  LATERAL unlike('event', format(condition, op, t), 1.5) AS u;

-- HAVING, and now()
SELECT unlike('(SELECT n, max($) AS m FROM (SELECT $, row_number() OVER () / 2 AS n FROM event OFFSET 0) AS e
  GROUP BY n HAVING max($) > timestamptz ''2023-05-05'' AND max($) < timestamptz ''2023-05-06'') AS e', 'true', 1.5);
SELECT u.* FROM unnest(ARRAY['max(id) <= %1$L AND max(id) > %2$L', '%1$L >= max(id) AND max(id) > %2$L',
  'max(id) = %1$L AND max(id) > %2$L', 'max(id) > %2$L AND max(id) > %2$L']) AS condition, LATERAL (
  SELECT estimate(format('SELECT n, max(id) FROM (SELECT id, row_number() OVER () / 2 AS n FROM event OFFSET 0) AS e
    GROUP BY n HAVING ' || condition, objectid_from_time('2023-05-06'), objectid_from_time('2023-05-05'))),
         estimate(replace(format('SELECT n, max(id) FROM (SELECT created_at, row_number() OVER () / 2 AS n
           FROM event OFFSET 0) AS e GROUP BY n HAVING ' || condition, '2023-05-06', '2023-05-05'),
                          '(id', '(created_at'))) AS u(by_id, by_created_at)
WHERE by_id NOT BETWEEN by_created_at / 1.01 - 1 AND by_created_at * 1.01 + 1;
SELECT unlike('event', '$ > now() - interval ''100 years'' AND $ < now() - interval ''50 years''', 1.5);
-- a volatile bound is not part of a window
SELECT unlike('event', '$ > clock_timestamp() - interval ''100 years'' AND $ < timestamptz ''2023-02-03''', 1.5);
SELECT unlike('event', '$ < timestamptz ''2023-02-03'' AND $ > clock_timestamp() - interval ''100 years''', 1.5);
-- both ends in join conditions of different tables, and in an OR from which a restriction is derived
SELECT unlike('event AS e JOIN place ON e.$ >= t AND e.$ < u', 'w = ''1 day''', 1.5);
SELECT unlike('event AS e CROSS JOIN (VALUES (1), (2)) AS v (x)',
  '(e.$ BETWEEN timestamptz ''2023-05-05'' AND timestamptz ''2023-05-06'' AND x = 1)
    OR (e.$ BETWEEN timestamptz ''2023-06-05'' AND timestamptz ''2023-06-06'' AND x = 2)', 1.5);

-- a partial index: the planner estimates the predicate in place of a condition that it implies
CREATE TABLE part AS SELECT id, created_at, (n % 50)::integer AS kind
FROM (SELECT *, row_number() OVER () AS n FROM event WHERE id < timestamptz '2023-03-01') AS e;
CREATE INDEX part_id ON part (kind) WHERE id >= timestamptz '2023-02-01';
CREATE INDEX part_created_at ON part (kind) WHERE created_at >= timestamptz '2023-02-01';
CREATE INDEX part_id_key ON part (id) WHERE id >= timestamptz '2023-02-10';
CREATE INDEX part_created_at_key ON part (created_at) WHERE created_at >= timestamptz '2023-02-10';
CREATE INDEX part_id_include ON part (kind) INCLUDE (id) WHERE id >= timestamptz '2023-02-20';
CREATE INDEX part_created_at_include ON part (kind) INCLUDE (created_at) WHERE created_at >= timestamptz '2023-02-20';
CREATE INDEX part_id_window ON part (kind) WHERE id >= timestamptz '2023-01-10' AND id < timestamptz '2023-01-12';
CREATE INDEX part_created_at_window ON part (kind)
  WHERE created_at >= timestamptz '2023-01-10' AND created_at < timestamptz '2023-01-12';
ANALYZE part;
CREATE FUNCTION cost(query text) RETURNS float8 LANGUAGE sql AS $$SELECT (top_node(query)->>'Total Cost')::float8$$;
SELECT condition, cost(replace(q, '$', 'id')), cost(replace(q, '$', 'created_at'))
FROM unnest(ARRAY['$ >= timestamptz ''2023-02-01'' AND $ < timestamptz ''2023-02-02'' AND kind = 7',
                  '$ < timestamptz ''2023-02-02'' AND $ >= timestamptz ''2023-02-01'' AND kind = 7',
                  '$ < timestamptz ''2023-02-02'' AND $ >= timestamptz ''2023-02-01''',
                  '$ < timestamptz ''2023-02-11'' AND $ >= timestamptz ''2023-02-10'' AND kind = 7',
                  '$ >= timestamptz ''2023-02-10'' AND $ < timestamptz ''2023-02-11''',
                  '$ < timestamptz ''2023-02-10 01:00'' AND $ >= timestamptz ''2023-02-10''',
                  '$ < timestamptz ''2023-02-20'' AND $ >= timestamptz ''2023-02-15''',
                  '$ < timestamptz ''2023-02-20 01:00'' AND $ >= timestamptz ''2023-02-20'' AND kind = 7',
                  '$ >= timestamptz ''2023-01-10'' AND $ < timestamptz ''2023-01-12'' AND kind = 7',
                  '$ >= timestamptz ''2023-01-10 12:00'' AND $ < timestamptz ''2023-01-11'' AND kind = 7'])
     AS condition,
     LATERAL (VALUES ('SELECT * FROM part WHERE ' || condition)) AS query(q)
WHERE cost(replace(q, '$', 'id'))
  NOT BETWEEN cost(replace(q, '$', 'created_at')) / 1.2 AND cost(replace(q, '$', 'created_at')) * 1.2;
DROP TABLE part;
-- an index condition that core derives from a row comparison
SELECT cost(format('SELECT * FROM event WHERE (id, kind) > (%L, 1) AND id < %L',
                   objectid_from_time('2023-06-01'), objectid_from_time('2023-06-02')))
     / cost('SELECT * FROM event WHERE (created_at, kind) > (timestamptz ''2023-06-01'', 1)
       AND created_at < timestamptz ''2023-06-02''') BETWEEN 0.8 AND 1.2 AS alike;
DROP FUNCTION cost;

-- conditions of different joins do not form a window
CREATE TABLE many AS SELECT n % 3 AS kind FROM generate_series(1, 600) AS n;
ANALYZE many;
SELECT unlike('event LEFT JOIN many AS a ON event.kind = a.kind AND $ >= timestamptz ''2023-06-01''
  LEFT JOIN many AS b ON event.kind = b.kind AND $ < timestamptz ''2023-06-01''', 'true', 1.5);
SELECT unlike('event LEFT JOIN many AS a ON event.kind = a.kind AND $ >= timestamptz ''2023-06-01''
  AND $ < timestamptz ''2023-06-03''', 'true', 1.5);
SELECT unlike('event LEFT JOIN many AS a ON event.kind = a.kind AND $ >= timestamptz ''2023-11-01''
  AND $ >= timestamptz ''2023-11-01''', 'true', 1.5);
DROP TABLE many;
-- copies of conditions for a child relation
CREATE TABLE parent (id objectid, created_at timestamptz, kind integer) PARTITION BY LIST (kind);
CREATE TABLE child_0 PARTITION OF parent FOR VALUES IN (0);
CREATE TABLE child_1 PARTITION OF parent FOR VALUES IN (1);
INSERT INTO parent SELECT id, created_at, kind FROM event WHERE kind < 2 AND created_at < '2023-03-01';
CREATE TABLE kinds (kind integer, n integer) PARTITION BY LIST (kind);
CREATE TABLE kinds_0 PARTITION OF kinds FOR VALUES IN (0);
CREATE TABLE kinds_1 PARTITION OF kinds FOR VALUES IN (1);
INSERT INTO kinds SELECT n % 2, n FROM generate_series(1, 2000) AS n;
-- an index whose predicate equals one of the conditions is not meant
CREATE INDEX ON parent (kind) WHERE id < timestamptz '2023-02-03';
ANALYZE parent, kinds;
SET enable_partitionwise_join = on;
SET max_parallel_workers_per_gather = 0;
SELECT unlike('parent LEFT JOIN kinds ON kinds.kind = parent.kind AND $ >= timestamptz ''2023-02-01''
  AND $ < timestamptz ''2023-02-03''', 'true', 1.5);
SELECT unlike('parent LEFT JOIN kinds ON kinds.kind = parent.kind AND $ >= timestamptz ''2023-02-01''
  AND $ < timestamptz ''2023-02-01''', 'true', 1.5);
SELECT unlike('parent LEFT JOIN kinds ON kinds.kind = parent.kind AND $ >= timestamptz ''2023-02-01''
  AND $ >= timestamptz ''2023-02-22''', 'true', 1.5);
RESET max_parallel_workers_per_gather;
RESET enable_partitionwise_join;
DROP TABLE parent, kinds;

-- not bounds: inequality, NULL, and conditions on a different column
SELECT estimate(format('SELECT * FROM event WHERE id <> %L AND id <> %L AND id > timestamptz ''2023-02-01''',
                       objectid_from_time('2023-01-01'), objectid_from_time('2023-02-03'))) > 900000 AS most;
SELECT unlike('(SELECT e.$, f.$ AS other FROM event AS e JOIN event AS f USING (kind)) AS e',
  '$ > timestamptz ''2023-05-05'' AND other < timestamptz ''2023-05-06'' AND $ < timestamptz ''2023-06-06''', 1.5);
SELECT unlike('(SELECT $, $ AS other FROM event OFFSET 0) AS e', '$ < other', 1.1);
SELECT unlike('event',
  '$ = ANY (SELECT $ FROM event LIMIT 1) AND $ > timestamptz ''2023-05-05'' AND $ < timestamptz ''2023-05-06''', 1.5);
SELECT unlike('event', '$ > nullif(now(), now()) AND $ < now()', 1.5);
SELECT unlike('event', '$ > nullif(now(), now()) AND $ > timestamptz ''2023-05-05''', 1.5);
SELECT unlike('event', '$ > timestamptz ''2023-05-05'' AND $ > nullif(now(), now())', 1.5);
-- bounds that contradict each other: never more rows than for one of them, where core expects 0.005
-- of the table
SELECT u.* FROM place, LATERAL (SELECT estimate(replace(c, '$', 'id')), estimate(replace(c, '$', 'created_at'))
  FROM format('SELECT * FROM event WHERE $ > timestamptz %2$L AND $ < timestamptz %1$L', t, u) AS query(c))
  AS u(by_id, by_created_at)
WHERE by_id > by_created_at;
SELECT estimate('SELECT * FROM event WHERE id > timestamptz ''2023-12-31 23:00'' AND id < timestamptz ''2023-05-01''')
         <= 200 AS few_rows,
       estimate('SELECT * FROM event WHERE id < timestamptz ''2023-01-01 01:00'' AND id > timestamptz ''2023-05-01''')
         <= 200 AS few_rows;
SELECT unlike('event', '$ > timestamptz ''2023-06-01'' AND $ < timestamptz ''2023-05-01''', 1.01);
-- NULL as a bound of either side: no rows
SELECT unlike('event', '$ < nullif(now(), now())', 1.01);
SELECT unlike('event', '$ < nullif(now(), now()) AND $ < timestamptz ''2023-05-05''', 1.01);
SELECT unlike('event',
  '$ < timestamptz ''2023-05-05'' AND $ <= nullif(now(), now()) AND $ < timestamptz ''2023-05-04''', 1.01);
-- a prefix operator beside a bound
CREATE FUNCTION is_first(objectid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS
  'BEGIN RETURN $1 = min(id) FROM event; END';
CREATE OPERATOR ### (RIGHTARG = objectid, FUNCTION = is_first, RESTRICT = objectid_ineqsel);
SELECT estimate('SELECT * FROM event WHERE ### id AND id < timestamptz ''2023-05-05''')
     / estimate('SELECT * FROM event WHERE id < timestamptz ''2023-05-05''') BETWEEN 0.3 AND 0.35 AS a_third;
DROP OPERATOR ### (NONE, objectid);
DROP FUNCTION is_first;
-- a second column with the same operator and bound, and copies of conditions of both
CREATE TABLE two (id objectid, other objectid, kind integer) PARTITION BY LIST (kind);
CREATE TABLE two_0 PARTITION OF two FOR VALUES IN (0);
CREATE TABLE two_1 PARTITION OF two FOR VALUES IN (1);
INSERT INTO two SELECT gen_objectid(t), gen_objectid(t + interval '100 days'), n % 2
FROM generate_series(1, 20000) AS n, LATERAL (SELECT timestamptz '2023-01-01' + n * interval '10 minutes') AS i(t);
ANALYZE two;
SELECT abs(estimate('SELECT * FROM two WHERE ' || other || ' AND id < timestamptz ''2023-05-05''')
         - estimate('SELECT * FROM two WHERE id < timestamptz ''2023-05-05''')
           * estimate('SELECT * FROM two WHERE ' || other) / 20000) < 20 AS independent
FROM unnest(ARRAY['other < timestamptz ''2023-05-05''',
                  format('objectid %L > other', objectid_from_time('2023-05-05'))]) AS other;
SET enable_partitionwise_join = on;
SELECT (top_node('SELECT * FROM two AS a LEFT JOIN two AS b ON a.kind = b.kind
  AND b.other > timestamptz ''2023-08-20'' AND b.id > timestamptz ''2023-05-19''
  AND b.id < timestamptz ''2023-05-19 00:20''')->>'Plan Rows')::float8 = 20000 AS no_row_of_b;
SELECT (top_node('SELECT * FROM two AS a LEFT JOIN two AS b ON a.kind = b.kind
  AND b.other > timestamptz ''2023-05-05'' AND b.id > timestamptz ''2023-05-05''')->>'Plan Rows')::float8
     / (top_node('SELECT * FROM two AS a LEFT JOIN two AS b ON a.kind = b.kind
       AND b.id > timestamptz ''2023-05-05''')->>'Plan Rows')::float8 BETWEEN 0.8 AND 1 AS as_one_column;
RESET enable_partitionwise_join;
DROP TABLE two;
-- many bounds: planning evaluates each as often as a bound of created_at
SELECT unlike('event', string_agg(format('$ > timestamptz ''2023-01-01'' + %s * interval ''1 minute'' ', n), ' AND ')
              || ' AND $ < timestamptz ''2023-01-02''', 1.5) FROM generate_series(1, 1000) AS n;
CREATE SEQUENCE calls;
CREATE FUNCTION counted(timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS
  'BEGIN PERFORM nextval(''calls''); RETURN $1; END';
CREATE FUNCTION calls(query text) RETURNS bigint LANGUAGE plpgsql AS
  'DECLARE n bigint := nextval(''calls''); BEGIN PERFORM estimate(query); RETURN nextval(''calls'') - n - 1; END';
SELECT tables, calls(replace(q, '$', 'id')) AS by_id, calls(replace(q, '$', 'created_at')) AS by_created_at
FROM unnest('{event WHERE ?,event WHERE (?) OR kind = 1,place LEFT JOIN event ON ?,
  event LEFT JOIN place ON extract(epoch FROM w) > kind AND ?}'::text[]) AS tables,
  LATERAL (SELECT 'SELECT * FROM ' || replace(tables, '?',
             string_agg(format('$ > counted(timestamptz ''2023-01-01'' + %s * interval ''1 minute'')', n), ' AND '))
           FROM generate_series(1, 20) AS n) AS query(q);
DROP FUNCTION counted, calls;
DROP SEQUENCE calls;
-- planning reads pages of the index only for a bound near an end of the histogram
CREATE FUNCTION pages_read(query text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  plan json;
  pages integer;
BEGIN
  -- the first planning also reads the catalogs
  FOR i IN 1..3 LOOP
    EXECUTE 'EXPLAIN (BUFFERS, FORMAT json) ' || query INTO plan;
    pages := least(pages, (plan->0->'Planning'->>'Shared Hit Blocks')::integer);
  END LOOP;
  RETURN pages;
END$$;
SELECT t, pages_read(format('SELECT * FROM event WHERE id < timestamptz %L', t)) > 0 AS reads
FROM unnest('{2022-12-31,2023-01-01 00:10,2023-01-06,2023-05-05,2023-12-10,2023-12-31 12:00,
  2024-01-05}'::timestamptz[]) AS t;
DROP FUNCTION pages_read;

-- comparisons of ids with ids, on either side
SELECT u.* FROM unnest('{<,<=,>=,>}'::text[]) AS op,
  unnest('{$ %1$s %2$L AND $ < %3$L,%2$L %1$s $ AND %3$L > $,%3$L > $ AND $ %1$s %2$L}'::text[]) AS condition, LATERAL (
  SELECT estimate(replace(format('SELECT * FROM event WHERE ' || condition,
                                 op, objectid_from_time('2023-05-05'), objectid_from_time('2023-06-05')), '$', 'id')),
         estimate(replace(format('SELECT * FROM event WHERE ' || condition, op, '2023-05-05', '2023-06-05'),
                          '$', 'created_at'))) AS u(by_id, by_created_at)
WHERE by_id NOT BETWEEN by_created_at / 1.01 AND by_created_at * 1.01;

-- parameters of a generic plan are unknown: a third for one side, 0.005 for a window
SET plan_cache_mode = force_generic_plan;
PREPARE id_window(timestamptz, timestamptz) AS SELECT * FROM event WHERE id >= $1 AND id < $2;
PREPARE created_at_window(timestamptz, timestamptz) AS SELECT * FROM event WHERE created_at >= $1 AND created_at < $2;
SELECT round((estimate(format('EXECUTE %s(now(), now())', name))
              / (SELECT reltuples FROM pg_class WHERE oid = 'event'::regclass))::numeric, 4) AS fraction
FROM unnest('{id_window,created_at_window}'::text[]) AS name;
PREPARE id_side(timestamptz) AS SELECT * FROM event WHERE id >= $1;
PREPARE created_at_side(timestamptz) AS SELECT * FROM event WHERE created_at >= $1;
SELECT round((estimate(format('EXECUTE %s(now())', name))
              / (SELECT reltuples FROM pg_class WHERE oid = 'event'::regclass))::numeric, 4) AS fraction
FROM unnest('{id_side,created_at_side}'::text[]) AS name;
PREPARE id_half(timestamptz) AS SELECT * FROM event WHERE id >= $1 AND id < timestamptz '2023-10-01';
PREPARE created_at_half(timestamptz) AS SELECT * FROM event WHERE created_at >= $1 AND created_at < '2023-10-01';
PREPARE id_end(timestamptz) AS SELECT * FROM event WHERE id >= timestamptz '2023-03-01' AND id < $1;
PREPARE created_at_end(timestamptz) AS SELECT * FROM event WHERE created_at >= '2023-03-01' AND created_at < $1;
SELECT estimate('EXECUTE id_half(now())') = estimate('EXECUTE created_at_half(now())') AS alike,
       estimate('EXECUTE id_end(now())') = estimate('EXECUTE created_at_end(now())') AS alike;
PREPARE id_hour(timestamptz) AS SELECT * FROM event WHERE id < timestamptz '2023-01-01 01:00' AND id >= $1;
PREPARE id_rest(timestamptz) AS SELECT * FROM event WHERE id > timestamptz '2023-12-31 23:00' AND id < $1;
SELECT estimate('EXECUTE id_rest(now())') <= 200 AS not_above_the_rest,
       estimate('EXECUTE id_hour(now())') <= 200 AS not_above_the_hour;
SET plan_cache_mode = force_custom_plan;
SELECT estimate(format('EXECUTE %s(%L, %L)', name, '2023-05-05', '2023-05-06')) BETWEEN 2000 AND 4000 AS a_day
FROM unnest('{id_window,created_at_window}'::text[]) AS name;
RESET plan_cache_mode;
DEALLOCATE ALL;

-- a role without access to the statistics of a column gets estimates from leakproof functions only,
-- as ours are
CREATE ROLE regress_objectid_reader;
GRANT SELECT ON event, place TO regress_objectid_reader;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON event USING (kind = 0);
SET ROLE regress_objectid_reader;
SELECT u.* FROM place, unlike('event', format('$ >= timestamptz %L AND $ < timestamptz %L', t, u), 1.5) AS u;
RESET ROLE;
BEGIN;
ALTER FUNCTION objectid_ge(objectid, objectid) NOT LEAKPROOF;
SET LOCAL ROLE regress_objectid_reader;
SELECT estimate('SELECT * FROM event WHERE id >= timestamptz ''2023-12-30''')
     / (SELECT reltuples FROM pg_class WHERE oid = 'event'::regclass) BETWEEN 0.16 AND 0.18 AS half_of_a_third;
ROLLBACK;
ALTER TABLE event DISABLE ROW LEVEL SECURITY;
DROP POLICY even ON event;
REVOKE ALL ON event, place FROM regress_objectid_reader;
DROP ROLE regress_objectid_reader;

-- the growing end: rows added after ANALYZE, 1 % and then half of the table
INSERT INTO event
SELECT gen_objectid(t), t, n % 3 FROM generate_series(1051201, 1061712) AS n,
  LATERAL (SELECT timestamptz '2023-01-01' + n * interval '30 seconds') AS i(t);
SELECT max(created_at) AS "end" FROM event \gset
SELECT u.* FROM unnest('{1 hour,6 hours,1 day,4 days,5 days}'::interval[]) AS w, unnest(ARRAY[
  '$ > timestamptz %1$L - %2$L::interval',
  'timestamptz %1$L - %2$L::interval <= $',
  '$ > timestamptz %1$L - %2$L::interval AND $ < timestamptz %1$L',
  '$ > timestamptz %1$L - %2$L::interval - interval ''1 hour'' AND $ < timestamptz %1$L - %2$L::interval'])
  AS condition,
  LATERAL unlike('event', format(condition, :'end', w), 1.5) AS u;
SELECT estimate(format('SELECT * FROM event WHERE id > timestamptz %L - interval ''1 hour''', :'end'))
         BETWEEN 40 AND 360 AS last_hour;
INSERT INTO event
SELECT gen_objectid(t), t, n % 3 FROM generate_series(1061713, 1576800) AS n,
  LATERAL (SELECT timestamptz '2023-01-01' + n * interval '30 seconds') AS i(t);
SELECT max(created_at) AS "end" FROM event \gset
SELECT u.* FROM unnest('{1 hour,6 hours,1 day,30 days,190 days}'::interval[]) AS w, unnest(ARRAY[
  '$ > timestamptz %1$L - %2$L::interval',
  '$ > timestamptz %1$L - %2$L::interval AND $ < timestamptz %1$L',
  '$ > timestamptz %1$L - %2$L::interval AND $ < timestamptz %1$L - %2$L::interval / 2']) AS condition,
  LATERAL unlike('event', format(condition, :'end', w), 1.5) AS u;
-- rows added at the beginning after ANALYZE
INSERT INTO event
SELECT gen_objectid(t), t, n % 3 FROM generate_series(1, 50000) AS n,
  LATERAL (SELECT timestamptz '2023-01-01' - n * interval '30 seconds') AS i(t);
SELECT u.* FROM unnest('{2022-12-14,2022-12-15,2022-12-25,2023-01-01,2023-01-02}'::timestamptz[]) AS t,
  unnest('{$ < timestamptz %L,$ >= timestamptz %L}'::text[]) AS condition,
  LATERAL unlike('event', format(condition, t), 1.05) AS u;
-- without an index the actual end is not known
DROP INDEX event_created_at_idx;
ALTER TABLE event DROP CONSTRAINT event_pkey;
SELECT u.* FROM unnest('{1 hour,30 days,184 days,190 days}'::interval[]) AS w, unnest(ARRAY[
  '$ > timestamptz %1$L - %2$L::interval', '$ < timestamptz ''2023-01-01'' + %2$L::interval']) AS condition,
  LATERAL unlike('event', format(condition, :'end', w), 1.5) AS u;
DROP TABLE event;

-- nulls and a frequent value
CREATE TABLE event (id objectid, created_at timestamptz);
INSERT INTO event
SELECT CASE WHEN n % 7 = 0 THEN objectid_from_time(t) ELSE gen_objectid(t) END, t
FROM generate_series(1, 100000) AS n,
  LATERAL (SELECT CASE WHEN n % 5 = 0 THEN NULL WHEN n % 7 = 0 THEN timestamptz '2023-05-05 00:00:30'
                       ELSE timestamptz '2023-01-01' + n * interval '5 minutes' END) AS i(t);
ANALYZE event;
SELECT u.* FROM place, unnest(ARRAY[
  '$ >= timestamptz %1$L AND $ < timestamptz %2$L', '$ BETWEEN timestamptz %1$L AND timestamptz %2$L',
  '$ NOT BETWEEN timestamptz %1$L AND timestamptz %2$L', '$ < timestamptz %2$L', '$ >= timestamptz %1$L',
  '$ >= timestamptz %1$L AND $ < timestamptz %2$L OR $ IS NULL']) AS condition,
  LATERAL unlike('event', format(condition, t, u), 1.5) AS u;
SELECT u.* FROM unnest('{<,<=,>=,>}'::text[]) AS op,
  unlike('event', format('$ %s timestamptz ''2023-05-05 00:00:30''', op), 1.05) AS u;
-- repeated values
CREATE FUNCTION unlike_values(instants timestamptz[])
RETURNS TABLE (op text, t timestamptz, by_id float8, by_created_at float8) LANGUAGE sql AS $$
  SELECT op, t, u.*
  FROM unnest('{<,<=,>=,>}'::text[]) AS op, unnest(instants) AS t, LATERAL (
    SELECT estimate(format('SELECT * FROM event WHERE id %s %L', op, objectid_from_time(t))),
           estimate(format('SELECT * FROM event WHERE created_at %s %L', op, t)) OFFSET 0) AS u(i, c)
  WHERE abs(i - c) > 1 $$;
TRUNCATE event;
INSERT INTO event
SELECT objectid_from_time(t), t FROM generate_series(0, 99999) AS n,
  LATERAL (SELECT timestamptz '2023-01-01' + n / 50 * interval '2 hours') AS i(t);
ANALYZE event;
SELECT u.* FROM place, unlike('event', format('$ >= timestamptz %1$L AND $ < timestamptz %2$L', t, u), 1.05) AS u;
SELECT * FROM unlike_values('{2023-01-01,2023-01-01 02:00,2023-01-02,2023-05-05 04:00,2023-12-31}');
-- a period is estimated like two bounds, whether it is constant or estimated at planning
SELECT u.* FROM place, LATERAL (
  SELECT estimate(format('SELECT * FROM event WHERE id >= timestamptz %L AND id < timestamptz %L', t, u)),
         estimate(format('SELECT * FROM event WHERE id <@ tstzrange(%L, %L)', t, u)),
         estimate(format('SELECT * FROM event WHERE id <@ tstzrange(%L, timestamptz %L + (now() - now()))', t, u)))
           AS u(bounds, constant, stable)
WHERE greatest(bounds, constant, stable) - least(bounds, constant, stable) > 1;
-- the greatest value, and equal bounds of which one excludes the value
SELECT unlike_values(array_agg(t)) FROM (SELECT max(created_at) FROM event) AS m(t);
SELECT two, one FROM (VALUES ('id > %1$L AND id >= %1$L', 'id > %1$L'), ('id >= %1$L AND id > %1$L', 'id > %1$L'),
                             ('id < %1$L AND id <= %1$L', 'id < %1$L'),
                             ('id <= %1$L AND id < %1$L', 'id < %1$L')) AS bounds(two, one)
WHERE abs(estimate(format('SELECT * FROM event WHERE ' || two, objectid_from_time('2023-05-05 04:00')))
        - estimate(format('SELECT * FROM event WHERE ' || one, objectid_from_time('2023-05-05 04:00')))) > 1;
-- few values, most of them frequent
TRUNCATE event;
INSERT INTO event
SELECT objectid_from_time(t), t FROM generate_series(1, 20000) AS n,
  LATERAL (SELECT timestamptz '2023-01-01'
             + CASE WHEN n % 10 < 9 THEN n % 90 ELSE 100 + n % 1000 END * interval '1 hour') AS i(t);
ANALYZE event;
SELECT * FROM unlike_values('{2023-01-05 04:00,2023-01-06,2023-01-20,2023-02-10}');
-- frequencies whose sum is greater than 1, because of rounding
TRUNCATE event;
INSERT INTO event
SELECT objectid_from_time(t), t FROM generate_series(1, 300) AS n,
  LATERAL (SELECT timestamptz '2023-01-01' + n % 3 * interval '1 hour') AS i(t);
ANALYZE event;
SELECT * FROM unlike_values('{2022-01-01,2023-01-01 01:00,2024-01-01}');
-- a histogram of two values
CREATE TABLE few AS SELECT objectid_from_time('2023-03-01') AS frequent, objectid_from_time(t) AS id, t AS created_at
FROM generate_series(1, 10000) AS n, LATERAL (SELECT timestamptz '2023-01-01' + n * interval '1 hour') AS i(t);
ALTER TABLE few ALTER id SET STATISTICS 1, ALTER created_at SET STATISTICS 1;
ANALYZE few;
SELECT unlike('few', '$ > timestamptz ''2023-03-01'' AND $ < timestamptz ''2023-05-01''', 1.1);
-- one distinct value, or two, or so the statistics say
ALTER TABLE few ALTER id SET (n_distinct = 1), ALTER created_at SET (n_distinct = 1);
ANALYZE few;
SELECT unlike('few', '$ < timestamptz ''2023-12-01''', 1.1);
ALTER TABLE few ALTER id SET (n_distinct = 2), ALTER created_at SET (n_distinct = 2);
ANALYZE few;
SELECT unlike('few', '$ < timestamptz ''2023-12-01''', 1.1);
-- a histogram of one value
UPDATE pg_statistic
SET stavalues1 = (SELECT stavalues1 FROM pg_statistic WHERE starelid = 'few'::regclass AND staattnum = 1)
WHERE starelid = 'few'::regclass AND staattnum = 2;
SELECT estimate('SELECT * FROM few WHERE id < timestamptz ''2023-02-01''') AS half;
DROP TABLE few;
-- the first and the last id of a second are in a period
CREATE TABLE ends AS SELECT id
FROM unnest('{650000000000000000000000,65000000ffffffffffffffff}'::objectid[]) AS id, generate_series(1, 500);
ANALYZE ends;
SELECT estimate('SELECT * FROM ends
  WHERE id <@ tstzrange(to_timestamp(1694498816), to_timestamp(1694498817) + (now() - now()))') AS all;
DROP TABLE ends;
-- one value, two values, nulls only, no rows
TRUNCATE event;
INSERT INTO event VALUES (objectid_from_time('2023-05-05'), '2023-05-05');
ANALYZE event;
SELECT u.* FROM place, unlike('event', format('$ >= timestamptz %L AND $ < timestamptz %L', t, u), 1.01) AS u;
INSERT INTO event VALUES (objectid_from_time('2023-05-06'), '2023-05-06');
ANALYZE event;
SELECT u.* FROM place, unlike('event', format('$ >= timestamptz %L AND $ < timestamptz %L', t, u), 1.01) AS u;
UPDATE event SET id = NULL, created_at = NULL;
VACUUM ANALYZE event;
SELECT u.* FROM place, unlike('event', format('$ >= timestamptz %L AND $ < timestamptz %L', t, u), 1.01) AS u;
DELETE FROM event;
VACUUM ANALYZE event;
SELECT u.* FROM place, unlike('event', format('$ >= timestamptz %L AND $ < timestamptz %L', t, u), 1.01) AS u;
DROP TABLE event;

-- partitions, each with its own statistics
CREATE TABLE event (id objectid, created_at timestamptz, kind integer) PARTITION BY LIST (kind);
CREATE TABLE event_0 PARTITION OF event FOR VALUES IN (0);
CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1);
CREATE INDEX ON event (id);
CREATE INDEX ON event (created_at);
INSERT INTO event
SELECT gen_objectid(t), t, n % 2 FROM generate_series(1, 105120) AS n,
  LATERAL (SELECT timestamptz '2023-01-01' + n * interval '5 minutes') AS i(t);
ANALYZE event;
SELECT u.* FROM place, unlike('event', format('$ >= timestamptz %L AND $ < timestamptz %L', t, u), 1.5) AS u;
SELECT u.* FROM place,
  unlike('event', format('$ >= timestamptz %L AND $ < timestamptz %L AND kind = 1', t, u), 1.5) AS u;
DROP TABLE event;

-- all ids of one process and one second: they differ in their last bytes only
CREATE TABLE event (id objectid, n integer);
INSERT INTO event SELECT ('65000000aabbccddee' || lpad(to_hex(n), 6, '0'))::objectid, n
FROM generate_series(1, 10000) AS n;
ANALYZE event;
SELECT a, b FROM (SELECT n * 1000 AS a, n * 1000 + n * 10 AS b FROM generate_series(1, 9) AS n) AS w
WHERE estimate(format('SELECT * FROM event WHERE id > ''65000000aabbccddee%s'' AND id <= ''65000000aabbccddee%s''',
                      lpad(to_hex(a), 6, '0'), lpad(to_hex(b), 6, '0')))
      NOT BETWEEN (b - a) / 1.5 AND (b - a) * 1.5;
-- equality and the number of distinct values
SELECT estimate('SELECT * FROM event WHERE id = ''65000000aabbccddee000007''') AS one;
SELECT n_distinct FROM pg_stats WHERE tablename = 'event' AND attname = 'id';
DROP TABLE event, place;

-- a column in a column: 0.005
CREATE TABLE event AS SELECT gen_objectid() AS id, tstzrange(now(), NULL) AS period FROM generate_series(1, 1000);
ANALYZE event;
SELECT estimate('SELECT * FROM event WHERE id <@ period') AS default;
-- a constant, with the table in second place
SELECT estimate('SELECT * FROM generate_series(1, 1) AS one, event
  WHERE id <@ tstzrange(now() - interval ''1 day'', NULL)') AS all;
SELECT n, estimate('SELECT * FROM generate_series(1, 1) AS one, event WHERE objectid_from_time(' || t || ') <@ period')
         AS by_id, estimate('SELECT * FROM event WHERE period @> ' || t) AS by_instant
FROM (VALUES (1, 'timestamptz ''2005-05-05'''), (2, 'timestamptz ''2105-05-05''')) AS instant(n, t);
-- a null
SELECT estimate('SELECT * FROM event WHERE id <@ CASE WHEN now() IS NULL THEN tstzrange(now(), NULL) END') AS none,
       estimate('SELECT * FROM event WHERE CASE WHEN now() IS NULL THEN objectid_from_time(now()) END <@ period')
         AS none;
DROP TABLE event;
-- 200 bounds of two columns, in turn: the estimate of the tightest bound of each
CREATE TABLE event AS
SELECT gen_objectid(start + n * interval '1 minute') AS id,
       gen_objectid(start + n * 7919 % 10000 * interval '1 minute') AS other
FROM generate_series(1, 10000) AS n, (SELECT timestamptz '2024-01-01') AS s(start);
ANALYZE event;
SELECT bounds - estimate('SELECT FROM event WHERE id >= timestamptz ''2024-01-03 02:00''
  AND other >= timestamptz ''2024-01-03 02:00''') AS difference
FROM (SELECT estimate('SELECT FROM event WHERE ' || string_agg(
        format('id >= %L::timestamptz AND other >= %L::timestamptz', up, down), ' AND ' ORDER BY n)) AS bounds
      FROM generate_series(1, 100) AS n,
           LATERAL (SELECT timestamptz '2024-01-01' + n * interval '30 minutes',
                           timestamptz '2024-01-03 02:30' - n * interval '30 minutes') AS i(up, down)) AS e;
DROP TABLE event;
-- an operator of other types that uses this estimator gets the default
CREATE TABLE event AS SELECT n FROM generate_series(1, 999) AS n;
ANALYZE event;
CREATE OPERATOR <<< (FUNCTION = int4lt, LEFTARG = integer, RIGHTARG = integer, RESTRICT = objectid_ineqsel);
SELECT estimate('SELECT * FROM event WHERE n <<< 5 AND n <<< 6') AS default;
DROP OPERATOR <<< (integer, integer);
CREATE OPERATOR <<< (FUNCTION = int4lt, LEFTARG = integer, RIGHTARG = integer, RESTRICT = objectid_periodsel);
SELECT estimate('SELECT * FROM event WHERE n <<< 5') AS default;
DROP OPERATOR <<< (integer, integer);
CREATE OPERATOR <<< (FUNCTION = objectid_lt, LEFTARG = objectid, RIGHTARG = objectid, RESTRICT = objectid_periodsel);
BEGIN;
CREATE TABLE ids AS SELECT objectid_from_time(to_timestamp(n)) AS id FROM event;
ANALYZE ids;
SELECT estimate('SELECT * FROM ids WHERE id <<< ''000000640000000000000000''') AS default;
ROLLBACK;
DROP OPERATOR <<< (objectid, objectid);
BEGIN;
ALTER OPERATOR < (integer, integer) SET (RESTRICT = objectid_ineqsel);
SELECT estimate('SELECT * FROM event WHERE n < 500') AS default;
ROLLBACK;
BEGIN;
CREATE TABLE ids AS SELECT objectid_from_time(to_timestamp(n)) AS id FROM event;
ANALYZE ids;
ALTER OPERATOR = (objectid, objectid) SET (RESTRICT = objectid_ineqsel);
SELECT estimate('SELECT * FROM ids WHERE id = ''000000640000000000000000''') AS default;
ROLLBACK;
BEGIN;
ALTER OPERATOR = (objectid, objectid) SET (RESTRICT = objectid_ineqsel);
SELECT estimate('SELECT * FROM (SELECT objectid_from_time(to_timestamp(n)) AS id FROM event OFFSET 0) AS e
  WHERE id = ''507f1f77bcf86cd799439011''') AS default;
ROLLBACK;
DROP TABLE event;
DROP FUNCTION unlike, unlike_values;
