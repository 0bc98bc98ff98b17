-- A path with each extension, and what must come out, for t/scale_extensions.pl.  An entry begins with a line
-- "--- extension | package of Debian | type | settings", NN being the version.  It runs in a new database,
-- once with objectid and once with uuid unless the line names one type, after the statements up to the first
-- entry.  A line "--page FILE SECTION" stands for the statements of this section.  psql must print what the
-- lines "--=" show; key(N) is shown as #N, and the type as ID.  If an entry calls differing(), two
-- clients write to both tables while it runs.
ALTER DATABASE postgres SET client_min_messages = warning;
CREATE EXTENSION objectid;
CREATE FUNCTION key(integer) RETURNS :id LANGUAGE sql IMMUTABLE STRICT RETURN :key;
CREATE FUNCTION new_key() RETURNS :id LANGUAGE sql VOLATILE RETURN :new;
CREATE TABLE event (id :id PRIMARY KEY, n integer);
INSERT INTO event SELECT key(n), n FROM generate_series(1, 1000) AS n;
CREATE TABLE twin AS TABLE event;
ALTER TABLE twin ADD PRIMARY KEY (id);
CREATE FUNCTION differing() RETURNS bigint LANGUAGE sql AS
  'SELECT count(*) FROM event FULL JOIN twin USING (id) WHERE event.n IS DISTINCT FROM twin.n';
ANALYZE;

--- pg_stat_statements | postgresql-NN | | shared_preload_libraries = 'pg_stat_statements'
CREATE EXTENSION pg_stat_statements;
SELECT pg_stat_statements_reset() IS NOT NULL;
--= t
SELECT n FROM event WHERE id = key(7);
--= 7
SELECT calls, rows, query FROM pg_stat_statements WHERE query LIKE '%WHERE id =%' AND query NOT LIKE '%calls%';
--= 1|1|SELECT n FROM event WHERE id = key($1)

--- bloom | postgresql-NN | objectid
CREATE EXTENSION bloom;
--page docs/extensions.md bloom
CREATE INDEX event_bloom ON event USING bloom (id, n);
ALTER TABLE event DROP CONSTRAINT event_pkey;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id = key(7) AND n = 7;
--= Bitmap Heap Scan on event
--=   Recheck Cond: ((id = '#7'::ID) AND (n = 7))
--=   ->  Bitmap Index Scan on event_bloom
--=         Index Cond: ((id = '#7'::ID) AND (n = 7))
SELECT count(*) FROM generate_series(1, 1000) AS k JOIN LATERAL (SELECT FROM event WHERE id = key(k) LIMIT 1) AS found ON true;
--= 1000

--- pg_repack | postgresql-NN-repack
CREATE EXTENSION pg_repack;
SELECT pg_relation_filenode('event') AS before \gset
\! pg_repack --dbname=postgres --table=event >repack.log 2>&1 || cat repack.log
SELECT pg_relation_filenode('event') <> :before, differing();
--= t|0

--- pg_squeeze | postgresql-NN-squeeze | | shared_preload_libraries = 'pg_squeeze'; output_plugin_libraries = 'pgoutput, pg_squeeze'
CREATE EXTENSION pg_squeeze;
SELECT pg_relation_filenode('event') AS before \gset
SELECT squeeze.squeeze_table('public', 'event', 'event_pkey');
--=
SELECT pg_relation_filenode('event') <> :before, differing();
--= t|0

--- pg_rewrite | postgresql-NN-pg-rewrite | | shared_preload_libraries = 'pg_rewrite'; output_plugin_libraries = 'pgoutput, pg_rewrite'
CREATE EXTENSION pg_rewrite;
CREATE TABLE parts (LIKE event INCLUDING ALL) PARTITION BY HASH (id);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SELECT rewrite_table('event', 'parts', 'event_old');
--=
SELECT relkind, differing() FROM pg_class WHERE oid = 'event'::regclass;
--= p|0

--- pglogical | postgresql-NN-pglogical | | shared_preload_libraries = 'pglogical'; output_plugin_libraries = 'pgoutput, pglogical_output'
SELECT format('host=%s port=%s dbname=', split_part(current_setting('unix_socket_directories'), ',', 1), current_setting('port')) AS dsn \gset
CREATE EXTENSION pglogical;
SELECT FROM pglogical.create_node('provider', :'dsn' || 'postgres');
SELECT pglogical.replication_set_add_table('default', 'event');
--= t
CREATE DATABASE other;
\c other
SET client_min_messages = warning;
CREATE EXTENSION objectid;
CREATE EXTENSION pglogical;
CREATE TABLE event (id :id PRIMARY KEY, n integer);
SELECT FROM pglogical.create_node('subscriber', :'dsn' || 'other');
SELECT FROM pglogical.create_subscription('events', :'dsn' || 'postgres');
SELECT pglogical.wait_for_subscription_sync_complete('events');
--=
\c postgres
UPDATE event SET n = -n WHERE id <= key(10);
DELETE FROM event WHERE id > key(990);
INSERT INTO event VALUES (key(2000), 2000);
SELECT pglogical.wait_slot_confirm_lsn(NULL, NULL);
--=
\c other
SELECT count(*), min(id::text), max(id::text), sum(n) FROM event;
--= 991|#1|#2000|492435
SELECT pglogical.drop_subscription('events');
--= 1
\c postgres
DROP DATABASE other WITH (FORCE);

--- hypopg | postgresql-NN-hypopg
CREATE EXTENSION hypopg;
ALTER TABLE event DROP CONSTRAINT event_pkey;
SELECT key(7) AS key \gset
SELECT indexrelid FROM hypopg_create_index('CREATE INDEX ON event USING hash (id)') \gset
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id = :'key' \g | sed 's/<[0-9]*>//'
--= Index Scan using "hash_event_id" on event
--=   Index Cond: (id = '#7'::ID)
SELECT FROM hypopg_drop_index(:indexrelid);
SELECT FROM hypopg_create_index('CREATE INDEX ON event (id)');
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id < :'key' \g | sed 's/<[0-9]*>//'
--= Index Scan using "btree_event_id" on event
--=   Index Cond: (id < '#7'::ID)

--- pg_hint_plan | postgresql-NN-pg-hint-plan | | shared_preload_libraries = 'pg_hint_plan'
/*+ SeqScan(event) */ EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id = key(7);
--= Seq Scan on event
--=   Filter: (id = '#7'::ID)
/*+ MergeJoin(event twin) */ EXPLAIN (COSTS OFF) SELECT count(*) FROM event JOIN twin USING (id);
--= Aggregate
--=   ->  Merge Join
--=         Merge Cond: (event.id = twin.id)
--=         ->  Index Only Scan using event_pkey on event
--=         ->  Index Only Scan using twin_pkey on twin
/*+ HashJoin(event twin) */ SELECT count(*) FROM event JOIN twin USING (id);
--= 1000

--- pgaudit | postgresql-NN-pgaudit | | shared_preload_libraries = 'pgaudit'
CREATE EXTENSION pgaudit;
PREPARE renumber AS UPDATE event SET n = $2 WHERE id = $1;
SET pgaudit.log = 'write';
SET pgaudit.log_client = on;
SET pgaudit.log_level = notice;
SET pgaudit.log_parameter = on;
SET client_min_messages = notice;
EXECUTE renumber (key(8), 9);
--= NOTICE:  AUDIT: SESSION,1,1,WRITE,UPDATE,,,PREPARE renumber AS UPDATE event SET n = $2 WHERE id = $1,"#8,9"

--- plpgsql_check | postgresql-NN-plpgsql-check
CREATE EXTENSION plpgsql_check;
CREATE FUNCTION first_after(after :id) RETURNS integer LANGUAGE plpgsql AS $$ DECLARE found_id event.id%TYPE; BEGIN
SELECT id INTO found_id FROM event WHERE id > after ORDER BY id LIMIT 1;
RETURN found_id; END $$;
SELECT plpgsql_check_function('first_after', fatal_errors := false);
--= warning:42804:3:RETURN:target type is different type than source type
--= Detail: cast "ID" value to "integer" type
--= Hint: There are no possible explicit coercion between those types, possibly bug!
--= Context: at RETURN of variable "found_id" declared on line 1

--- pgtap | postgresql-NN-pgtap
CREATE EXTENSION pgtap;
SELECT plan(6);
--= 1..6
SELECT col_type_is('event', 'id', :'id');
--= ok 1 - Column event.id should be type ID
SELECT col_is_pk('event', 'id');
--= ok 2 - Column event(id) should be a primary key
SELECT is(key(1), key(1), 'is');
--= ok 3 - is
SELECT cmp_ok(key(1), '<', key(2), 'cmp_ok');
--= ok 4 - cmp_ok
SELECT results_eq('SELECT id FROM event ORDER BY id', 'SELECT key(n) FROM generate_series(1, 1000) AS n', 'results_eq');
--= ok 5 - results_eq
SELECT set_eq('SELECT id FROM event WHERE n < 3', ARRAY[key(2), key(1)], 'set_eq');
--= ok 6 - set_eq
SELECT * FROM finish();

--- hll | postgresql-NN-hll
CREATE EXTENSION hll;
SELECT hll_cardinality(hll_add_agg(hll_hash_any(id))) BETWEEN 900 AND 1100 FROM event CROSS JOIN generate_series(1, 3);
--= t

--- plpython3u | postgresql-plpython3-NN
CREATE EXTENSION plpython3u;
CREATE FUNCTION all_of(a :id, b :id[]) RETURNS SETOF :id LANGUAGE plpython3u AS $$ return [a] + b $$;
SELECT all_of(key(1), ARRAY[key(2), NULL]);
--= #1
--= #2
--=
CREATE FUNCTION number_of(a :id, type text) RETURNS integer LANGUAGE plpython3u AS $$
return plpy.execute(plpy.prepare("SELECT n FROM event WHERE id = $1", [type]), [a])[0]["n"] $$;
SELECT number_of(key(7), :'id');
--= 7

--- plperl | postgresql-plperl-NN
CREATE EXTENSION plperl;
CREATE FUNCTION all_of(a :id, b :id[]) RETURNS SETOF :id LANGUAGE plperl AS $$ return [ $_[0], @{ $_[1] } ]; $$;
SELECT all_of(key(1), ARRAY[key(2), NULL]);
--= #1
--= #2
--=
CREATE FUNCTION next_id() RETURNS trigger LANGUAGE plperl AS $$ $_TD->{new}{id} =~ s/.$/f/; return 'MODIFY'; $$;
CREATE TRIGGER next_id BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION next_id();
INSERT INTO event VALUES (key(4096), 0) RETURNING id;
--= #4111

--- pltcl | postgresql-pltcl-NN
CREATE EXTENSION pltcl;
CREATE FUNCTION both_of(a :id, b :id) RETURNS SETOF :id LANGUAGE pltcl AS $$ return_next $1; return_next $2 $$;
SELECT both_of(key(1), key(2));
--= #1
--= #2

--- pljs | postgresql-NN-pljs
CREATE EXTENSION pljs;
CREATE FUNCTION same(a :id) RETURNS text LANGUAGE pljs AS $$ return a $$;
SELECT same(key(7)) = key(7)::text;
--= f
CREATE FUNCTION same_text(a text) RETURNS text LANGUAGE pljs AS $$ return a $$;
SELECT CAST(same_text(key(7)::text) AS :id);
--= #7

--- pg_ivm | postgresql-NN-pg-ivm | | shared_preload_libraries = 'pg_ivm'
CREATE EXTENSION pg_ivm;
SELECT pgivm.create_immv('joined', 'SELECT event.id, twin.n FROM event JOIN twin USING (id)');
--= 1000
SELECT pgivm.create_immv('by_n', 'SELECT n % 10 AS n, count(*), min(id::text) AS first, max(id::text) AS last FROM event GROUP BY n % 10');
--= 10
DELETE FROM event WHERE id IN (key(3), key(993));
INSERT INTO event VALUES (key(2003), 2003);
SELECT count(*) FROM joined;
--= 998
SELECT n, count, first, last FROM by_n WHERE n = 3;
--= 3|99|#13|#2003

--- pg_ivm | postgresql-NN-pg-ivm | objectid | shared_preload_libraries = 'pg_ivm'
CREATE EXTENSION pg_ivm;
SELECT pgivm.create_immv('first', 'SELECT min(id) FROM event');
--= ERROR:  aggregate function min(ID) is not supported on incrementally maintainable materialized view

--- wal2json | postgresql-NN-wal2json | | output_plugin_libraries = 'pgoutput, wal2json'
SELECT FROM pg_create_logical_replication_slot('json', 'wal2json');
INSERT INTO event VALUES (key(2000), 1);
DELETE FROM event WHERE id = key(7);
SELECT data FROM pg_logical_slot_get_changes('json', NULL, NULL, 'format-version', '2', 'include-transaction', 'false');
--= {"action":"I","schema":"public","table":"event","columns":[{"name":"id","type":"ID","value":"#2000"},{"name":"n","type":"integer","value":1}]}
--= {"action":"D","schema":"public","table":"event","identity":[{"name":"id","type":"ID","value":"#7"}]}
SELECT FROM pg_drop_replication_slot('json');

--- decoderbufs | postgresql-NN-decoderbufs | objectid | output_plugin_libraries = 'pgoutput, decoderbufs'
SELECT FROM pg_create_logical_replication_slot('buffers', 'decoderbufs');
--= INFO:  Exiting startup callback
INSERT INTO event VALUES (key(2000), 1);
SELECT bool_or(position(key(2000)::text::bytea IN data) > 0) FROM pg_logical_slot_get_binary_changes('buffers', NULL, NULL);
--= INFO:  Exiting startup callback
--= t
SELECT FROM pg_drop_replication_slot('buffers');

--- pg_partman | postgresql-NN-partman | objectid
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

--- pg_partman | postgresql-NN-partman | objectid
CREATE SCHEMA partman;
CREATE EXTENSION pg_partman SCHEMA partman;
--page docs/partitions.md A text column
--= t
INSERT INTO visit (page) VALUES ('a');
SELECT count(*) FROM ONLY visit_default;
--= 0

--- mongo_fdw | postgresql-NN-mongo-fdw | objectid
CREATE EXTENSION mongo_fdw;
CREATE SERVER mongo FOREIGN DATA WRAPPER mongo_fdw OPTIONS (address '127.0.0.1', port '1');
CREATE USER MAPPING FOR CURRENT_USER SERVER mongo;
CREATE FOREIGN TABLE films (_id name, title text) SERVER mongo OPTIONS (database 'film', collection 'movies');
CREATE VIEW film AS SELECT _id::text::objectid AS _id, title FROM films;
EXPLAIN (COSTS OFF, VERBOSE) SELECT * FROM film WHERE _id > timestamptz '2024-01-01';
--= Foreign Scan on public.films
--=   Output: ((films._id)::text)::ID, films.title
--=   Filter: (((films._id)::text)::ID >= '659200810000000000000000'::ID)
--=   Foreign Namespace: film.movies

--- documentdb | postgresql-NN-documentdb | objectid | shared_preload_libraries = 'pg_cron, pg_documentdb_core, pg_documentdb'; listen_addresses = 'localhost'
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
