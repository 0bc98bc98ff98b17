--
-- Executor features with ids, each compared with the same query over bytea.
--
\t on
CREATE TABLE big (id objectid, b bytea, ref objectid, rb bytea, n integer);
INSERT INTO big
SELECT id, id::bytea, ref, ref::bytea, n
FROM (SELECT substr(md5(n::text), 1, 24)::objectid AS id, substr(md5((n % 500)::text), 1, 24)::objectid AS ref, n
      FROM generate_series(1, 20000) AS n OFFSET 0) AS t;
INSERT INTO big (n) VALUES (-1), (-2);
CREATE INDEX big_id ON big (id); CREATE INDEX big_n_id ON big ((n / 100), id); VACUUM ANALYZE big;

CREATE TABLE query (what text, settings text, node text, q text);
INSERT INTO query VALUES
  ('DISTINCT by hash', 'enable_sort=off', 'HashAggregate',
   'SELECT count(*) FROM (SELECT DISTINCT {ref} FROM big) AS d'),
  ('DISTINCT by sort', 'enable_hashagg=off enable_indexonlyscan=off', 'Unique|Group',
   'SELECT count(*) FROM (SELECT DISTINCT {ref} FROM big) AS d'),
  ('GROUP BY by hash', 'enable_sort=off', 'HashAggregate',
   'SELECT sum(c * c) FROM (SELECT {ref}, count(*) AS c FROM big GROUP BY 1) AS g'),
  ('GROUP BY by sort', 'enable_hashagg=off', 'GroupAggregate',
   'SELECT sum(c * c) FROM (SELECT {ref}, count(*) AS c FROM big GROUP BY 1) AS g'),
  ('GROUP BY, spilled',
   'enable_sort=off enable_indexscan=off enable_indexonlyscan=off work_mem=64kB hash_mem_multiplier=1',
   'HashAggregate', 'SELECT sum(c * c) FROM (SELECT {id}, count(*) AS c FROM big GROUP BY 1) AS g'),
  ('hash join', 'enable_mergejoin=off enable_nestloop=off', 'Hash Join',
   'SELECT count(*), sum(a.n) FROM big a JOIN big b ON a.{id} = b.{ref}'),
  ('hash join, spilled', 'enable_mergejoin=off enable_nestloop=off work_mem=64kB hash_mem_multiplier=1', 'Hash Join',
   'SELECT count(*), sum(a.n) FROM big a JOIN big b ON a.{id} = b.{id}'),
  ('merge join', 'enable_hashjoin=off enable_nestloop=off', 'Merge Join',
   'SELECT count(*), sum(a.n) FROM big a JOIN big b ON a.{id} = b.{ref}'),
  ('full join', '', 'Full Join', 'SELECT count(*), count(a.n), count(b.n)
    FROM big a FULL JOIN (SELECT * FROM big WHERE n % 2 = 0) b ON a.{id} = b.{ref}'),
  ('semi join', 'enable_hashagg=off', 'Semi Join',
   'SELECT count(*), sum(n) FROM big a WHERE EXISTS (SELECT FROM big b WHERE a.{id} = b.{ref})'),
  ('anti join', '', 'Anti Join',
   'SELECT count(*), sum(n) FROM big a WHERE NOT EXISTS (SELECT FROM big b WHERE a.{id} = b.{ref})'),
  ('hashed subplan', '', 'SubPlan',
   'SELECT count(*) FROM big WHERE {id} NOT IN (SELECT {ref} FROM big WHERE {ref} IS NOT NULL)'),
  ('UNION', '', 'Aggregate|Unique', 'SELECT count(*) FROM (SELECT {id} FROM big UNION SELECT {ref} FROM big) AS u'),
  ('recursive UNION', '', 'Recursive Union', 'WITH RECURSIVE r AS (SELECT {ref} AS x, 0 AS d FROM big WHERE n < 5
    UNION SELECT {id}, d + 1 FROM big, r WHERE {ref} = x AND d < 1) SELECT count(*) FROM r'),
  ('window', '', 'WindowAgg', 'SELECT sum(r), sum(d), sum(l) FROM (SELECT rank() OVER (ORDER BY {ref}) AS r,
    dense_rank() OVER (PARTITION BY n % 3 ORDER BY {ref}) AS d, lag(n) OVER (ORDER BY {id}, n) AS l FROM big) AS w'),
  ('ORDER BY', 'enable_indexscan=off enable_indexonlyscan=off', 'Sort',
   'SELECT md5(string_agg(n::text, '','')) FROM (SELECT n FROM big ORDER BY {id} DESC NULLS LAST, n OFFSET 0) AS o'),
  ('ORDER BY, spilled', 'work_mem=64kB', 'Sort',
   'SELECT md5(string_agg(n::text, '','')) FROM (SELECT n FROM big ORDER BY {ref}, n OFFSET 0) AS o'),
  ('parallel hash join', 'max_parallel_workers_per_gather=2 parallel_setup_cost=0 parallel_tuple_cost=0 '
   'min_parallel_table_scan_size=0 enable_mergejoin=off enable_nestloop=off', 'Parallel Hash Join',
   'SELECT count(*), sum(a.n) FROM big a JOIN big b ON a.{id} = b.{ref}'),
  ('parallel GROUP BY', 'max_parallel_workers_per_gather=2 parallel_setup_cost=0 parallel_tuple_cost=0 '
   'min_parallel_table_scan_size=0', 'Partial',
   'SELECT sum(c * c) FROM (SELECT {ref}, count(*) AS c FROM big GROUP BY 1) AS g'),
  ('parallel sort', 'max_parallel_workers_per_gather=2 parallel_setup_cost=0 parallel_tuple_cost=0 '
   'min_parallel_table_scan_size=0 enable_indexscan=off enable_indexonlyscan=off enable_incremental_sort=off',
   'Gather Merge', 'SELECT md5(string_agg(n::text, '','')) FROM (SELECT n FROM big ORDER BY {id}, n OFFSET 0) AS o'),
  ('JIT', 'jit=on jit_above_cost=0 jit_inline_above_cost=0 jit_optimize_above_cost=0', 'Aggregate',
   'SELECT count(*), sum(n) FROM big WHERE {id} > {low} AND {id} <> {high} AND ({ref} < {high} OR {ref} IS NULL)');
CREATE FUNCTION observe(one query) RETURNS TABLE (node_found boolean, same boolean) LANGUAGE plpgsql AS $$
DECLARE
  setting text;
  q text;
  ours text;
  theirs text;
BEGIN
  PERFORM set_config('max_parallel_workers_per_gather', '0', true);
  FOREACH setting IN ARRAY string_to_array(one.settings, ' ') LOOP
    PERFORM set_config(split_part(setting, '=', 1), split_part(setting, '=', 2), true);
  END LOOP;
  q := replace(replace(replace(replace(one.q, '{id}', 'id'), '{ref}', 'ref'),
                       '{low}', '''507f1f77bcf86cd799439011'''), '{high}', '''a1d0c6e83f027327d8461063''');
  node_found := EXISTS (SELECT FROM plan_nodes(q) AS p WHERE p ~ one.node);
  EXECUTE 'SELECT r::text FROM (' || q || ') AS r' INTO ours;
  q := replace(replace(replace(replace(one.q, '{id}', 'b'), '{ref}', 'rb'),
                       '{low}', '''\x507f1f77bcf86cd799439011'''), '{high}', '''\xa1d0c6e83f027327d8461063''');
  q := regexp_replace(regexp_replace(q, '([ab])\.b\M', '\1.b', 'g'), '([ab])\.rb\M', '\1.rb', 'g');
  EXECUTE 'SELECT r::text FROM (' || q || ') AS r' INTO theirs;
  same := ours = theirs;
  FOREACH setting IN ARRAY string_to_array(one.settings, ' ') LOOP
    EXECUTE 'RESET ' || split_part(setting, '=', 1);
  END LOOP;
  RESET max_parallel_workers_per_gather;
  RETURN NEXT;
END$$;
SELECT what, node_found, same, count(*) OVER () FROM query, observe(query) WHERE NOT node_found OR same IS NOT TRUE;
DROP FUNCTION observe; DROP TABLE query;

-- incremental sort and memoize
SET max_parallel_workers_per_gather = 0; SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT plan_nodes('SELECT n FROM big ORDER BY id, n LIMIT 10');
SET enable_hashjoin = off; SET enable_mergejoin = off;
SELECT plan_nodes('SELECT count(*) FROM big a JOIN big b ON b.id = a.ref');
SELECT count(*), sum(b.n) FROM big a JOIN big b ON b.id = a.ref;
SET enable_memoize = off;
SELECT count(*), sum(b.n) FROM big a JOIN big b ON b.id = a.ref;
RESET enable_memoize; RESET enable_hashjoin; RESET enable_mergejoin; RESET enable_seqscan;
RESET enable_bitmapscan;

-- prepared statements, with inferred and with specified types
PREPARE inferred AS SELECT n FROM big WHERE id = $1;
EXECUTE inferred('a1d0c6e83f027327d8461063');
EXECUTE inferred('ObjectId("202cb962ac59075b964b0715")');
PREPARE many(objectid[]) AS SELECT n FROM big WHERE id = ANY ($1) ORDER BY n;
EXECUTE many('{a1d0c6e83f027327d8461063,202cb962ac59075b964b0715}');
DEALLOCATE ALL;

-- statistics, plain and extended
SELECT n_distinct, null_frac > 0 AS has_nulls, most_common_vals IS NULL AS all_different,
       array_length(histogram_bounds::text::text[], 1) > 50 AS histogram, correlation IS NOT NULL AS correlation
FROM pg_stats WHERE tablename = 'big' AND attname = 'id';
CREATE STATISTICS big_st (ndistinct, dependencies, mcv) ON ref, rb FROM big;
ANALYZE big;
SELECT stxdndistinct IS NOT NULL AS ndistinct, stxddependencies IS NOT NULL AS dependencies, stxdmcv IS NOT NULL AS mcv
FROM pg_statistic_ext_data JOIN pg_statistic_ext ON oid = stxoid WHERE stxname = 'big_st';
DROP TABLE big;
