--
-- Tables with ids: keys, references, generated columns, triggers, COPY.
--
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
\set VERBOSITY terse
INSERT INTO book (title, author) VALUES ('None', '507f1f77bcf86cd799439013');
\set VERBOSITY default
UPDATE author SET _id = '507f1f77bcf86cd7994390ff' WHERE name = 'Ann';
SELECT title, author FROM book ORDER BY title;
DELETE FROM author WHERE name = 'Bob';
SELECT title, author, editor FROM book ORDER BY title;
-- indexes on expressions and included columns
CREATE INDEX author_time ON author (objectid_time(_id));
CREATE UNIQUE INDEX author_hex ON author ((_id::bytea)) INCLUDE (_id);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT plan_nodes($$SELECT * FROM author WHERE objectid_time(_id) = '2012-10-17 21:13:27+00'$$);
RESET enable_seqscan;
RESET enable_bitmapscan;
SELECT name FROM author WHERE objectid_time(_id) = '2012-10-17 21:13:27+00';
-- triggers see and change ids
CREATE FUNCTION stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NEW._id IS NULL THEN
    NEW._id := gen_objectid('2012-10-17 21:13:27+00');
  ELSIF TG_OP = 'UPDATE' AND NEW._id <> OLD._id THEN
    RAISE EXCEPTION 'an id never changes, not to %', NEW._id;
  END IF;
  RETURN NEW;
END$$;
CREATE TRIGGER stamp BEFORE INSERT OR UPDATE ON book FOR EACH ROW EXECUTE FUNCTION stamp();
INSERT INTO book (_id, title) VALUES (NULL, 'Three') RETURNING objectid_time(_id);
UPDATE book SET _id = '507f1f77bcf86cd799439011' WHERE title = 'One' AND author = '507f1f77bcf86cd7994390ff';
UPDATE book SET title = 'Uno' WHERE title = 'One' RETURNING title, author;
CREATE TRIGGER watch AFTER UPDATE ON book FOR EACH ROW WHEN (OLD._id IS DISTINCT FROM NEW._id) EXECUTE FUNCTION stamp();
-- upsert, and an updatable view
INSERT INTO author VALUES ('507f1f77bcf86cd7994390ff', 'Anne')
  ON CONFLICT (_id) DO UPDATE SET name = excluded.name RETURNING _id, name;
CREATE VIEW old_author AS SELECT * FROM author WHERE _id < timestamptz '2020-01-01 00:00:00+00' WITH CHECK OPTION;
\set VERBOSITY terse
INSERT INTO old_author (name) VALUES ('Cleo');
\set VERBOSITY default
INSERT INTO old_author (_id, name) VALUES ('507f1f77bcf86cd799439012', 'Cleo') RETURNING name;
DROP VIEW old_author;
DROP TABLE book, author;
DROP FUNCTION stamp;

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
SELECT a.attname, format_type(atttypid, atttypmod) FROM pg_attribute AS a
WHERE attrelid = 'was_text'::regclass AND attnum > 0 ORDER BY attnum;
ALTER TABLE was_text ALTER id TYPE text, ALTER b TYPE bytea USING b::bytea;
SELECT id, b FROM was_text;
DROP TABLE was_text, loaded;
