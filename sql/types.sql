--
-- Types built from objectid: arrays, composite types, ranges; their use in JSON and tables.
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

-- ranges and multiranges
CREATE TYPE objectidrange AS RANGE (subtype = objectid);
SELECT objectidrange(objectid_from_time('2024-01-01'), objectid_from_time('2024-02-01'))
         @> gen_objectid('2024-01-15') AS inside,
       '[507f1f77bcf86cd799439011,507f1f77bcf86cd799439012]'::objectidrange AS range,
       '{[507f1f77bcf86cd799439011,507f1f77bcf86cd799439012),
         [507f1f77bcf86cd799439012,507f1f77bcf86cd799439013)}'::objectidmultirange AS multirange,
       'empty'::objectidrange < '[507f1f77bcf86cd799439011,)' AS less;
DROP TYPE objectidrange; DROP TYPE link;

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
INSERT INTO book VALUES ('507f1f77bcf86cd799439011');
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
COPY loaded TO stdout;
ALTER TABLE loaded ALTER id TYPE text;
ALTER TABLE loaded ALTER id TYPE objectid USING id::objectid;
SELECT id FROM loaded;
DROP TABLE loaded;
