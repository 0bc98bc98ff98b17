--
-- GiST: the operators of btree, combined with a range or a box.
--
\t on
\set VERBOSITY terse
SET timezone = 'UTC'; SET max_parallel_workers_per_gather = 0;

-- several distributions of ids, with NULL and equal ids
CREATE TABLE g (id objectid, n serial);
INSERT INTO g (id) SELECT substr(md5(n::text), 1, 24)::objectid FROM generate_series(1, 5000) AS n;
INSERT INTO g (id) SELECT gen_objectid('2024-01-01 00:00:00+00') FROM generate_series(1, 2000);
INSERT INTO g (id) SELECT '507f1f77bcf86cd799439011' FROM generate_series(1, 1000);
INSERT INTO g (id) VALUES (NULL), ('000000000000000000000000'), ('ffffffffffffffffffffffff');
CREATE TABLE probe (q text);
INSERT INTO probe
SELECT format('id %s %L', op, id)
FROM unnest(ARRAY['<', '<=', '=', '>=', '>', '<>']) AS op,
     (SELECT DISTINCT id FROM g WHERE n % 700 = 1 AND id IS NOT NULL
      UNION VALUES ('000000000000000000000000'::objectid), ('ffffffffffffffffffffffff'),
                   ('507f1f77bcf86cd799439010')) AS ids
UNION ALL VALUES ('id IS NULL'),
                 ($$id BETWEEN timestamptz '2024-01-01 00:00:00+00' AND timestamptz '2024-01-01 00:00:00+00'$$);
SELECT $$SELECT scan, c.* FROM (VALUES ('Index Scan', 'sum(n)'), ('Index Only Scan', 'sum(hashtext(id::text))'))
  AS v(scan, checksum), compare('g', checksum, scan) AS c;$$ AS compare \gset

-- sorted build
CREATE INDEX g_sorted ON g USING gist (id); VACUUM ANALYZE g;
:compare
SET enable_seqscan = off;
SELECT plan_nodes($$SELECT id FROM g WHERE id >= '80000000ffffffffffffffff'$$);
RESET enable_seqscan; DROP INDEX g_sorted;
-- row by row, with splits
CREATE TABLE rows (LIKE g);
INSERT INTO rows TABLE g;
TRUNCATE g; CREATE INDEX g_inserted ON g USING gist (id);
INSERT INTO g SELECT * FROM rows ORDER BY md5(n::text);
VACUUM ANALYZE g;
:compare
-- pages overlap little: a search for one id reads the root, a leaf and rarely more
-- (not counted: pages of the table, if another session keeps VACUUM from marking them)
CREATE FUNCTION pages(query text) RETURNS bigint LANGUAGE sql AS $$
  SELECT (top->>'Shared Hit Blocks')::bigint + (top->>'Shared Read Blocks')::bigint - (top->>'Heap Fetches')::bigint
  FROM top_node(query, 'ANALYZE, BUFFERS, TIMING OFF, ') AS top$$;
SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT avg(pages(format('SELECT id FROM g WHERE id = %L', id))) < 4 AS few
FROM (SELECT substr(md5(n::text), 1, 24)::objectid AS id FROM generate_series(50, 5000, 50) AS n) AS s;
-- the index needs no recheck: no operator is called
BEGIN; SET LOCAL track_functions = 'all';
SELECT count(*) FROM g
WHERE id > '800000000000000000000000' AND id <= 'a00000000000000000000000' AND id <> '900000000000000000000000';
SELECT f AS called FROM unnest('{objectid_gt,objectid_le,objectid_ne}'::regproc[]) AS f
WHERE pg_stat_get_xact_function_calls(f) > 0;
-- a recheck would be detected
SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off; SET LOCAL enable_seqscan = on;
SELECT count(*) FROM g
WHERE id > '800000000000000000000000' AND id <= 'a00000000000000000000000' AND id <> '900000000000000000000000';
SELECT f AS called FROM unnest('{objectid_gt,objectid_le,objectid_ne}'::regproc[]) AS f
WHERE pg_stat_get_xact_function_calls(f) > 0;
ROLLBACK;
RESET enable_seqscan; RESET enable_bitmapscan;
DELETE FROM g WHERE n % 3 = 0;
VACUUM g;
INSERT INTO g SELECT * FROM rows WHERE n % 3 = 0;
:compare
DROP INDEX g_inserted;
-- rows in order: pages are split in half
TRUNCATE g; CREATE INDEX g_ordered ON g USING gist (id);
INSERT INTO g SELECT * FROM rows ORDER BY id;
SELECT pg_relation_size('g_ordered') < 1000000 AS compact;
DROP FUNCTION pages;
:compare
-- three levels: equal ids and one greater; random ids as the second column
CREATE TABLE deep (k objectid, id objectid, n serial);
INSERT INTO deep (id) SELECT '507f1f77bcf86cd799439011' FROM generate_series(1, 60000)
UNION ALL VALUES ('ffffffffffffffffffffffff');
CREATE INDEX deep_id ON deep USING gist (id);
SELECT * FROM compare('deep', scan => 'Index Scan', kind => 'id >% ''507f%');
TRUNCATE deep; DROP INDEX deep_id;
INSERT INTO deep (k, id) SELECT objectid_from_time(to_timestamp(n % 1000)), substr(md5(n::text), 1, 24)::objectid
FROM generate_series(1, 60000) AS n;
CREATE INDEX deep_k_id ON deep USING gist (k, id); TRUNCATE probe;
INSERT INTO probe VALUES ($$id < '010000000000000000000000'$$), ($$id > 'ff0000000000000000000000'$$);
SELECT * FROM compare('deep', scan => 'Index Scan');
DROP TABLE g, rows, deep, probe;

-- two columns, and an exclusion constraint: one guest at a time in a room
CREATE TABLE stay (room objectid, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&));
INSERT INTO stay VALUES ('507f1f77bcf86cd799439011', '[2024-01-01, 2024-01-05)'),
                        ('507f1f77bcf86cd799439011', '[2024-01-05, 2024-01-07)'),
                        ('507f1f77bcf86cd799439012', '[2024-01-02, 2024-01-03)'), (NULL, '[2024-01-02, 2024-01-03)'),
                        (NULL, '[2024-01-02, 2024-01-03)');
INSERT INTO stay VALUES ('507f1f77bcf86cd799439011', '[2024-01-04, 2024-01-06)');
INSERT INTO stay SELECT objectid_from_time(to_timestamp(n)), tstzrange(to_timestamp(n), to_timestamp(n + 10))
FROM generate_series(1, 2000) AS n;
ANALYZE stay; SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT plan_nodes($$SELECT * FROM stay
  WHERE room = '507f1f77bcf86cd799439011' AND during && '[2024-01-04, 2024-01-06)'$$);
SELECT count(*) FROM stay WHERE room = '507f1f77bcf86cd799439011' AND during && '[2024-01-04, 2024-01-06)';
RESET enable_seqscan; RESET enable_bitmapscan;
DROP TABLE stay;
