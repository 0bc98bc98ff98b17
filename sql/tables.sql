--
-- Tables with ids: keys, references, generated columns, triggers, COPY.
--
\t on
\set VERBOSITY terse
SET timezone = 'UTC';
CREATE TABLE author (_id objectid DEFAULT gen_objectid() PRIMARY KEY, name text UNIQUE,
                     since timestamptz GENERATED ALWAYS AS (objectid_time(_id)) STORED);
CREATE TABLE book (_id objectid DEFAULT gen_objectid() PRIMARY KEY, title text,
                   author objectid REFERENCES author ON DELETE CASCADE ON UPDATE CASCADE,
                   editor objectid REFERENCES author ON DELETE SET NULL);
INSERT INTO author VALUES ('507f1f77bcf86cd799439011', 'Ann'), ('507f1f77bcf86cd799439012', 'Bob');
INSERT INTO book (title, author, editor) VALUES ('One', '507f1f77bcf86cd799439011', '507f1f77bcf86cd799439012'),
                                                ('Two', '507f1f77bcf86cd799439012', NULL);
SELECT name, since FROM author ORDER BY _id;
-- references are enforced, cascade, and are set to NULL
INSERT INTO book (title, author) VALUES ('None', '507f1f77bcf86cd799439013');
UPDATE author SET _id = '507f1f77bcf86cd7994390ff' WHERE name = 'Ann';
SELECT title, author FROM book ORDER BY title;
DELETE FROM author WHERE name = 'Bob';
SELECT title, author, editor FROM book ORDER BY title;
-- indexes on expressions and included columns
CREATE INDEX author_time ON author (objectid_time(_id));
CREATE UNIQUE INDEX author_hex ON author ((_id::bytea)) INCLUDE (_id);
SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT plan_nodes($$SELECT * FROM author WHERE objectid_time(_id) = '2012-10-17 21:13:27+00'$$);
RESET enable_seqscan; RESET enable_bitmapscan;
SELECT name FROM author WHERE objectid_time(_id) = '2012-10-17 21:13:27+00';
-- upsert, and an updatable view
INSERT INTO author VALUES ('507f1f77bcf86cd7994390ff', 'Anne')
  ON CONFLICT (_id) DO UPDATE SET name = excluded.name RETURNING _id, name;
CREATE VIEW old_author AS SELECT * FROM author WHERE _id < timestamptz '2020-01-01 00:00:00+00' WITH CHECK OPTION;
INSERT INTO old_author (name) VALUES ('Cleo');
INSERT INTO old_author (_id, name) VALUES ('507f1f77bcf86cd799439012', 'Cleo') RETURNING name;
DROP VIEW old_author; DROP TABLE book, author;

-- COPY: text and CSV in both directions, with all forms of input
CREATE TABLE loaded (id objectid, ids objectid[]);
COPY loaded FROM stdin;
507f1f77bcf86cd799439011	{507f1f77bcf86cd799439012,NULL}
ObjectId("507f1f77bcf86cd799439012")	{}
{"$oid": "507f1f77bcf86cd799439013"}	\N
\\x507f1f77bcf86cd799439014	\N
\N	\N
\.
COPY loaded FROM stdin (FORMAT csv, HEADER);
id,ids
ObjectId(507f1f77bcf86cd799439015),
"{""$oid"": ""507f1f77bcf86cd799439016""}","{507f1f77bcf86cd799439012}"
"ObjectId(""507f1f77bcf86cd799439017"")",
,
\.
COPY loaded TO stdout;
COPY loaded TO stdout (FORMAT csv, HEADER, FORCE_QUOTE *, NULL 'none');
COPY loaded (id) FROM stdin;
507f1f77bcf86cd799439018
507f1f77bcf86cd79943901
\.
SELECT count(*) FROM loaded;
-- rewriting: a text column to objectid, and back
CREATE TABLE was_text (id text PRIMARY KEY, c char(24), b bytea);
INSERT INTO was_text VALUES ('507f1f77bcf86cd799439011', '507f1f77bcf86cd799439012', '\x507f1f77bcf86cd799439013');
ALTER TABLE was_text ALTER id TYPE objectid USING id::objectid, ALTER c TYPE objectid USING c::objectid,
  ALTER b TYPE objectid USING b::objectid;
SELECT * FROM was_text;
SELECT DISTINCT atttypid::regtype FROM pg_attribute WHERE attrelid = 'was_text'::regclass AND attnum > 0;
ALTER TABLE was_text ALTER id TYPE text, ALTER b TYPE bytea USING b::bytea;
SELECT id, b FROM was_text;
DROP TABLE was_text, loaded;
