--
-- The extension changes nothing for queries without objectid: expressions keep their meaning, and
-- queries keep their plans.
--
\t on
SET timezone = 'UTC'; SET max_parallel_workers_per_gather = 0;
CREATE TABLE a (d date, t timestamptz, ts timestamp, x text, j jsonb, u uuid, b bytea);
CREATE TABLE b (LIKE a);
INSERT INTO a SELECT date '2024-01-01' + n, timestamptz '2024-01-01 00:00+00' + n * interval '1 day',
                     timestamp '2024-01-01' + n * interval '1 day', n::text, to_jsonb(n), md5(n::text)::uuid,
                     decode(md5(n::text), 'hex')
FROM generate_series(1, 2000) AS n;
INSERT INTO b TABLE a;
CREATE INDEX a_d ON a (d); CREATE INDEX a_t ON a (t); CREATE INDEX b_t ON b (t); CREATE INDEX b_d ON b (d);
VACUUM ANALYZE a, b;

CREATE TABLE query (n serial, q text);
INSERT INTO query (q) VALUES
  -- untyped literals next to each type for which the extension has an operator or a cast
  ($$SELECT t > '2024-02-01', '2024-02-01' <= t, t BETWEEN '2024-01-01' AND '2024-02-01' FROM a$$),
  ($$SELECT d > '2024-02-01', '2024-02-01' <= d, ts >= '2024-02-01', '2024-02-01' < ts FROM a$$),
  ($$SELECT '1' < '2', 'b' >= 'a', NULL < NULL, '2024-01-01' > NULL$$),
  ($$SELECT now() > '2024-02-01', 'now' <= current_date, 'infinity' > localtimestamp$$),
  ($$SELECT d < t, t >= d, ts <= t, d > ts, t > current_date, now() - t > '1 day' FROM a$$),
  ($$SELECT x > '1', x::varchar <= '2', '3' < x::char(5), b > '\x00', '\xff' >= b FROM a$$),
  ($$SELECT j > '1', '2' <= j, j->>'a' > '1', u > '550e8400-e29b-41d4-a716-446655440000',
    '00000000-0000-0000-0000-000000000000' < u FROM a$$),
  ($$SELECT max(t), min(d), max(x), min('a'), max(NULL), max(ts), min('2024-01-01'::date) FROM a$$),
  ($$SELECT greatest(t, d), least(d, ts), coalesce(t, '2024-01-01'), CASE WHEN d IS NULL THEN 'x' ELSE x END FROM a$$),
  ($$SELECT tstzrange(t, NULL) @> '[2024-02-01,2024-03-01)', '[2024-02-01,2024-03-01)' <@ tstzrange(t, NULL),
    tstzrange(t, NULL) @> t FROM a$$),
  ($$SELECT t = '2024-01-01', '507f1f77bcf86cd799439011' = x, '507f1f77bcf86cd799439011' < '507f1f77bcf86cd799439012'
    FROM a$$),
  ($$SELECT t IN ('2024-01-01', '2024-01-02'), d = ANY ('{2024-01-01}'), (d, x) > ('2024-01-01', 'a') FROM a$$),
  ($$SELECT * FROM (SELECT '507f1f77bcf86cd799439011' AS id UNION SELECT NULL) AS s$$),
  -- equivalence classes of date, timestamp and timestamptz
  ($$SELECT * FROM a JOIN b ON a.d = b.t$$),
  ($$SELECT * FROM a JOIN b ON a.t = b.d AND a.t = b.t$$),
  ($$SELECT * FROM a JOIN b ON a.ts = b.t WHERE a.ts > '2024-02-01'$$),
  ($$SELECT * FROM a JOIN b ON a.t = b.t WHERE a.t = '2024-02-01 00:00+00'$$),
  ($$SELECT * FROM a JOIN b ON a.d = b.t WHERE a.d = date '2024-02-01'$$),
  ($$SELECT * FROM a JOIN b USING (t) ORDER BY t$$),
  ($$SELECT d, count(*) FROM a GROUP BY d ORDER BY d$$),
  ($$SELECT * FROM a WHERE t >= current_date AND t < now() AND d > t$$),
  ($$SELECT t, sum(1) OVER (ORDER BY t RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) FROM a$$);
CREATE TABLE outcome (n integer, hash boolean, extension boolean, line text);
CREATE FUNCTION observe(extension boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
  how boolean;
  l text;
BEGIN
  FOR one IN SELECT * FROM query ORDER BY n LOOP
    -- by cost, and with merge joins only
    FOREACH how IN ARRAY ARRAY[true, false] LOOP
      PERFORM set_config('enable_hashjoin', how::text, true), set_config('enable_nestloop', how::text, true);
      FOR l IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || one.q LOOP
        INSERT INTO outcome VALUES (one.n, how, extension, l);
      END LOOP;
    END LOOP;
  END LOOP;
END$$;

SELECT observe(true);
DROP EXTENSION objectid;
SELECT observe(false);
CREATE EXTENSION objectid;

SELECT extension, count(DISTINCT n) AS queries, count(DISTINCT (n, hash)) AS plans
FROM outcome GROUP BY extension ORDER BY extension;
SELECT count(*) FILTER (WHERE line ~ 'Merge Cond: \(\(?a.d = b.t') AS merges FROM outcome;
(SELECT n, hash, line FROM outcome WHERE extension EXCEPT ALL SELECT n, hash, line FROM outcome WHERE NOT extension);
(SELECT n, hash, line FROM outcome WHERE NOT extension EXCEPT ALL SELECT n, hash, line FROM outcome WHERE extension);

-- a comparison with an objectid is not part of an equivalence class of timestamptz
CREATE TABLE c (id objectid PRIMARY KEY);
SELECT plan_nodes($$SELECT * FROM a JOIN b ON a.t = b.t JOIN c ON c.id > a.t WHERE a.t = '2024-02-01 00:00+00'$$);
DROP TABLE a, b, c, query, outcome; DROP FUNCTION observe;
