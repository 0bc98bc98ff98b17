--
-- Casts
--
-- text, varchar and char: on assignment
\t on
CREATE TABLE t (id objectid);
INSERT INTO t SELECT text '507f1f77bcf86cd799439011';
INSERT INTO t SELECT varchar '507f1f77bcf86cd799439012';
INSERT INTO t SELECT bytea '\x507f1f77bcf86cd799439013';
INSERT INTO t SELECT char(24) '507f1f77bcf86cd799439015';
PREPARE by_driver(varchar) AS INSERT INTO t VALUES ($1);
EXECUTE by_driver('{"$oid": "507f1f77bcf86cd799439014"}');
DEALLOCATE by_driver;
TABLE t;
-- never implicitly
\set VERBOSITY terse
SELECT * FROM t WHERE id = text '507f1f77bcf86cd799439011';
SELECT * FROM t WHERE id = bytea '\x507f1f77bcf86cd799439013';
INSERT INTO t SELECT jsonb '"507f1f77bcf86cd799439011"';
INSERT INTO t SELECT json '"507f1f77bcf86cd799439011"';
INSERT INTO t SELECT now();
INSERT INTO t SELECT 1;
\set VERBOSITY default
SELECT max(text '507f1f77bcf86cd799439011'), max(id) FROM t;

-- round trips
SELECT bool_and(id::text::objectid = id) AS text,
       bool_and(id::varchar::objectid = id) AS varchar,
       bool_and(id::char(24)::objectid = id) AS char,
       bool_and(id::bytea::objectid = id) AS bytea,
       bool_and(to_json(id)::objectid = id) AS json,
       bool_and(to_jsonb(id)::objectid = id) AS jsonb,
       bool_and(jsonb_build_object('$oid', id)::objectid = id) AS oid,
       bool_and(objectid_from_time(id::timestamptz) <= id) AS time
FROM (SELECT substr(md5(n::text), 1, 24)::objectid AS id FROM generate_series(1, 1000) AS n OFFSET 0) AS ids;

-- bytea: 12 bytes
SELECT '507f1f77bcf86cd799439011'::objectid::bytea, bytea '\x507f1f77bcf86cd799439011'::objectid;
SELECT bytea '\x507f1f77bcf86cd7994390'::objectid;
SELECT length, outcome FROM generate_series(0, 25) AS length,
  outcome(format('SELECT %L::bytea::objectid', decode(repeat('00', length), 'hex')))
WHERE outcome <> CASE length WHEN 12 THEN '000000000000000000000000' ELSE '22P03' END;
-- compressed and stored out of line
CREATE TABLE big (b bytea);
INSERT INTO big SELECT decode(repeat('00', 1000000), 'hex');
SELECT b::objectid FROM big;
DROP TABLE big;

-- json and jsonb: a string or Extended JSON; null gives NULL
SELECT doc, type, outcome FROM (VALUES
  ('507f1f77bcf86cd799439011', ARRAY[
    '"507f1f77bcf86cd799439011"', '"507F1F77BCF86CD799439011"', ' "507f1f77bcf86cd799439011" ',
    '"\u0035\u0030\u0037f1f77bcf86cd799439011"', '"ObjectId(507f1f77bcf86cd799439011)"',
    '"{\"$oid\": \"507f1f77bcf86cd799439011\"}"', -- Debezium's keys
    '{"$oid": "507f1f77bcf86cd799439011"}', E'{\n"$oid"\t:\r"507f1f77bcf86cd799439011" }',
    '{"$oid": "507f1f77bcf86cd799439011"} ',
    '{"$oid": "507f1f77bcf86cd799439012", "$oid": "507f1f77bcf86cd799439011"}',
    ' { "$oid" : "507f1f77bcf86cd799439011" } ', '{"\u0024oid": "507f1f77bcf86cd799439011"}']),
  ('NULL', ARRAY['null', ' null ']),
  ('22P02', ARRAY[
    'true', '42', '507100000000000000000000', '[]', '[null]', '["507f1f77bcf86cd799439011"]', '{}', '""', '"null"',
    '"507f1f77bcf86cd79943901"', '{"$oid": null}', '{"$oid": 507100000000000000000000}',
    '{"$oid": {"$oid": "507f1f77bcf86cd799439011"}}', '{"$oid": "507f1f77bcf86cd79943901"}',
    '{"$oid": "507f1f77bcf86cd7994390111"}', '{"$oid": "507f1f77bcf86cd7994390112222"}',
    '{"$oid": "ObjectId(507f1f77bcf86cd799439011)"}', '{"$oid": "507f1f77bcf86cd799439011", "more": 1}',
    '{"oid": "507f1f77bcf86cd799439011"}']))
  AS v(result, docs), unnest(docs) AS doc, unnest('{json,jsonb}'::regtype[]) AS type,
  outcome(format('SELECT %L::%s::objectid', doc, type)) WHERE outcome <> result;
SELECT jsonb '42'::objectid;
SELECT json '{"$oid": 42}'::objectid;
-- white space and escapes make no difference
SELECT (repeat(E' \n', 300) || '"507f1f77bcf86cd799439011"')::json::objectid,
       (repeat(E'\t\r', 300) || '{"$oid":"507f1f77bcf86cd799439011"}')::json::objectid;
SELECT ('"' || string_agg('\u00' || to_hex(ascii(c)), '' ORDER BY n) || '"')::json::objectid
FROM regexp_split_to_table('BSON::ObjectId("507f1f77bcf86cd799439011")', '') WITH ORDINALITY AS t(c, n);
-- an error shows the beginning of a value, or only { or [ for a large object or array
SELECT to_jsonb(repeat('0123456789', 11))::objectid;
SELECT to_json(repeat('0123456789', 1000))::objectid;
SELECT jsonb_build_object('text', repeat('0123456789', 200))::objectid;
SELECT to_jsonb(array_fill(0, ARRAY[10000]))::objectid;
SELECT n, right(outcome(format($$SELECT jsonb_build_object('text', repeat('0', %s))::objectid$$, n), true), 5)
FROM unnest('{9984,9985}'::integer[]) AS n;
SELECT (doc->'_id')::objectid AS id, (doc->>'_id')::objectid AS id_text, (doc->'ref')::objectid AS ref
FROM (SELECT jsonb '{"_id": {"$oid": "507f1f77bcf86cd799439011"}, "ref": null}' AS doc) AS t;

-- arrays: elements as in the scalar casts
SELECT doc, type, outcome FROM (VALUES
  ('{}', ARRAY['[]']), ('{NULL}', ARRAY['[null]']), ('NULL', ARRAY['null']),
  ('{507f1f77bcf86cd799439011,507f1f77bcf86cd799439012,NULL,507f1f77bcf86cd799439013}', ARRAY[' [ {"$oid":
    "507f1f77bcf86cd799439011"} , "507F1F77BCF86CD799439012",null, "ObjectId(507f1f77bcf86cd799439013)" ] ']),
  ('22P02', ARRAY['true', '"507f1f77bcf86cd799439011"', '"{507f1f77bcf86cd799439011}"',
    '{"$oid": "507f1f77bcf86cd799439011"}', '{}', '[[]]', '[["507f1f77bcf86cd799439011"]]', '[{}]', '[507]',
    '[{"$oid": "507f1f77bcf86cd799439011", "more": 1}]', '["507f1f77bcf86cd79943901"]']))
  AS v(result, docs), unnest(docs) AS doc, unnest('{json,jsonb}'::regtype[]) AS type,
  outcome(format('SELECT %L::%s::objectid[]', doc, type)) WHERE outcome <> result;
SELECT jsonb '["507f1f77bcf86cd799439011", {"$oid": "5"}]'::objectid[];
SELECT count(*) FILTER (WHERE to_jsonb(ids)::objectid[] = ids AND to_json(ids)::objectid[] = ids) AS there_and_back
FROM (SELECT array_agg(substr(md5(n::text), 1, 24)::objectid) AS ids
      FROM generate_series(1, 1000) AS n GROUP BY n % 10) AS s;
-- a long value can be cancelled, before the cast or the division by zero raises its error
CREATE TEMP TABLE long AS SELECT jsonb '[null, null]' AS doc;
SELECT pg_cancel_backend(pg_backend_pid()) AND 1 / (cardinality(doc::objectid[]) - 2) > 0 FROM long;
-- no copies of the strings remain: they take less memory than Extended JSON, of which there are no copies
CREATE TEMP TABLE doc AS
  SELECT to_jsonb(array_agg(id)) AS strings, jsonb_agg(jsonb_build_object('$oid', id)) AS objects
  FROM (SELECT substr(md5(n::text), 1, 24)::objectid AS id FROM generate_series(1, 10000) AS n) AS s;
\set memory '(SELECT sum(used_bytes) FROM pg_backend_memory_contexts)'
SELECT cardinality(strings::objectid[]) AS strings, :memory AS strings_memory FROM doc \gset
SELECT cardinality(objects::objectid[]) AS objects, :memory AS objects_memory FROM doc \gset
SELECT :strings AS strings, :objects AS objects, :strings_memory < :objects_memory AS less_memory;
-- explicit, as when reading a document
\set VERBOSITY terse
CREATE TABLE many (ids objectid[]);
INSERT INTO many SELECT jsonb '[]';
INSERT INTO many SELECT json '[]';
DROP TABLE many;
\set VERBOSITY default

-- time, explicitly
SET timezone = 'UTC';
SELECT '507f1f77bcf86cd799439011'::objectid::timestamptz;
RESET timezone;

-- the parts of an id: the present layout, and the layout before 2018
SELECT substring(id::bytea, 5, 5) AS random, substring(id::bytea, 10, 3) AS counter,
       substring(id::bytea, 5, 3) AS machine, substring(id::bytea, 8, 2) AS process
FROM (SELECT '4df2dcec2cdcd20936a8b817'::objectid AS id) AS t;

DROP TABLE t;
