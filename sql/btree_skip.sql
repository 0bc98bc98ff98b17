--
-- Skip support (18 and newer): an index is useful even if its first column has no condition,
-- because a scan steps from each value of that column to the next.
--
\t on
SELECT amproc::regprocedure, provolatile, proisstrict, proparallel, proleakproof
FROM pg_amproc AS p JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_proc ON pg_proc.oid = amproc
WHERE opfname = 'objectid_ops' AND amproclefttype = 'objectid'::regtype AND amprocnum = 6;
CREATE TABLE tenant_event (tenant objectid, kind integer, n integer);
INSERT INTO tenant_event
SELECT substr(md5((n % 5)::text), 1, 24)::objectid, n % 1000, n FROM generate_series(1, 50000) AS n;
-- adjacent ids, and the first and the last id, which have no neighbour on one side
INSERT INTO tenant_event
SELECT id, k % 1000, -1
FROM unnest(ARRAY['000000000000000000000000', '000000000000000000000001', '00000000ffffffffffffffff',
                  '000000010000000000000000', 'fffffffffffffffffffffffe', 'ffffffffffffffffffffffff',
                  NULL]::objectid[]) AS id, generate_series(0, 9999) AS k;
CREATE FUNCTION searches(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ' || query LOOP
    IF line ~ 'Index Searches|Index.*Scan' THEN RETURN NEXT trim(regexp_replace(line, ' \(actual.*', '')); END IF;
  END LOOP;
END$$;
-- the number of rows of a query, and a checksum, with the index or without
CREATE FUNCTION answer(query text, indexed boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
BEGIN
  PERFORM set_config('enable_seqscan', (NOT indexed)::text, true), set_config('enable_indexscan', indexed::text, true),
          set_config('enable_indexonlyscan', indexed::text, true);
  EXECUTE format('SELECT count(*) || '' '' || sum(hashtext(a::text)::bigint) FROM (%s OFFSET 0) AS a', query)
    INTO result;
  RETURN result;
END$$;
CREATE TABLE query (q text);
CREATE VIEW comparison AS
SELECT sum(split_part(answer(q, true), ' ', 1)::integer) AS found,
       count(*) FILTER (WHERE answer(q, true) <> answer(q, false)) AS wrong FROM query;
SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off;

-- the id first, forward and backward: one search for each of its 12 values, and some to find them
CREATE INDEX tenant_first ON tenant_event (tenant, kind, n); VACUUM ANALYZE tenant_event;
SELECT searches($$SELECT * FROM tenant_event WHERE kind = 42$$);
SELECT searches($$SELECT * FROM tenant_event WHERE kind = 42 ORDER BY tenant DESC, kind DESC, n DESC$$);
DROP INDEX tenant_first;
-- backward from the smallest value to NULL: one search more than if that value had a previous one
CREATE INDEX tenant_first ON tenant_event (tenant NULLS FIRST, kind, n); VACUUM ANALYZE tenant_event;
SELECT searches($$SELECT * FROM tenant_event WHERE kind = 999 ORDER BY tenant DESC NULLS LAST$$);
DROP INDEX tenant_first;
-- NULL next to the smallest value and next to the greatest: a scan steps between them.  Each order is
-- that of a backward scan of one of the indexes.
INSERT INTO query
SELECT 'SELECT * FROM tenant_event WHERE kind = 42 ' || rest
FROM unnest('{"",ORDER BY tenant DESC,ORDER BY tenant DESC NULLS LAST,ORDER BY tenant,
  ORDER BY tenant NULLS FIRST}'::text[]) AS rest;
INSERT INTO query VALUES
  ($$SELECT * FROM tenant_event
    WHERE kind = 42 AND tenant > '000000000000000000000001' AND tenant < 'ffffffffffffffffffffffff'$$),
  -- bounds whose neighbour is in a different second
  ($$SELECT * FROM tenant_event WHERE kind = 42 AND tenant < '000000010000000000000000'$$),
  ($$SELECT * FROM tenant_event WHERE kind = 42 AND tenant > '00000000ffffffffffffffff'$$);
SELECT format('CREATE INDEX tenant_first ON tenant_event (%s, kind, n)', tenant), 'ANALYZE tenant_event',
       'TABLE comparison', 'DROP INDEX tenant_first'
FROM unnest('{tenant,tenant NULLS FIRST,tenant DESC,tenant DESC NULLS LAST}'::text[]) AS tenant \gexec

-- the id as the second column, after a column of few values, and in the middle
CREATE INDEX tenant_second ON tenant_event ((kind % 3), tenant, n); ANALYZE tenant_event;
SELECT searches($$SELECT * FROM tenant_event WHERE tenant = 'ffffffffffffffffffffffff' AND n = -1$$);
SELECT searches($$SELECT kind % 3, tenant, n FROM tenant_event WHERE kind % 3 = 1 AND n = 77$$);
TRUNCATE query;
INSERT INTO query VALUES
  ($$SELECT * FROM tenant_event WHERE tenant = 'ffffffffffffffffffffffff' AND n = -1$$),
  ($$SELECT * FROM tenant_event WHERE kind % 3 = 1 AND n IN (-1, 77, 7777)$$);
TABLE comparison;
DROP VIEW comparison; DROP TABLE tenant_event, query; DROP FUNCTION answer, searches;
