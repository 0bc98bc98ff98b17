--
-- Hashes that spill to disk or are shared by workers, and compiled expressions, each compared with the same query
-- over bytea; prefixes of ids.
--
\t on
CREATE TABLE big (id objectid, b bytea, ref objectid, rb bytea, n integer);
INSERT INTO big
SELECT id, id::bytea, ref, ref::bytea, n
FROM (SELECT substr(md5(n::text), 1, 24)::objectid AS id, substr(md5((n % 500)::text), 1, 24)::objectid AS ref, n
      FROM generate_series(1, 20000) AS n OFFSET 0) AS t;
INSERT INTO big (n) VALUES (-1), (-2);
ANALYZE big;
SET enable_sort = off; SET enable_mergejoin = off; SET enable_nestloop = off;
\set groups 'SELECT sum(c * c) FROM (SELECT count(*) AS c FROM big GROUP BY id) AS g'
\set bytea_groups 'SELECT sum(c * c) FROM (SELECT count(*) AS c FROM big GROUP BY b) AS g'
\set join 'SELECT count(*), sum(a.n) FROM big a JOIN big b ON a.id = b.ref'
\set bytea_join 'SELECT count(*), sum(a.n) FROM big a JOIN big b ON a.b = b.rb'

-- spilled
SET max_parallel_workers_per_gather = 0; SET work_mem = '64kB'; SET hash_mem_multiplier = 1;
SELECT node FROM plan_nodes(:'groups') AS node WHERE node ~ 'Hash';
SELECT node FROM plan_nodes(:'join') AS node WHERE node ~ 'Hash';
SELECT (:groups) = (:bytea_groups) AS same_groups;
:join EXCEPT :bytea_join;
-- parallel
SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0; RESET work_mem;
SELECT node FROM plan_nodes(:'join') AS node WHERE node ~ 'Hash';
:join EXCEPT :bytea_join;
-- JIT
SET jit = on; SET jit_above_cost = 0; SET jit_inline_above_cost = 0; SET jit_optimize_above_cost = 0;
SELECT count(*) FILTER (WHERE id > '507f1f77bcf86cd799439011' AND (ref < 'a1d0c6e83f027327d8461063' OR ref IS NULL)) =
  count(*) FILTER (WHERE b > '\x507f1f77bcf86cd799439011' AND (rb < '\xa1d0c6e83f027327d8461063' OR rb IS NULL))
  AS same_counts FROM big;
RESET ALL; SET enable_seqscan = off; SET enable_bitmapscan = off;
CREATE INDEX big_id ON big (id); VACUUM ANALYZE big;
-- prefixes, as in docs/time.md: the rows of LIKE, by the index, also in a generic plan
SELECT prefix, by_range, by_text
FROM (SELECT DISTINCT left(id::text, length) AS prefix FROM big, generate_series(1, 24, 5) AS length
      WHERE n % 500 = 0) AS p,
     LATERAL (SELECT array_agg(n ORDER BY n) AS by_range FROM big
              WHERE id BETWEEN rpad(prefix, 24, '0')::objectid AND rpad(prefix, 24, 'f')::objectid) AS r,
     LATERAL (SELECT array_agg(n ORDER BY n) AS by_text FROM big WHERE id::text LIKE prefix || '%') AS t
WHERE by_range IS DISTINCT FROM by_text OR by_text IS NULL;
PREPARE prefix(text) AS
SELECT n FROM big WHERE id BETWEEN rpad($1, 24, '0')::objectid AND rpad($1, 24, 'f')::objectid ORDER BY id;
SET plan_cache_mode = force_custom_plan;
SELECT plan_nodes('EXECUTE prefix(''a1d0c'')');
SET plan_cache_mode = force_generic_plan;
SELECT plan_nodes('EXECUTE prefix(''a1d0c'')');
RESET plan_cache_mode;
SELECT outcome('SELECT count(*) FROM big WHERE id LIKE ''a1d0c%''', true);
DROP TABLE big;
