--
-- Conditions on ids in places that random queries (t/planner_shapes.pl) seldom have
--
\t on
SET timezone = 'UTC';
CREATE DOMAIN made_id AS objectid; CREATE DOMAIN made_at AS timestamptz; CREATE DOMAIN during AS tstzrange;
CREATE DOMAIN shift_during AS objectid_period CHECK (NOT isempty(VALUE));
CREATE TABLE event (id objectid, created_at timestamptz GENERATED ALWAYS AS (objectid_time(id)) STORED, n integer);
INSERT INTO event (id, n) SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '10 minutes'), n
FROM generate_series(1, 1000) AS n;
INSERT INTO event VALUES (NULL, DEFAULT, 1), (NULL, DEFAULT, 2000);
CREATE INDEX ON event (id); CREATE INDEX ON event (created_at);
CREATE TABLE booking (n integer, during tstzrange);
INSERT INTO booking SELECT n, tstzrange(t, t + interval '3 hours')
FROM generate_series(1, 1000) AS n, LATERAL (SELECT timestamptz '2024-01-01' + n * interval '10 minutes') AS i(t);
INSERT INTO booking VALUES (1001, 'empty'), (1002, '(,)'), (1003, NULL);
VACUUM ANALYZE event, booking;
CREATE TABLE parted (LIKE event) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (objectid_from_time('2024-01-04'));
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (objectid_from_time('2024-01-04')) TO (MAXVALUE);
INSERT INTO parted SELECT * FROM event WHERE id IS NOT NULL;
CREATE INDEX booking_during ON booking USING gist (during); ANALYZE parted;
CREATE FUNCTION second_day(id objectid) RETURNS boolean LANGUAGE sql IMMUTABLE AS
  $$SELECT id <@ '[2024-01-02,2024-01-03)'::tstzrange$$;
-- a condition by which the query groups, within others
SELECT NOT (id <@ '[2024-01-02,2024-01-03)'::tstzrange) AS outside, count(*)
FROM event GROUP BY ROLLUP (id <@ '[2024-01-02,2024-01-03)'::tstzrange) ORDER BY count(*);
SELECT NOT second_day(id) AS outside, count(*) FROM event GROUP BY ROLLUP (second_day(id)) ORDER BY count(*);
SELECT count(*) FROM event GROUP BY ROLLUP (id <@ '[2024-01-02,2024-01-03)'::tstzrange)
HAVING id <@ '[2024-01-02,2024-01-03)'::tstzrange;
SELECT inside AND n < 100 AS both_true, count(*)
FROM (SELECT id <@ '[2024-01-01,2024-01-03)'::tstzrange AS inside, n FROM event WHERE id IS NOT NULL) AS e
GROUP BY CUBE (inside, (n < 100)) ORDER BY count(*), both_true;
SET enable_seqscan = off; SET enable_bitmapscan = off;
-- ids of partitions joined to periods: an index of the periods, and the estimate of a plain table
SELECT plan_nodes('SELECT b.n FROM parted AS e JOIN booking AS b ON e.id <@ b.during');
SELECT estimate('SELECT FROM parted AS e JOIN booking AS b ON e.id <@ b.during')
     = estimate('SELECT FROM event AS e JOIN booking AS b ON e.id <@ b.during AND e.id IS NOT NULL') AS as_plain;
-- a period that is not a constant prunes as bounds do, also when the query is executed
CREATE INDEX ON parted (id);
SELECT plan_nodes($$SELECT n FROM parted WHERE id <@ tstzrange('2024-01-05', now())$$);
SELECT plan_nodes($$SELECT n FROM parted WHERE id <@ tstzrange(now() - interval '1 day', now())$$);
SELECT plan_nodes($$SELECT n % 2, count(*) FROM parted
  WHERE id <@ tstzrange('2024-01-05', '2024-01-06') GROUP BY ROLLUP (n % 2)$$);
-- planning does not take twice as long with each level of periods, of a column or an outer one
SET statement_timeout = '5min';
DO $$
DECLARE
  col text;
  query text;
  period text;
BEGIN
  FOR col, query IN VALUES ('id', 'SELECT FROM parted WHERE id <@ %s'),
      ('o.id', 'SELECT (SELECT count(*) FROM parted AS p WHERE p.id <@ %s) FROM parted AS o') LOOP
    period := 'tstzrange(now(), NULL)';
    FOR i IN 1..30 LOOP
      period := format('CASE WHEN %s <@ %s THEN tstzrange(''2024-01-02'', now()) END', col, period);
    END LOOP;
    PERFORM plan_nodes(format(query, period));
  END LOOP;
END$$;
RESET statement_timeout; DROP TABLE parted;
-- columns of domains: over tstzrange, over objectid_period, over objectid; and arrays of them
CREATE TABLE typed (id made_id, created_at made_at, by_range tstzrange, by_domain during, by_shift shift_during);
INSERT INTO typed SELECT id, created_at, during, during, during
FROM event JOIN booking USING (n) WHERE NOT isempty(during);
CREATE INDEX ON typed USING gist (by_range); CREATE INDEX ON typed USING gist (by_domain);
CREATE INDEX ON typed USING gist (by_shift); CREATE INDEX ON typed (id); VACUUM ANALYZE typed;
SELECT c, count(*) FILTER (WHERE used) AS used, count(DISTINCT estimated) AS estimates,
       count(DISTINCT round(costs)) AS costs
FROM unnest(ARRAY['objectid ''6593d4500000000000000000'' <@ %I', 'objectid_from_time(''2024-01-02 09:20'') <@ %I',
                  '%I @> timestamptz ''2024-01-02 09:20''']) AS c,
     unnest('{by_range,by_domain,by_shift}'::name[]) AS during,
     format('SELECT FROM typed WHERE ' || c, during) AS query,
     LATERAL (SELECT (top_node(query)->>'Plan Rows')::integer, (top_node(query)->>'Total Cost')::float8,
                     top_node(query)::text LIKE '%Index Cond%') AS e(estimated, costs, used)
GROUP BY c ORDER BY c COLLATE "C";
-- the ids in the period of another row: the costs do not differ by the type of the period
SELECT count(DISTINCT during), count(DISTINCT round(costs::numeric, 1)) AS costs
FROM unnest('{by_range,by_domain,by_shift}'::name[]) AS during,
     LATERAL (SELECT jsonb_path_query(top_node(format(
                'SELECT FROM booking AS b, LATERAL (SELECT %I AS during FROM typed AS t
                 WHERE t.id = b.n::text::objectid OFFSET 0) AS t JOIN event AS e ON e.id <@ t.during', during))::jsonb,
                                      '$.** ? (@."Index Name" == "event_id_idx")."Total Cost"')::float8) AS c(costs);
RESET enable_seqscan; RESET enable_bitmapscan;
DROP TABLE typed;
-- types with an implicit cast by a function
CREATE TYPE pair AS (a timestamptz, b timestamptz);
CREATE FUNCTION pair_period(pair) RETURNS tstzrange LANGUAGE plpgsql IMMUTABLE AS
  'BEGIN RETURN tstzrange($1.a, $1.b); END';
CREATE CAST (pair AS tstzrange) WITH FUNCTION pair_period AS IMPLICIT;
CREATE TABLE cast_booking AS SELECT n, ROW(lower(during), upper(during))::pair AS during FROM booking;
ANALYZE cast_booking;
SELECT count(*) FROM cast_booking WHERE objectid '6593d4500000000000000000' <@ during;
DROP TABLE cast_booking; DROP CAST (pair AS tstzrange); DROP FUNCTION pair_period; DROP TYPE pair;

-- statistics that cannot be: from 18 on, the owner of a table can import them
SELECT CASE WHEN current_setting('server_version_num')::integer >= 180000 THEN
  $$SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', 'event', 'attname', 'id', 'inherited', false,
    'version', 180000, 'null_frac', 5::real, 'avg_width', 12, 'n_distinct', 0::real,
    'most_common_vals', '{6593d4500000000000000000}', 'most_common_freqs', '{0.5}'::real[]) AS imported$$
  ELSE 'SELECT true AS imported' END AS import \gset
:import \gset
SELECT :'imported' AS imported, count(*) FROM event WHERE id <@ tstzrange(now() - interval '200 years', now())
   OR id > '680000000000000000000000' AND id < '690000000000000000000000';

DROP TABLE event, booking; DROP DOMAIN made_id, made_at, during, shift_during;
DROP FUNCTION second_day;
