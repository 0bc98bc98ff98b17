--
-- BRIN: minmax (the default), minmax-multi and bloom.  The validator does not check optional support
-- functions, so the test builds and queries an index of every class.
--
\t on
SET timezone = 'UTC'; SET max_parallel_workers_per_gather = 0;

-- the distance of 96-bit numbers is never negative, and grows with them
SELECT string_agg(objectid_distance(a, b)::text, ' ')
FROM (VALUES ('000000000000000000000000'::objectid, '000000000000000000000000'::objectid),
             ('000000000000000000000000', '000000000000000000000001'),
             ('0000000000000000000000ff', '000000000000000000000100'),
             ('00000000ffffffffffffffff', '000000010000000000000000'),
             ('000000000000000000000000', '000000010000000000000000'),
             ('7fffffff0000000000000000', '800000000000000000000000'),
             ('000000000000000000000000', 'ffffffffffffffffffffffff')) AS v(a, b);
SELECT count(*) FILTER (WHERE objectid_distance(least(a, b), greatest(a, b)) < 0) AS negative,
       count(*) FILTER (WHERE objectid_distance(least(a, b), greatest(a, b)) = 0 AND a <> b) AS zero,
       count(*) FILTER (WHERE objectid_distance(a, b) <> objectid_distance(b, a)) AS asymmetric
FROM (SELECT substr(md5(n::text), 1, 24)::objectid AS a, substr(md5((n + 1)::text), 1, 24)::objectid AS b
      FROM generate_series(1, 1000) AS n) AS v;

-- append-only data, and some rows of long ago among them
-- autovacuum would summarise, too
CREATE TABLE log (id objectid, filler text) WITH (fillfactor = 10, autovacuum_enabled = off);
INSERT INTO log
SELECT CASE WHEN n % 500 = 0 THEN gen_objectid(timestamptz '2000-01-01 00:00:00+00' + n * interval '1 day')
            ELSE gen_objectid(timestamptz '2024-01-01 00:00:00+00' + n * interval '1 minute') END, repeat('x', 50)
FROM generate_series(1, 10000) AS n;
CREATE TABLE probe (q text);
INSERT INTO probe
SELECT format('id %s %L', op, id)
FROM unnest(ARRAY['<', '<=', '=', '>=', '>']) AS op,
     (SELECT id FROM log WHERE ctid IN ('(1,1)', '(50,2)', '(100,3)', '(150,1)') UNION ALL
      VALUES ('000000000000000000000000'::objectid), ('ffffffffffffffffffffffff'),
             (objectid_from_time('2024-01-03 12:00:00+00'))) AS ids
UNION ALL VALUES ($$id >= timestamptz '2024-01-02 00:00:00+00' AND id < timestamptz '2024-01-02 03:00:00+00'$$),
                 ($$id < timestamptz '2010-01-01 00:00:00+00'$$);
CREATE VIEW comparison AS SELECT * FROM compare('log', 'sum(hashtext(id::text))');
CREATE VIEW bloom_comparison AS SELECT * FROM compare('log', 'sum(hashtext(id::text))', kind => 'id = %');

-- number of pages read for a window of three hours
CREATE FUNCTION pages_read() RETURNS bigint LANGUAGE sql SET enable_seqscan = off AS $$
  SELECT (top->>'Exact Heap Blocks')::bigint + (top->>'Lossy Heap Blocks')::bigint
  FROM top_node($q$SELECT * FROM log WHERE id >= timestamptz '2024-01-02 00:00:00+00'
    AND id < timestamptz '2024-01-02 03:00:00+00'$q$, 'ANALYZE, ') AS top$$;

-- outliers widen a minmax range; minmax-multi separates them
CREATE INDEX log_brin ON log USING brin (id objectid_minmax_multi_ops) WITH (pages_per_range = 4);
SELECT pages_read() AS multi \gset
DROP INDEX log_brin; CREATE INDEX log_brin ON log USING brin (id) WITH (pages_per_range = 4);
SELECT pages_read() AS minmax \gset
SELECT :minmax < pg_relation_size('log') / current_setting('block_size')::integer / 2 AS excludes_pages,
       :multi < :minmax / 2 AS fewer_pages;

-- minmax
TABLE comparison;
-- later rows: in ranges not yet summarised, then summarised, then extended
INSERT INTO log SELECT gen_objectid(timestamptz '2024-01-02 01:00:00+00'), repeat('x', 50) FROM generate_series(1, 300);
TABLE comparison;
SELECT brin_summarize_new_values('log_brin') > 0 AS summarised;
TABLE comparison;
INSERT INTO log SELECT gen_objectid(timestamptz '1999-01-01 00:00:00+00'), 'x' FROM generate_series(1, 3);
UPDATE log SET id = gen_objectid(timestamptz '2099-01-01 00:00:00+00') WHERE ctid = '(20,1)';
TABLE comparison;
DROP INDEX log_brin;

-- minmax-multi
CREATE INDEX log_brin ON log USING brin (id objectid_minmax_multi_ops) WITH (pages_per_range = 4);
TABLE comparison;
INSERT INTO log SELECT gen_objectid(timestamptz '2024-01-02 01:00:00+00'), repeat('x', 50) FROM generate_series(1, 300);
INSERT INTO log SELECT gen_objectid(timestamptz '1999-01-01 00:00:00+00'), 'x' FROM generate_series(1, 3);
TABLE comparison;
DROP INDEX log_brin;
-- many values in a range with few slots: their distances decide which are merged
CREATE INDEX log_brin ON log USING brin (id objectid_minmax_multi_ops (values_per_range = 8))
  WITH (pages_per_range = 64);
TABLE comparison;
INSERT INTO log SELECT substr(md5(n::text), 1, 24)::objectid, 'x' FROM generate_series(1, 500) AS n;
TABLE comparison;
DROP INDEX log_brin;

-- bloom
CREATE INDEX log_brin ON log USING brin (id objectid_bloom_ops) WITH (pages_per_range = 4);
TABLE bloom_comparison;
INSERT INTO log SELECT id, filler FROM log LIMIT 300;
TABLE bloom_comparison;
DROP INDEX log_brin;

DROP VIEW comparison, bloom_comparison; DROP TABLE log, probe; DROP FUNCTION pages_read;
