--
-- GIN: the operators of btree, combined with a document; and arrays of ids.
--
SET max_parallel_workers_per_gather = 0;
CREATE TABLE note (tenant_id objectid, doc jsonb, refs objectid[], n integer);
INSERT INTO note
SELECT substr(md5((n % 100)::text), 1, 24)::objectid, jsonb_build_object('tag', n % 7, 'n', n),
       ARRAY[substr(md5((n % 50)::text), 1, 24)::objectid, substr(md5((n % 30)::text), 1, 24)::objectid], n
FROM generate_series(1, 5000) AS n;
INSERT INTO note VALUES (NULL, NULL, NULL, -1), ('000000000000000000000000', '{}', '{}', -2), ('ffffffffffffffffffffffff', '{}', '{NULL}', -3);
CREATE TABLE probe (q text);
INSERT INTO probe
SELECT format('tenant_id %s %L', op, id)
FROM unnest(ARRAY['<', '<=', '=', '>=', '>']) AS op,
     (SELECT DISTINCT tenant_id AS id FROM note WHERE n % 1500 = 1 UNION VALUES ('000000000000000000000000'::objectid), ('ffffffffffffffffffffffff'), ('507f1f77bcf86cd799439010')) AS ids
UNION ALL VALUES ($$tenant_id = 'a1d0c6e83f027327d8461063' AND doc @> '{"tag": 3}'$$),
                 ($$tenant_id BETWEEN '507f1f77bcf86cd799439010' AND 'a1d0c6e83f027327d8461063' AND doc @> '{"tag": 3}'$$);
CREATE INDEX note_gin ON note USING gin (tenant_id, doc);
ANALYZE note;
SELECT * FROM compare('note');
-- rows in the pending list, and after it is emptied
INSERT INTO note SELECT tenant_id, doc, refs, n + 10000 FROM note WHERE n > 4000;
SELECT * FROM compare('note');
VACUUM note;
SELECT * FROM compare('note');
SET enable_seqscan = off;
SELECT plan_nodes($$SELECT * FROM note WHERE tenant_id = 'a1d0c6e83f027327d8461063' AND doc @> '{"tag": 3}'$$);
RESET enable_seqscan;
DROP INDEX note_gin;

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
