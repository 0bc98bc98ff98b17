--
-- Skip support (18 and newer): an index is useful even if its first column has no condition,
-- because a scan steps from each value of that column to the next.
--
SELECT amproc::regprocedure, provolatile, proisstrict, proparallel, proleakproof
FROM pg_amproc AS p JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_proc ON pg_proc.oid = amproc
WHERE opfname = 'objectid_ops' AND amproclefttype = 'objectid'::regtype AND amprocnum = 6;
CREATE TABLE tenant_event (tenant objectid, kind integer, n integer);
INSERT INTO tenant_event
SELECT substr(md5((n % 5)::text), 1, 24)::objectid, n % 1000, n FROM generate_series(1, 50000) AS n;
-- adjacent ids, and the first and the last id, which have no neighbour on one side
INSERT INTO tenant_event
SELECT id, k % 1000, -1
FROM unnest(ARRAY['000000000000000000000000', '000000000000000000000001', '00000000ffffffffffffffff', '000000010000000000000000',
                  'fffffffffffffffffffffffe', 'ffffffffffffffffffffffff', NULL]::objectid[]) AS id, generate_series(0, 9999) AS k;
CREATE FUNCTION searches(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
    IF line ~ 'Index Searches|Index.*Scan' THEN RETURN NEXT trim(regexp_replace(line, ' \(actual.*', '')); END IF;
  END LOOP;
END$$;
SET enable_seqscan = off;
SET enable_bitmapscan = off;

-- the id first, forward and backward: one search for each of its 12 values, and some to find them
CREATE INDEX tenant_first ON tenant_event (tenant, kind, n);
VACUUM ANALYZE tenant_event;
SELECT searches($$SELECT * FROM tenant_event WHERE kind = 42$$);
SELECT searches($$SELECT * FROM tenant_event WHERE kind = 42 ORDER BY tenant DESC, kind DESC, n DESC$$);
CREATE TABLE answer (how text, tenant objectid, kind integer, n integer);
INSERT INTO answer SELECT 'skip', * FROM tenant_event WHERE kind = 42;
INSERT INTO answer SELECT 'skip, range', * FROM tenant_event WHERE kind = 42 AND tenant > '000000000000000000000001' AND tenant < 'ffffffffffffffffffffffff';
-- bounds whose neighbour is in a different second
INSERT INTO answer SELECT 'skip, below', * FROM tenant_event WHERE kind = 42 AND tenant < '000000010000000000000000';
INSERT INTO answer SELECT 'skip, above', * FROM tenant_event WHERE kind = 42 AND tenant > '00000000ffffffffffffffff';
INSERT INTO answer SELECT 'skip, back', * FROM (SELECT * FROM tenant_event WHERE kind = 42 ORDER BY tenant DESC, kind DESC, n DESC OFFSET 0) AS b;
DROP INDEX tenant_first;

-- NULL next to the smallest value and next to the greatest: a scan steps between them
CREATE INDEX tenant_null_first ON tenant_event (tenant NULLS FIRST, kind, n);
ANALYZE tenant_event;
INSERT INTO answer SELECT 'skip, null first', * FROM tenant_event WHERE kind = 42;
INSERT INTO answer SELECT 'skip, null first, back', * FROM (SELECT * FROM tenant_event WHERE kind = 42 ORDER BY tenant DESC NULLS LAST, kind DESC, n DESC OFFSET 0) AS b;
DROP INDEX tenant_null_first;
CREATE INDEX tenant_desc ON tenant_event (tenant DESC, kind, n);
ANALYZE tenant_event;
INSERT INTO answer SELECT 'skip, desc', * FROM tenant_event WHERE kind = 42;
INSERT INTO answer SELECT 'skip, desc, back', * FROM (SELECT * FROM tenant_event WHERE kind = 42 ORDER BY tenant, kind DESC, n DESC OFFSET 0) AS b;
DROP INDEX tenant_desc;
CREATE INDEX tenant_desc_last ON tenant_event (tenant DESC NULLS LAST, kind, n);
ANALYZE tenant_event;
INSERT INTO answer SELECT 'skip, desc last', * FROM tenant_event WHERE kind = 42;
INSERT INTO answer SELECT 'skip, desc last, back', * FROM (SELECT * FROM tenant_event WHERE kind = 42 ORDER BY tenant NULLS FIRST, kind DESC, n DESC OFFSET 0) AS b;
DROP INDEX tenant_desc_last;

-- the id as the second column, after a column of few values, and in the middle
CREATE INDEX tenant_second ON tenant_event ((kind % 3), tenant, n);
ANALYZE tenant_event;
SELECT searches($$SELECT * FROM tenant_event WHERE tenant = 'ffffffffffffffffffffffff' AND n = -1$$);
SELECT searches($$SELECT kind % 3, tenant, n FROM tenant_event WHERE kind % 3 = 1 AND n = 77$$);
INSERT INTO answer SELECT 'skip, second', * FROM tenant_event WHERE tenant = 'ffffffffffffffffffffffff' AND n = -1;
INSERT INTO answer SELECT 'skip, between', * FROM tenant_event WHERE kind % 3 = 1 AND n IN (-1, 77, 7777);
SET enable_seqscan = on;
SET enable_indexscan = off;
SET enable_indexonlyscan = off;
INSERT INTO answer SELECT 'scan', * FROM tenant_event WHERE kind = 42;
INSERT INTO answer SELECT 'scan, range', * FROM tenant_event WHERE kind = 42 AND tenant > '000000000000000000000001' AND tenant < 'ffffffffffffffffffffffff';
INSERT INTO answer SELECT 'scan, below', * FROM tenant_event WHERE kind = 42 AND tenant < '000000010000000000000000';
INSERT INTO answer SELECT 'scan, above', * FROM tenant_event WHERE kind = 42 AND tenant > '00000000ffffffffffffffff';
INSERT INTO answer SELECT 'scan, back', * FROM tenant_event WHERE kind = 42;
INSERT INTO answer
SELECT how, tenant, kind, n
FROM unnest(ARRAY['scan, null first', 'scan, null first, back', 'scan, desc', 'scan, desc, back', 'scan, desc last', 'scan, desc last, back']) AS how,
     tenant_event WHERE kind = 42;
INSERT INTO answer SELECT 'scan, second', * FROM tenant_event WHERE tenant = 'ffffffffffffffffffffffff' AND n = -1;
INSERT INTO answer SELECT 'scan, between', * FROM tenant_event WHERE kind % 3 = 1 AND n IN (-1, 77, 7777);
SELECT what, count(*) FILTER (WHERE how = 'skip') AS skipped, count(*) FILTER (WHERE how = 'scan') AS scanned,
       sum(hashtext(row::text)::bigint) FILTER (WHERE how = 'skip') = sum(hashtext(row::text)::bigint) FILTER (WHERE how = 'scan') AS same
FROM (SELECT left(how, 4) AS how, substr(how, 5) AS what, (tenant, kind, n) AS row FROM answer) AS a GROUP BY what ORDER BY what COLLATE "C";
DROP TABLE tenant_event, answer;
DROP FUNCTION searches;
