--
-- Row estimates: a condition on the id gets the same estimate as one on created_at.  In a condition,
-- "$" stands for the column and {T} for timestamptz 'T'.  unlike() and unlike_places() print the
-- conditions whose estimates differ by more than a factor, allowing one row for rounding, if the one
-- by the id is not nearer to the number of rows.
--
\t on
SET timezone = 'UTC';
CREATE FUNCTION spell(query text, col text) RETURNS text LANGUAGE sql AS
  $$SELECT regexp_replace(regexp_replace(query, '{([^}]*)}', 'timestamptz ''\1''', 'g'), '\$(?!\d)', col, 'g')$$;
CREATE FUNCTION is_nearer(query text, by_id float8, by_created_at float8) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  truth float8;
BEGIN
  EXECUTE format('SELECT greatest(1, count(*)) FROM (%s) AS q', spell(query, 'id')) INTO truth;
  RETURN abs(ln(by_id / truth)) < abs(ln(by_created_at / truth));
END$$;
CREATE FUNCTION unlike(tables text, factor float8, VARIADIC conditions text[])
RETURNS TABLE (query text, by_id float8, by_created_at float8) LANGUAGE sql AS $$
  SELECT q, i, c
  FROM unnest(conditions) AS condition, LATERAL (SELECT format('SELECT * FROM %s WHERE %s', tables, condition)) AS t(q),
       LATERAL (SELECT estimate(spell(q, 'id')), estimate(spell(q, 'created_at')) OFFSET 0) AS e(i, c)
  WHERE CASE WHEN i NOT BETWEEN c / factor - 1 AND c * factor + 1 THEN NOT is_nearer(q, i, c) END $$;
-- windows of ten minutes to a month, in five places; conditions contain their two ends and their width
CREATE TABLE place AS SELECT t, t + w AS u, w
FROM unnest('{2023-01-01,2023-02-28 23:55,2023-05-05 05:05:05.5,2023-08-31,2023-11-30 12:00}'::timestamptz[]) AS t,
     unnest('{10 minutes,1 hour,6 hours,1 day,7 days,1 month}'::interval[]) AS w;
CREATE FUNCTION unlike_places(tables text, factor float8, VARIADIC conditions text[])
RETURNS TABLE (query text, by_id float8, by_created_at float8) LANGUAGE sql AS $$
  SELECT u.* FROM place, unnest(conditions) AS condition, unlike(tables, factor, format(condition, t, u, w)) AS u $$;
-- a year of rows, one every 30 seconds
CREATE TABLE event (id objectid PRIMARY KEY, created_at timestamptz, kind integer);
CREATE PROCEDURE add_rows(first integer, last integer) LANGUAGE sql AS $$
  INSERT INTO event SELECT gen_objectid(t), t, abs(n % 3) FROM generate_series(first, last) AS n,
    LATERAL (SELECT timestamptz '2023-01-01' + n * interval '30 seconds') AS i(t) $$;
CALL add_rows(1, 1051200); CREATE INDEX ON event (created_at);
-- not analysed yet
SELECT unlike('event', 1.01, '$ >= {2023-05-05} AND $ < {2023-05-06}', '$ >= {2023-05-05}');
ANALYZE event;
-- windows, written in all ways
SELECT unlike_places('event', 1.5,
  '$ >= {%1$s} AND $ < {%2$s}',
  '$ BETWEEN {%1$s} AND {%2$s}',
  '$ BETWEEN {%1$s} AND {%1$s} + %3$L::interval',
  '$ NOT BETWEEN {%1$s} AND {%2$s}',
  '($ > {%2$s}) IS FALSE AND $ > {%1$s}',
  '$ < {%2$s} AND $ > {%1$s} AND ($ > {%1$s}) IS TRUE',
  '$ > {%1$s} AND kind = 1 AND $ <= {%2$s}',
  -- several bounds of the same kind: the tightest counts
  '$ < {%2$s} AND $ >= {%1$s} AND $ < {2023-12-31} AND $ >= {-infinity}',
  '$ > {%1$s} - interval ''9 days'' AND $ < {%2$s} + interval ''9 days'' AND $ > {%1$s} AND $ < {%2$s}',
  -- each arm of an OR has a list of its own
  '($ >= {%1$s} AND $ < {%2$s}) OR ($ >= {2023-10-01} AND $ < {2023-10-02})',
  '($ >= {%1$s} AND $ < {%2$s} AND kind = 1) OR ($ BETWEEN {2023-10-01} AND {2023-10-02} AND kind = 2)',
  '$ > {%1$s} AND ($ < {%2$s} OR kind = 5)');
-- a part of a member of the list is estimated for the rows in the window of the others, and a period like its
-- bounds: within a factor of 2 of the number of rows, which the estimates for created_at are not
SELECT q, e, truth
FROM place, LATERAL (SELECT u + interval '2 hours', t + w / 2) AS i(v, middle),
  unnest(ARRAY['($ >= {%1$s} OR kind = 5) AND $ < {%2$s}', '$ < {%2$s} AND (kind = 5 OR $ >= {%1$s})',
    '($ >= {%1$s} AND kind < 6 OR kind = 5) AND $ < {%2$s}', '($ >= {%1$s} AND $ < {%2$s} OR kind = 5) AND $ < {%3$s}',
    '(($ >= {%1$s} OR kind = 5) AND $ < {%2$s} OR kind = 6) AND $ < {%3$s}',
    '($ >= {%1$s}) IS TRUE AND $ < {%2$s}', '($ < {%1$s}) IS FALSE AND $ < {%2$s}',
    '$ < {%2$s} AND ($, kind) >= (objectid_from_time(%1$L), 0)',
    '$ <@ tstzrange({%1$s} + (now() - now()), {%2$s})',
    '$ <@ tstzrange({%1$s} + (now() - now()), {%3$s}) AND $ < {%2$s}',
    '$ >= {%1$s} AND ($ <@ tstzrange({%4$s} - (now() - now()), {%2$s}) OR $ < {%4$s})']) AS condition,
  LATERAL (SELECT spell('SELECT * FROM event WHERE ' || format(condition, t, u, v, middle), 'id')) AS s(q),
  estimate(q) AS e, LATERAL (SELECT count(*) FROM event WHERE created_at >= t AND created_at < u) AS r(truth)
WHERE t > '2023-01-01' AND u < '2023-12-31' AND e NOT BETWEEN truth / 2 - 10 AND truth * 2 + 10;
BEGIN; CREATE INDEX ON event (kind);
SELECT plan_nodes($$SELECT * FROM event
  WHERE (id >= timestamptz '2023-06-01' OR kind = 7) AND id < timestamptz '2023-06-03'$$);
ROLLBACK;
-- the estimates are also close to the number of rows
SELECT t, w, e FROM place, LATERAL (SELECT extract(epoch FROM w) / 30) AS r(truth),
  estimate(format('SELECT * FROM event WHERE id >= timestamptz %L AND id < timestamptz %L', t, u)) AS e
WHERE t > '2023-01-01' AND w <> interval '1 month' AND e NOT BETWEEN truth / 1.5 AND truth * 1.5;
-- HAVING
SELECT unlike('(SELECT n, max($) AS m FROM (SELECT $, row_number() OVER () / 2 AS n FROM event OFFSET 0) AS e
  GROUP BY n HAVING max($) > {2023-05-05} AND max($) < {2023-05-06}) AS e', 1.5, 'true');
SELECT condition, by_id, by_created_at
FROM unnest(ARRAY['max($) <= %1$s AND max($) > %2$s', '%1$s >= max($) AND max($) > %2$s',
  'max($) = %1$s AND max($) > %2$s', 'max($) > %2$s AND max($) > %2$s']) AS condition,
  LATERAL (SELECT 'SELECT n, max($) FROM (SELECT $, row_number() OVER () / 2 AS n FROM event OFFSET 0) AS e
    GROUP BY n HAVING ' || condition) AS q(q),
  estimate(spell(format(q, $$objectid_from_time('2023-05-06')$$, $$objectid_from_time('2023-05-05')$$), 'id')) AS by_id,
  estimate(spell(format(q, '{2023-05-06}', '{2023-05-05}'), 'created_at')) AS by_created_at
WHERE by_id NOT BETWEEN by_created_at / 1.01 - 1 AND by_created_at * 1.01 + 1;
SELECT unlike('event', 1.5, '$ > now() - interval ''100 years'' AND $ < now() - interval ''50 years''',
  -- a volatile bound is not part of a window
  '$ > clock_timestamp() - interval ''100 years'' AND $ < {2023-02-03}',
  '$ < {2023-02-03} AND $ > clock_timestamp() - interval ''100 years''');
-- both ends in join conditions of different tables, and in an OR from which a restriction is derived
SELECT unlike('event AS e JOIN place ON e.$ >= t AND e.$ < u', 1.5, 'w = ''1 day''');
SELECT unlike('event AS e CROSS JOIN (VALUES (1), (2)) AS v (x)', 1.5, '(e.$ BETWEEN {2023-05-05} AND {2023-05-06}
  AND x = 1) OR (e.$ BETWEEN {2023-06-05} AND {2023-06-06} AND x = 2)');
-- a partial index: the planner estimates the predicate in place of a condition that it implies
CREATE TABLE part AS SELECT id, created_at, (n % 50)::integer AS kind
FROM (SELECT *, row_number() OVER () AS n FROM event WHERE id < timestamptz '2023-03-01') AS e;
SELECT spell('CREATE INDEX ON part ' || replace(what, 'key', col) || ' WHERE ' || condition, col) FROM (VALUES
  ('(kind)', '$ >= {2023-02-01}'), ('(key)', '$ >= {2023-02-10}'), ('(kind) INCLUDE (key)', '$ >= {2023-02-20}'),
  ('(kind)', '$ >= {2023-01-10} AND $ < {2023-01-12}')) AS i(what, condition), unnest('{id,created_at}'::text[]) AS col
\gexec
ANALYZE part;
CREATE FUNCTION cost(query text) RETURNS float8 LANGUAGE sql AS $$SELECT (top_node(query)->>'Total Cost')::float8$$;
SELECT condition, by_id, by_created_at
FROM unnest(ARRAY[
  '$ >= {2023-02-01} AND $ < {2023-02-02} AND kind = 7', '$ < {2023-02-02} AND $ >= {2023-02-01} AND kind = 7',
  '$ < {2023-02-02} AND $ >= {2023-02-01}', '$ < {2023-02-11} AND $ >= {2023-02-10} AND kind = 7',
  '$ >= {2023-02-10} AND $ < {2023-02-11}', '$ < {2023-02-10 01:00} AND $ >= {2023-02-10}',
  '$ < {2023-02-20} AND $ >= {2023-02-15}', '$ < {2023-02-20 01:00} AND $ >= {2023-02-20} AND kind = 7',
  '$ >= {2023-01-10} AND $ < {2023-01-12} AND kind = 7',
  '$ >= {2023-01-10 12:00} AND $ < {2023-01-11} AND kind = 7']) AS condition,
  cost(spell('SELECT * FROM part WHERE ' || condition, 'id')) AS by_id,
  cost(spell('SELECT * FROM part WHERE ' || condition, 'created_at')) AS by_created_at
WHERE by_id NOT BETWEEN by_created_at / 1.2 AND by_created_at * 1.2;
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
SELECT u.* FROM unnest(ARRAY[
  '$ >= {2023-06-01} LEFT JOIN many AS b ON event.kind = b.kind AND $ < {2023-06-01}',
  '$ >= {2023-06-01} AND $ < {2023-06-03}', '$ >= {2023-11-01} AND $ >= {2023-11-01}']) AS condition,
  unlike('event LEFT JOIN many AS a ON event.kind = a.kind AND ' || condition, 1.5, 'true') AS u;
DROP TABLE many;
-- copies of conditions for a child relation; an index whose predicate equals one of the conditions is not meant
CREATE TABLE parent (id objectid, created_at timestamptz, kind integer) PARTITION BY LIST (kind);
CREATE TABLE child_0 PARTITION OF parent FOR VALUES IN (0);
CREATE TABLE child_1 PARTITION OF parent FOR VALUES IN (1);
INSERT INTO parent SELECT id, created_at, kind FROM event WHERE kind < 2 AND created_at < '2023-03-01';
CREATE TABLE kinds (kind integer, n integer) PARTITION BY LIST (kind);
CREATE TABLE kinds_0 PARTITION OF kinds FOR VALUES IN (0);
CREATE TABLE kinds_1 PARTITION OF kinds FOR VALUES IN (1);
INSERT INTO kinds SELECT n % 2, n FROM generate_series(1, 2000) AS n;
CREATE INDEX ON parent (kind) WHERE id < timestamptz '2023-02-03'; ANALYZE parent, kinds;
SET enable_partitionwise_join = on; SET max_parallel_workers_per_gather = 0;
SELECT u.* FROM unnest(ARRAY['$ < {2023-02-03}', '$ < {2023-02-01}', '$ >= {2023-02-22}']) AS c,
  unlike('parent LEFT JOIN kinds ON kinds.kind = parent.kind AND $ >= {2023-02-01} AND ' || c, 1.5, 'true') AS u;
RESET max_parallel_workers_per_gather; DROP TABLE parent, kinds;
-- not bounds: inequality, NULL, and conditions on a different column
SELECT estimate(format('SELECT * FROM event WHERE id <> %L AND id <> %L AND id > timestamptz ''2023-02-01''',
                       objectid_from_time('2023-01-01'), objectid_from_time('2023-02-03'))) > 900000 AS most;
SELECT unlike('(SELECT e.$, f.$ AS other FROM event AS e JOIN event AS f USING (kind)) AS e', 1.5,
  '$ > {2023-05-05} AND other < {2023-05-06} AND $ < {2023-06-06}');
SELECT unlike('(SELECT $, $ AS other FROM event OFFSET 0) AS e', 1.1, '$ < other');
SELECT unlike('event', 1.5, '$ = ANY (SELECT $ FROM event LIMIT 1) AND $ > {2023-05-05} AND $ < {2023-05-06}',
  '$ > nullif(now(), now()) AND $ < now()', '$ > nullif(now(), now()) AND $ > {2023-05-05}',
  '$ > {2023-05-05} AND $ > nullif(now(), now())');
-- bounds that contradict each other: never more rows than for one of them, where core expects 0.005
-- of the table
SELECT t, u, by_id
FROM place, LATERAL (SELECT format('SELECT * FROM event WHERE $ > {%2$s} AND $ < {%1$s}', t, u)) AS q(q),
  estimate(spell(q, 'id')) AS by_id WHERE by_id > estimate(spell(q, 'created_at'));
SELECT q
FROM unnest(ARRAY['$ > {2023-12-31 23:00} AND $ < {2023-05-01}', '$ < {2023-01-01 01:00} AND $ > {2023-05-01}']) AS q
WHERE estimate(spell('SELECT * FROM event WHERE ' || q, 'id')) > 200;
SELECT unlike('event', 1.01, '$ > {2023-06-01} AND $ < {2023-05-01}',
  -- NULL as a bound of either side: no rows
  '$ < nullif(now(), now())', '$ < nullif(now(), now()) AND $ < {2023-05-05}',
  '$ < {2023-05-05} AND $ <= nullif(now(), now()) AND $ < {2023-05-04}');
-- a prefix operator beside a bound
CREATE FUNCTION is_first(objectid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS
  'BEGIN RETURN $1 = min(id) FROM event; END';
CREATE OPERATOR ### (RIGHTARG = objectid, FUNCTION = is_first, RESTRICT = objectid_ineqsel);
SELECT estimate('SELECT * FROM event WHERE ### id AND id < timestamptz ''2023-05-05''')
     / estimate('SELECT * FROM event WHERE id < timestamptz ''2023-05-05''') BETWEEN 0.3 AND 0.35 AS a_third;
DROP OPERATOR ### (NONE, objectid); DROP FUNCTION is_first;
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
CREATE FUNCTION joined(condition text) RETURNS float8 LANGUAGE sql AS
  $$SELECT estimate(spell('SELECT * FROM two AS a LEFT JOIN two AS b ON a.kind = b.kind AND ' || condition, ''))$$;
SELECT joined('b.other > {2023-08-20} AND b.id > {2023-05-19} AND b.id < {2023-05-19 00:20}') = 20000 AS no_row_of_b,
       joined('b.other > {2023-05-05} AND b.id > {2023-05-05}') / joined('b.id > {2023-05-05}') BETWEEN 0.8 AND 1
         AS as_one_column;
RESET enable_partitionwise_join; DROP FUNCTION joined; DROP TABLE two;
-- planning evaluates each bound as often as a bound of created_at
CREATE SEQUENCE calls;
CREATE FUNCTION counted(timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS
  'BEGIN PERFORM nextval(''calls''); RETURN $1; END';
CREATE FUNCTION calls(query text) RETURNS bigint LANGUAGE plpgsql AS
  'DECLARE n bigint := nextval(''calls''); BEGIN PERFORM estimate(query); RETURN nextval(''calls'') - n - 1; END';
SELECT tables, calls(spell(q, 'id')) AS by_id, calls(spell(q, 'created_at')) AS by_created_at
FROM unnest('{event WHERE ?,event WHERE (?) OR kind = 1,place LEFT JOIN event ON ?,
  event LEFT JOIN place ON extract(epoch FROM w) > kind AND ?}'::text[]) AS tables,
  LATERAL (SELECT 'SELECT * FROM ' || replace(tables, '?', string_agg(
             format('$ > counted({2023-01-01} + %s * interval ''1 minute'')', n), ' AND '))
           FROM generate_series(1, 20) AS n) AS query(q);
DROP FUNCTION counted, calls; DROP SEQUENCE calls;
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
SELECT t, reads
FROM (VALUES ('2022-12-31', true), ('2023-01-01 00:10', true), ('2023-01-06', false), ('2023-05-05', false),
             ('2023-12-10', false), ('2023-12-31 12:00', true), ('2024-01-05', true)) AS v(t, reads)
WHERE (pages_read(format('SELECT * FROM event WHERE id < timestamptz %L', t)) > 0) <> reads;
DROP FUNCTION pages_read;
-- comparisons of ids with ids, on either side
SELECT condition, op, by_id, by_created_at
FROM unnest('{<,<=,>=,>}'::text[]) AS op,
  unnest('{$ %1$s %2$s AND $ < %3$s,%2$s %1$s $ AND %3$s > $,%3$s > $ AND $ %1$s %2$s}'::text[]) AS condition,
  LATERAL (VALUES ('SELECT * FROM event WHERE ' || condition)) AS q(q),
  estimate(spell(format(q, op, $$objectid_from_time('2023-05-05')$$, $$objectid_from_time('2023-06-05')$$), 'id'))
    AS by_id,
  estimate(spell(format(q, op, '{2023-05-05}', '{2023-06-05}'), 'created_at')) AS by_created_at
WHERE by_id NOT BETWEEN by_created_at / 1.01 AND by_created_at * 1.01;
-- parameters of a generic plan are unknown: a third for one side, 0.005 for a window
SELECT spell(format('PREPARE %s_%s(timestamptz, timestamptz) AS SELECT * FROM event WHERE %s', col, name, c), col)
FROM unnest('{id,created_at}'::text[]) AS col,
     (VALUES ('window', '$ >= $1 AND $ < $2'), ('side', '$ >= $1'), ('half', '$ >= $1 AND $ < {2023-10-01}'),
             ('end', '$ >= {2023-03-01} AND $ < $1'), ('hour', '$ < {2023-01-01 01:00} AND $ >= $1'),
             ('rest', '$ > {2023-12-31 23:00} AND $ < $1')) AS p(name, c) \gexec
SET plan_cache_mode = force_generic_plan;
SELECT name, round((estimate(format('EXECUTE id_%s(now(), now())', name)) / reltuples)::numeric, 4) AS by_id,
       round((estimate(format('EXECUTE created_at_%s(now(), now())', name)) / reltuples)::numeric, 4) AS by_created_at
FROM pg_class, unnest('{window,side,half,end}'::text[]) AS name WHERE oid = 'event'::regclass;
SELECT estimate('EXECUTE id_rest(now(), now())') <= 200 AS not_above_the_rest,
       estimate('EXECUTE id_hour(now(), now())') <= 200 AS not_above_the_hour;
SET plan_cache_mode = force_custom_plan;
SELECT estimate(format('EXECUTE %s(%L, %L)', name, '2023-05-05', '2023-05-06')) BETWEEN 2000 AND 4000 AS a_day
FROM unnest('{id_window,created_at_window}'::text[]) AS name;
RESET plan_cache_mode; DEALLOCATE ALL;
-- a role without access to the statistics of a column gets estimates from leakproof functions only,
-- as ours are
CREATE ROLE regress_objectid_reader; GRANT SELECT ON event, place TO regress_objectid_reader;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY even ON event USING (kind = 0);
SET ROLE regress_objectid_reader;
SELECT unlike_places('event', 1.5, '$ >= {%1$s} AND $ < {%2$s}');
RESET ROLE; BEGIN;
ALTER FUNCTION objectid_ge(objectid, objectid) NOT LEAKPROOF;
SET LOCAL ROLE regress_objectid_reader;
SELECT estimate('SELECT * FROM event WHERE id >= timestamptz ''2023-12-30''') / reltuples BETWEEN 0.16 AND 0.18
         AS half_of_a_third FROM pg_class WHERE oid = 'event'::regclass;
ROLLBACK;
ALTER TABLE event DISABLE ROW LEVEL SECURITY;
DROP POLICY even ON event;
REVOKE ALL ON event, place FROM regress_objectid_reader;
DROP ROLE regress_objectid_reader;
-- rows added at the beginning after ANALYZE
CALL add_rows(-50000, -1);
SELECT u.* FROM unnest('{2022-12-14,2022-12-15,2022-12-25,2023-01-01,2023-01-02}'::timestamptz[]) AS t,
  unlike('event', 1.05, format('$ < {%s}', t), format('$ >= {%s}', t)) AS u;
DROP TABLE event;
-- repeated values; t/planner_shapes.pl has tables that have grown, with nulls and frequent values
CREATE TABLE event (id objectid, created_at timestamptz);
CREATE FUNCTION unlike_values(instants timestamptz[])
RETURNS TABLE (op text, t timestamptz, by_id float8, by_created_at float8) LANGUAGE sql AS $$
  SELECT op, t, u.*
  FROM unnest('{<,<=,>=,>}'::text[]) AS op, unnest(instants) AS t, LATERAL (
    SELECT estimate(format('SELECT * FROM event WHERE id %s %L', op, objectid_from_time(t))),
           estimate(format('SELECT * FROM event WHERE created_at %s %L', op, t)) OFFSET 0) AS u(i, c)
  WHERE abs(i - c) > 1 $$;
CREATE PROCEDURE fill(rows integer, instant text) LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE event;
  EXECUTE format('INSERT INTO event SELECT objectid_from_time(t), t FROM generate_series(1, %s) AS n,
    LATERAL (SELECT timestamptz ''2023-01-01'' + (%s) * interval ''1 hour'') AS i(t)', rows, instant);
  ANALYZE event;
END$$;
CALL fill(100000, '(n - 1) / 50 * 2');
-- a period is estimated like two bounds, whether it is constant or estimated at planning
SELECT u.* FROM place, LATERAL (
  SELECT estimate(format('SELECT * FROM event WHERE id >= timestamptz %L AND id < timestamptz %L', t, u)),
         estimate(format('SELECT * FROM event WHERE id <@ tstzrange(%L, %L)', t, u)),
         estimate(format('SELECT * FROM event WHERE id <@ tstzrange(%L, timestamptz %L + (now() - now()))', t, u)))
           AS u(bounds, constant, stable)
WHERE greatest(bounds, constant, stable) - least(bounds, constant, stable) > 1;
-- equal bounds of which one excludes the value
SELECT two, one FROM (VALUES ('id > %1$L AND id >= %1$L', 'id > %1$L'), ('id >= %1$L AND id > %1$L', 'id > %1$L'),
                             ('id < %1$L AND id <= %1$L', 'id < %1$L'),
                             ('id <= %1$L AND id < %1$L', 'id < %1$L')) AS bounds(two, one)
WHERE abs(estimate(format('SELECT * FROM event WHERE ' || two, objectid_from_time('2023-05-05 04:00')))
        - estimate(format('SELECT * FROM event WHERE ' || one, objectid_from_time('2023-05-05 04:00')))) > 1;
-- frequencies whose sum is greater than 1, because of rounding
CALL fill(300, 'n % 3');
SELECT unlike_values('{2022-01-01,2023-01-01 01:00,2024-01-01}');
-- a histogram of two values
CREATE TABLE few AS SELECT objectid_from_time('2023-03-01') AS frequent, objectid_from_time(t) AS id, t AS created_at
FROM generate_series(1, 10000) AS n, LATERAL (SELECT timestamptz '2023-01-01' + n * interval '1 hour') AS i(t);
ALTER TABLE few ALTER id SET STATISTICS 1, ALTER created_at SET STATISTICS 1;
ANALYZE few;
SELECT unlike('few', 1.1, '$ > {2023-03-01} AND $ < {2023-05-01}');
-- one distinct value, or two, or so the statistics say
ALTER TABLE few ALTER id SET (n_distinct = 1), ALTER created_at SET (n_distinct = 1);
ANALYZE few;
SELECT unlike('few', 1.1, '$ < {2023-12-01}');
ALTER TABLE few ALTER id SET (n_distinct = 2), ALTER created_at SET (n_distinct = 2);
ANALYZE few;
SELECT unlike('few', 1.1, '$ < {2023-12-01}');
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
DROP TABLE event, place;
-- a column in a column: 0.005; constants with the table in second place; nulls
CREATE TABLE event AS SELECT gen_objectid() AS id, tstzrange(now(), NULL) AS period FROM generate_series(1, 1000);
ANALYZE event;
SELECT c, rows FROM (VALUES ('event WHERE id <@ period', 5),
  ('generate_series(1, 1) AS one, event WHERE id <@ tstzrange(now() - interval ''1 day'', NULL)', 1000),
  ('generate_series(1, 1) AS one, event WHERE objectid_from_time(timestamptz ''2005-05-05'') <@ period', 1),
  ('event WHERE period @> timestamptz ''2005-05-05''', 1),
  ('generate_series(1, 1) AS one, event WHERE objectid_from_time(timestamptz ''2105-05-05'') <@ period', 1000),
  ('event WHERE period @> timestamptz ''2105-05-05''', 1000),
  ('event WHERE id <@ CASE WHEN now() IS NULL THEN tstzrange(now(), NULL) END', 1),
  ('event WHERE CASE WHEN now() IS NULL THEN objectid_from_time(now()) END <@ period', 1)) AS v(c, rows)
WHERE estimate('SELECT * FROM ' || c) <> rows;
DROP TABLE event;
-- an operator of other types that uses this estimator gets the default
CREATE TABLE event AS SELECT n, objectid_from_time(to_timestamp(n)) AS id FROM generate_series(1, 999) AS n;
ANALYZE event;
CREATE OPERATOR <<< (FUNCTION = int4lt, LEFTARG = integer, RIGHTARG = integer, RESTRICT = objectid_ineqsel);
CREATE OPERATOR <<<< (FUNCTION = int4lt, LEFTARG = integer, RIGHTARG = integer, RESTRICT = objectid_periodsel);
CREATE OPERATOR <<<< (FUNCTION = objectid_lt, LEFTARG = objectid, RIGHTARG = objectid, RESTRICT = objectid_periodsel);
BEGIN;
ALTER OPERATOR < (integer, integer) SET (RESTRICT = objectid_ineqsel);
ALTER OPERATOR = (objectid, objectid) SET (RESTRICT = objectid_ineqsel);
SELECT estimate('SELECT * FROM event WHERE n <<< 5 AND n <<< 6') AS ninth,
       estimate('SELECT * FROM event WHERE n <<<< 5') AS period,
       estimate('SELECT * FROM event WHERE id <<<< ''000000640000000000000000''') AS period,
       estimate('SELECT * FROM event WHERE n < 500') AS third,
       estimate('SELECT * FROM event WHERE id = ''000000640000000000000000''') AS third,
       estimate('SELECT * FROM (SELECT id FROM event OFFSET 0) AS e WHERE id = ''507f1f77bcf86cd799439011''') AS third;
ROLLBACK;
DROP OPERATOR <<< (integer, integer), <<<< (integer, integer), <<<< (objectid, objectid); DROP TABLE event;
DROP FUNCTION unlike_places, unlike, unlike_values, spell; DROP PROCEDURE add_rows, fill;
