--
-- Types built from objectid: arrays, composite types, domains, ranges; their use in SQL, PL/pgSQL, JSON and tables.
--
\t on
\set VERBOSITY terse
SET timezone = 'UTC';

-- arrays
SELECT ARRAY['507f1f77bcf86cd799439011', 'ObjectId(507f1f77bcf86cd799439012)', NULL]::objectid[],
       '{507f1f77bcf86cd799439011,"ObjectId(\"507f1f77bcf86cd799439012\")"}'::objectid[];
SELECT '507f1f77bcf86cd799439011' = ANY (ids) AS "any", ids[2], array_length(ids, 1),
       ids || gen_objectid() > ids AS longer, array_position(ids, '507f1f77bcf86cd799439012'),
       array_remove(ids, '507f1f77bcf86cd799439011'), ids @> '{507f1f77bcf86cd799439012}' AS contains
FROM (SELECT '{507f1f77bcf86cd799439011,507f1f77bcf86cd799439012}'::objectid[] AS ids) AS a;
SELECT '{507f1f77bcf86cd799439011,x}'::objectid[];
-- elements are char-aligned: 12 bytes each, without padding
SELECT pg_column_size(ARRAY[gen_objectid(), gen_objectid()]) - pg_column_size(ARRAY[gen_objectid()]) AS bytes;

-- composite types and rows
CREATE TYPE link AS (source objectid, target objectid);
SELECT ROW('507f1f77bcf86cd799439011', 'ObjectId(507f1f77bcf86cd799439012)')::link, '(507f1f77bcf86cd799439011,)'::link,
       (ROW('507f1f77bcf86cd799439011', NULL)::link).source,
       ROW('507f1f77bcf86cd799439011'::objectid, 1) < ROW('507f1f77bcf86cd799439012'::objectid, 0) AS less;

-- domains
CREATE DOMAIN recent_id AS objectid DEFAULT gen_objectid() CHECK (VALUE >= timestamptz '2020-01-01');
CREATE TABLE with_domain (id recent_id PRIMARY KEY, n integer);
INSERT INTO with_domain (n) VALUES (1), (2);
INSERT INTO with_domain VALUES ('507f1f77bcf86cd799439011');
SELECT count(*) FROM with_domain
WHERE id > timestamptz '2020-01-01' AND id <= gen_objectid() AND objectid_time(id) > '2020-01-01';
DROP TABLE with_domain; DROP DOMAIN recent_id;

-- ranges and multiranges
CREATE TYPE objectidrange AS RANGE (subtype = objectid);
SELECT objectidrange(objectid_from_time('2024-01-01'), objectid_from_time('2024-02-01'))
         @> gen_objectid('2024-01-15') AS inside,
       objectidrange(objectid_from_time('2024-01-01'), objectid_from_time('2024-02-01'))
         && '[,000000010000000000000000)' AS overlap,
       '[507f1f77bcf86cd799439011,507f1f77bcf86cd799439012]'::objectidrange AS range,
       '{[507f1f77bcf86cd799439011,507f1f77bcf86cd799439012),
         [507f1f77bcf86cd799439012,507f1f77bcf86cd799439013)}'::objectidmultirange AS multirange,
       'empty'::objectidrange < '[507f1f77bcf86cd799439011,)' AS less;
SELECT '[507f1f77bcf86cd799439012,507f1f77bcf86cd799439011]'::objectidrange;
CREATE TABLE periods (r objectidrange, EXCLUDE USING gist (r WITH &&));
INSERT INTO periods VALUES ('[507f1f77bcf86cd799439011,507f1f77bcf86cd799439012)'),
                           ('[507f1f77bcf86cd799439012,507f1f77bcf86cd799439013)');
INSERT INTO periods VALUES ('[507f1f77bcf86cd799439012,507f1f77bcf86cd799439012]');
DROP TABLE periods; DROP TYPE objectidrange;

-- PL/pgSQL: arguments, results, variables, exceptions
CREATE FUNCTION pl(id objectid, VARIADIC ids objectid[]) RETURNS objectid LANGUAGE plpgsql AS $$
DECLARE
  l link;
BEGIN
  l.source := id;
  l.target := '507f1f77bcf86cd799439013'::text;
  l.source := 'no id';
EXCEPTION WHEN invalid_text_representation THEN
  RETURN greatest(l.source, ids[1]);
END$$;
SELECT pl('507f1f77bcf86cd799439011', '507f1f77bcf86cd799439012', NULL);
DROP FUNCTION pl; DROP TYPE link;

-- JSON output and input.  A cast to json would be faster, but core takes no type with such a cast for keys.
SELECT json_build_object(id, 1), jsonb_build_object(id, 1), json_object_agg(id, 1), jsonb_object_agg(id, 1)
FROM (VALUES ('507f1f77bcf86cd799439011'::objectid)) AS v(id) GROUP BY id;
SELECT to_jsonb('507f1f77bcf86cd799439011'::objectid),
       json_build_object('_id', jsonb_build_object('$oid', '507f1f77bcf86cd799439011'::objectid)),
       row_to_json(r), jsonb_agg(id) FROM (SELECT '507f1f77bcf86cd799439012'::objectid AS id) AS r GROUP BY r;
SELECT * FROM jsonb_to_recordset('[{"_id": {"$oid": "507f1f77bcf86cd799439011"},
  "refs": ["507f1f77bcf86cd799439012", {"$oid": "507f1f77bcf86cd799439013"}]}, {"_id": null}]')
  AS r(_id objectid, refs objectid[]);
SELECT * FROM json_to_recordset('[{"_id": {"$oid": "507f1f77bcf86cd799439011"}}]') AS r(_id objectid);
SELECT * FROM jsonb_to_record('{"_id": {"$oid": "507f1f77bcf86cd7994390"}}') AS r(_id objectid);

-- tables: a key with a default, a reference, a generated column, upsert
CREATE TABLE author (id objectid DEFAULT gen_objectid() PRIMARY KEY, name text,
                     since timestamptz GENERATED ALWAYS AS (objectid_time(id)) STORED);
CREATE TABLE book (author objectid REFERENCES author ON UPDATE CASCADE);
INSERT INTO author VALUES ('507f1f77bcf86cd799439011', 'Ann') RETURNING since;
INSERT INTO book VALUES ('507f1f77bcf86cd799439011'), ('ObjectId(507f1f77bcf86cd799439011)');
INSERT INTO book VALUES ('507f1f77bcf86cd799439013');
UPDATE author SET id = '507f1f77bcf86cd7994390ff';
INSERT INTO author VALUES ('507f1f77bcf86cd7994390ff', 'Anne') ON CONFLICT (id) DO UPDATE SET name = excluded.name;
SELECT author, name FROM book JOIN author ON id = author;
DROP TABLE author, book;

-- COPY, and a text column that becomes one of ids
CREATE TABLE loaded (id objectid, ids objectid[]);
COPY loaded FROM stdin;
{"$oid": "507f1f77bcf86cd799439013"}	{507f1f77bcf86cd799439012,NULL}
\\x507f1f77bcf86cd799439014	\N
\.
COPY loaded FROM stdin (FORMAT csv);
"{""$oid"": ""507f1f77bcf86cd799439016""}","{507f1f77bcf86cd799439012}"
\.
COPY loaded TO stdout;
ALTER TABLE loaded ALTER id TYPE text;
ALTER TABLE loaded ALTER id TYPE objectid USING id::objectid;
SELECT id FROM loaded;
DROP TABLE loaded;
