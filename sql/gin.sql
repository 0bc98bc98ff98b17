--
-- GIN: the operators of btree, combined with a document; and arrays of ids.
--
\t on
SET max_parallel_workers_per_gather = 0;
CREATE TABLE note (tenant_id objectid, doc jsonb, refs objectid[], n integer);
INSERT INTO note
SELECT substr(md5((n % 100)::text), 1, 24)::objectid, jsonb_build_object('tag', n % 7, 'n', n),
       ARRAY[substr(md5((n % 50)::text), 1, 24)::objectid, substr(md5((n % 30)::text), 1, 24)::objectid], n
FROM generate_series(1, 5000) AS n;
INSERT INTO note VALUES (NULL, NULL, NULL, -1), ('000000000000000000000000', '{}', '{}', -2),
                        ('ffffffffffffffffffffffff', '{}', '{NULL}', -3);
CREATE TABLE probe (q text);
INSERT INTO probe
SELECT format('tenant_id %s %L', op, id)
FROM unnest(ARRAY['<', '<=', '=', '>=', '>']) AS op,
     (SELECT DISTINCT tenant_id AS id FROM note WHERE n % 1500 = 1
      UNION VALUES ('000000000000000000000000'::objectid), ('ffffffffffffffffffffffff'),
                   ('507f1f77bcf86cd799439010')) AS ids
UNION ALL VALUES ($$tenant_id = 'a1d0c6e83f027327d8461063' AND doc @> '{"tag": 3}'$$),
                 ($$tenant_id BETWEEN '507f1f77bcf86cd799439010' AND 'a1d0c6e83f027327d8461063'
                   AND doc @> '{"tag": 3}'$$);
CREATE INDEX note_gin ON note USING gin (tenant_id, doc); ANALYZE note;
SELECT * FROM compare('note');
-- rows in the pending list, and after it is emptied
INSERT INTO note SELECT tenant_id, doc, refs, n + 10000 FROM note WHERE n > 4000;
SELECT * FROM compare('note');
VACUUM note;
SELECT * FROM compare('note');
SET enable_seqscan = off;
SELECT plan_nodes($$SELECT * FROM note WHERE tenant_id = 'a1d0c6e83f027327d8461063' AND doc @> '{"tag": 3}'$$);
-- the index needs no recheck: no operator is called (gist.sql shows that a call would be counted)
BEGIN; SET LOCAL track_functions = 'all';
SELECT count(*) FROM note WHERE tenant_id > '507f1f77bcf86cd799439010' AND tenant_id <= 'a1d0c6e83f027327d8461063';
SELECT f AS called FROM unnest('{objectid_gt,objectid_le}'::regproc[]) AS f
WHERE pg_stat_get_xact_function_calls(f) > 0;
ROLLBACK;
DROP INDEX note_gin;
-- a scan reads only the pages with its ids
CREATE TABLE many AS SELECT substr(md5(n::text), 1, 24)::objectid AS id FROM generate_series(1, 20000) AS n;
CREATE INDEX many_gin ON many USING gin (id); VACUUM ANALYZE many;
SELECT op, id, (scan->>'Shared Hit Blocks')::integer + (scan->>'Shared Read Blocks')::integer < 10 AS few
FROM (VALUES ('<', '01'), ('<=', '01'), ('=', 'a1'), ('>=', 'ff'), ('>', 'ff')) AS c(op, id),
     LATERAL (SELECT top_node(format('SELECT * FROM many WHERE id %s %L', op, rpad(id, 24, '0')),
                              'ANALYZE, BUFFERS, TIMING OFF, ')->'Plans'->0) AS p(scan);
DROP TABLE many; RESET enable_seqscan;

-- arrays of ids use core's operator class for arrays
CREATE INDEX note_refs ON note USING gin (refs);
DELETE FROM probe;
INSERT INTO probe VALUES
  ($$refs @> '{a1d0c6e83f027327d8461063}'$$),
  ($$refs && '{a1d0c6e83f027327d8461063,202cb962ac59075b964b0715,182be0c5cdcd5072bb1864cd}'$$),
  ($$refs @> '{6512bd43d9caa6e02c990b0a,6512bd43d9caa6e02c990b0a}'$$),
  ($$refs = ARRAY(SELECT DISTINCT unnest(refs) FROM note WHERE n = 1)$$);
SELECT * FROM compare('note');
DROP TABLE note, probe;
