-- A path with each extension that needs or does something else than with uuid, and what must come out, for
-- t/scale_extensions.pl.  An entry begins with a line "--- extension | package of Debian | settings", NN being
-- the version.  It runs in a new database, after the statements up to the first entry.  A line "--page FILE
-- SECTION" stands for the statements of this section.  psql must print what the lines "--=" show; key(N) is
-- shown as #N.
ALTER DATABASE postgres SET client_min_messages = warning;
CREATE EXTENSION objectid;
CREATE FUNCTION key(n integer) RETURNS objectid LANGUAGE sql IMMUTABLE STRICT RETURN lpad(to_hex(n), 24, '0')::objectid;
CREATE TABLE event (id objectid PRIMARY KEY, n integer);
INSERT INTO event SELECT key(n), n FROM generate_series(1, 1000) AS n;
ANALYZE;

--- bloom | postgresql-NN
CREATE EXTENSION bloom;
--page docs/other-software.md bloom
CREATE INDEX event_bloom ON event USING bloom (id, n);
ALTER TABLE event DROP CONSTRAINT event_pkey;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id = key(7) AND n = 7;
--= Bitmap Heap Scan on event
--=   Recheck Cond: ((id = '#7'::objectid) AND (n = 7))
--=   ->  Bitmap Index Scan on event_bloom
--=         Index Cond: ((id = '#7'::objectid) AND (n = 7))
SELECT count(*) FROM generate_series(1, 1000) AS k JOIN LATERAL (SELECT FROM event WHERE id = key(k) LIMIT 1) AS found ON true;
--= 1000

--- pljs | postgresql-NN-pljs
CREATE EXTENSION pljs;
CREATE FUNCTION same(a objectid) RETURNS text LANGUAGE pljs AS $$ return a $$;
SELECT same(key(7)) = key(7)::text;
--= f
CREATE FUNCTION same_text(a text) RETURNS text LANGUAGE pljs AS $$ return a $$;
SELECT CAST(same_text(key(7)::text) AS objectid);
--= #7

--- pg_ivm | postgresql-NN-pg-ivm | shared_preload_libraries = 'pg_ivm'
CREATE EXTENSION pg_ivm;
SELECT pgivm.create_immv('first', 'SELECT min(id) FROM event');
--= ERROR:  aggregate function min(objectid) is not supported on incrementally maintainable materialized view

--- wal2json | postgresql-NN-wal2json | output_plugin_libraries = 'pgoutput, wal2json'
SELECT FROM pg_create_logical_replication_slot('json', 'wal2json');
INSERT INTO event VALUES (key(2000), 1);
DELETE FROM event WHERE id = key(7);
SELECT data FROM pg_logical_slot_get_changes('json', NULL, NULL, 'format-version', '2', 'include-transaction', 'false');
--= {"action":"I","schema":"public","table":"event","columns":[{"name":"id","type":"objectid","value":"#2000"},{"name":"n","type":"integer","value":1}]}
--= {"action":"D","schema":"public","table":"event","identity":[{"name":"id","type":"objectid","value":"#7"}]}
SELECT FROM pg_drop_replication_slot('json');

--- decoderbufs | postgresql-NN-decoderbufs | output_plugin_libraries = 'pgoutput, decoderbufs'
SELECT FROM pg_create_logical_replication_slot('buffers', 'decoderbufs');
--= INFO:  Exiting startup callback
INSERT INTO event VALUES (key(2000), 1);
SELECT bool_or(position(key(2000)::text::bytea IN data) > 0) FROM pg_logical_slot_get_binary_changes('buffers', NULL, NULL);
--= INFO:  Exiting startup callback
--= t
SELECT FROM pg_drop_replication_slot('buffers');

--- pg_partman | postgresql-NN-partman
CREATE SCHEMA partman;
CREATE EXTENSION pg_partman SCHEMA partman;
--page docs/partitions.md pg_partman
--= t
SELECT count(*) > 4 FROM pg_inherits WHERE inhparent = 'visit'::regclass;
--= t
INSERT INTO visit (page) VALUES ('a');
SELECT count(*) FROM ONLY visit_default;
--= 0
SELECT count(*) AS partitions FROM pg_inherits WHERE inhparent = 'visit'::regclass \gset
UPDATE partman.part_config SET retention = '2 days';
CALL partman.run_maintenance_proc();
SELECT count(*) < :partitions FROM pg_inherits WHERE inhparent = 'visit'::regclass;
--= t
CREATE TABLE visit_all (LIKE visit);
SELECT partitions_undone > 2, rows_undone FROM partman.undo_partition('public.visit', 'public.visit_all', p_loop_count := 100);
--= t|1
SELECT page FROM visit_all;
--= a

--- mongo_fdw | postgresql-NN-mongo-fdw
CREATE EXTENSION mongo_fdw;
CREATE SERVER mongo FOREIGN DATA WRAPPER mongo_fdw OPTIONS (address '127.0.0.1', port '1');
CREATE USER MAPPING FOR CURRENT_USER SERVER mongo;
CREATE FOREIGN TABLE films (_id name, title text) SERVER mongo OPTIONS (database 'film', collection 'movies');
CREATE VIEW film AS SELECT _id::text::objectid AS _id, title FROM films;
EXPLAIN (COSTS OFF, VERBOSE) SELECT * FROM film WHERE _id > timestamptz '2024-01-01';
--= Foreign Scan on public.films
--=   Output: ((films._id)::text)::objectid, films.title
--=   Filter: (((films._id)::text)::objectid >= '659200810000000000000000'::objectid)
--=   Foreign Namespace: film.movies

--- documentdb | postgresql-NN-documentdb | shared_preload_libraries = 'pg_cron, pg_documentdb_core, pg_documentdb'; listen_addresses = 'localhost'
CREATE EXTENSION documentdb CASCADE;
SET search_path = public, documentdb_core, documentdb_api;
SELECT create_collection('film', 'movies');
--= t
INSERT INTO event SELECT left(md5(n::text), 24)::objectid FROM generate_series(1, 1000) AS n;
SELECT count(*) FROM event WHERE insert_one('film', 'movies', format('{"_id": {"$oid": "%s"}}', id)::bson) IS NOT NULL;
--= 2000
CREATE TEMPORARY TABLE movie AS SELECT object_id, document->>'_id' AS _id, (document->>'_id')::objectid AS id FROM collection('film', 'movies');
SELECT count(*) FROM movie JOIN event USING (id)
WHERE _id = format('{ "$oid" : "%s" }', id) AND object_id::bytea = '\x130000000700' || objectid_send(id) || '\x00';
--= 2000
SELECT count(*) FROM (SELECT rank() OVER (ORDER BY object_id) AS a, rank() OVER (ORDER BY id) AS b FROM movie) AS ranked WHERE a = b;
--= 2000
