--
-- The generator.  Tests with several sessions, crashes or clocks are in t/.
--
-- a million ids: all different, each greater than the previous one; other sessions of the server
-- may generate ids meanwhile
\t on
CREATE TABLE made (n integer, id objectid);
INSERT INTO made SELECT n, gen_objectid() FROM generate_series(1, 1000000) AS n;
SELECT count(*), count(DISTINCT id) FROM made;
SELECT count(*) FILTER (WHERE id <= before) AS not_increasing,
       count(*) FILTER (WHERE serial(id) - serial(before) <= 0) AS used_again
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made) AS m;
DROP TABLE made;

-- with an instant: all ids have its second, and are different
SELECT count(*), count(DISTINCT id), min(objectid_time(id)) AT TIME ZONE 'UTC' AS first,
       max(objectid_time(id)) AT TIME ZONE 'UTC' AS last
FROM (SELECT gen_objectid('2012-10-17 21:13:27.9+00') AS id FROM generate_series(1, 100000)) AS t;
SELECT count(DISTINCT serial(id)) FROM (
  SELECT gen_objectid('1970-01-01 00:00:00+00') AS id FROM generate_series(1, 1000) UNION ALL
  SELECT gen_objectid() FROM generate_series(1, 1000) UNION ALL
  SELECT gen_objectid('2106-02-07 06:28:15.999999+00') FROM generate_series(1, 1000)) AS t;
-- they take the next serial number, like those of gen_objectid()
SELECT serial(past) - serial(id) BETWEEN 1 AND 1000000 AS continues,
       serial(next) - serial(past) BETWEEN 1 AND 1000000 AS continued
FROM (SELECT gen_objectid() AS id, gen_objectid('1980-01-01 00:00:00+00') AS past,
             gen_objectid() AS next OFFSET 0) AS t;
-- an instant in the past or future does not change later ids of gen_objectid()
SELECT objectid_time(future) > objectid_time(id) AS future, id > past AS past, next > id AS increasing
FROM (SELECT gen_objectid('2100-01-01 00:00:00+00') AS future, gen_objectid() AS id,
             gen_objectid('1980-01-01 00:00:00+00') AS past, gen_objectid() AS next OFFSET 0) AS t;
SELECT gen_objectid(now() + interval '30 seconds') > gen_objectid() AS ahead,
       objectid_time(gen_objectid()) <= clock_timestamp() AS not_ahead, gen_objectid(NULL) IS NULL AS strict;
-- an error between two calls has no effect
SELECT gen_objectid('infinity');
SELECT gen_objectid() < gen_objectid() AS increasing;

-- each row gets its own id: as a default, in VALUES, in a subquery, in PL/pgSQL
CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
INSERT INTO made (n) VALUES (1), (2), (3);
INSERT INTO made (n) SELECT n FROM generate_series(4, 1000) AS n;
INSERT INTO made SELECT gen_objectid(), n FROM generate_series(1001, 2000) AS n;
DO $$BEGIN FOR n IN 2001 .. 3000 LOOP INSERT INTO made VALUES (gen_objectid(), n); END LOOP; END$$;
SELECT count(*), count(DISTINCT id) FROM made;
SELECT count(*) FROM (SELECT n, lag(n) OVER (ORDER BY id) AS before FROM made) AS m WHERE before >= n;
ALTER TABLE made ADD COLUMN other objectid DEFAULT gen_objectid();
SELECT count(DISTINCT other) FROM made;
DROP TABLE made;

-- equal calls in a row are different ids, also if the scan below is parallel
CREATE TABLE source AS SELECT n FROM generate_series(1, 10000) AS n;
ANALYZE source; BEGIN; SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL max_parallel_workers_per_gather = 2;
SELECT 'CREATE TABLE made AS SELECT gen_objectid() AS a, gen_objectid() AS b, gen_objectid(now()) AS c,
  gen_objectid(now()) AS d FROM source WHERE n % 3 = 0' AS create \gset
SELECT plan_nodes(:'create');
:create;
SELECT count(*), count(*) FILTER (WHERE a = b OR c = d) AS equal FROM made;
COMMIT; DROP TABLE source, made;

-- neither a rollback nor DISCARD ALL gives ids back
BEGIN;
SELECT gen_objectid() AS first \gset
SAVEPOINT s;
SELECT gen_objectid() AS second \gset
ROLLBACK TO s;
SELECT gen_objectid() AS third \gset
ROLLBACK;
SELECT gen_objectid() AS fourth \gset
DISCARD ALL;
SELECT :'first'::objectid < :'second' AND :'second'::objectid < :'third' AND :'third'::objectid < :'fourth'
  AND :'fourth'::objectid < gen_objectid() AS increasing;
