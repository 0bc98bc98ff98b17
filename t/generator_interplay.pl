# The generator and other features of a session.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

my $node = start_node(
	'interplay',
	conf => 'max_prepared_transactions = 10',
	sql => slurp_file('sql/setup.sql') . q{
CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
});

# Prepared transactions keep their ids, whatever other sessions do
$node->safe_psql('postgres',
	q{BEGIN; INSERT INTO made (n) SELECT 1 FROM generate_series(1, 1000); PREPARE TRANSACTION 'one'});
$node->safe_psql('postgres',
	q{BEGIN; INSERT INTO made (n) SELECT 2 FROM generate_series(1, 1000); PREPARE TRANSACTION 'two'});
$node->safe_psql('postgres', q{INSERT INTO made (n) SELECT 3 FROM generate_series(1, 1000)});
$node->restart;
$node->safe_psql('postgres', q{INSERT INTO made (n) SELECT 4 FROM generate_series(1, 1000)});
$node->safe_psql('postgres', q{COMMIT PREPARED 'one'});
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'two'});
query_is($node, 'SELECT count(*), count(DISTINCT id), count(DISTINCT n) FROM made',
	'3000|3000|3', 'prepared transactions, over a restart');

# A rolled back subtransaction does not return its ids
query_is(
	$node, q{
TRUNCATE made;
BEGIN;
INSERT INTO made (n) VALUES (1);
SAVEPOINT s;
INSERT INTO made (n) VALUES (2) RETURNING id \gset
ROLLBACK TO s;
INSERT INTO made (n) VALUES (3);
COMMIT;
BEGIN;
INSERT INTO made (n) VALUES (4);
ROLLBACK;
INSERT INTO made (n) VALUES (5);
SELECT string_agg(n::text, ' ' ORDER BY id), bool_and(id <> :'id'), max(serial(id)) - min(serial(id)) FROM made;
}, '1 3 5|t|4', 'ids of rolled back transactions and subtransactions are not used again');

# CREATE TABLE AS, materialised views, PL/pgSQL: an id for each row
query_is(
	$node, q{
CREATE TABLE as_table AS SELECT gen_objectid() AS id FROM generate_series(1, 1000);
CREATE MATERIALIZED VIEW as_view AS SELECT gen_objectid() AS id FROM generate_series(1, 1000);
CREATE FUNCTION looped() RETURNS SETOF objectid LANGUAGE plpgsql AS $$
DECLARE
  one objectid := gen_objectid();
BEGIN
  FOR i IN 1 .. 1000 LOOP
    BEGIN
      RETURN NEXT gen_objectid();
      one := gen_objectid();
      RAISE EXCEPTION 'never mind';
    EXCEPTION WHEN raise_exception THEN
      RETURN NEXT one;
    END;
  END LOOP;
END$$;
CREATE TABLE all_of_them AS TABLE as_table UNION ALL TABLE as_view UNION ALL SELECT * FROM looped();
REFRESH MATERIALIZED VIEW as_view;
INSERT INTO all_of_them TABLE as_view;
SELECT count(*), count(DISTINCT id) FROM all_of_them;
}, '5000|5000', 'CREATE TABLE AS, a materialised view and its refresh, PL/pgSQL with errors caught');

# ON CONFLICT: only an id from the caller can conflict
query_is(
	$node, q{
TRUNCATE made;
INSERT INTO made (n) SELECT n FROM generate_series(1, 1000) AS n;
CREATE UNIQUE INDEX made_n ON made (n);
WITH again AS (INSERT INTO made (n) SELECT n FROM generate_series(501, 1500) AS n
               ON CONFLICT (n) DO UPDATE SET n = excluded.n + 10000 RETURNING n)
SELECT count(*), count(*) FILTER (WHERE n > 10000) FROM again;
WITH none AS (INSERT INTO made SELECT id, -1 FROM made ON CONFLICT (id) DO NOTHING RETURNING id)
SELECT count(*) FROM none;
WITH fresh AS (INSERT INTO made SELECT gen_objectid(), 20000 + g FROM generate_series(1, 1000) AS g
               ON CONFLICT (id) DO NOTHING RETURNING id)
SELECT count(*) FROM fresh;
SELECT count(*), count(DISTINCT id) FROM made;
}, "1000|500\n0\n1000\n2500|2500", 'INSERT ... ON CONFLICT');

# A session keeps its serial number across DISCARD ALL, a reload and a change of user
query_is(
	$node, q{
SELECT gen_objectid() AS first \gset
DISCARD ALL;
SELECT gen_objectid() AS second \gset
SELECT pg_reload_conf();
SELECT gen_objectid() AS third \gset
SET SESSION AUTHORIZATION DEFAULT;
SELECT gen_objectid() AS fourth \gset
SELECT serial(text :'second') - serial(text :'first'), serial(text :'third') - serial(text :'second'), serial(text :'fourth') - serial(text :'third');
SELECT :'first'::objectid < :'second'::objectid AND :'second'::objectid < :'third'::objectid AND :'third'::objectid < :'fourth'::objectid;
}, "t\n1|1|1\nt", 'DISCARD ALL and a reload change nothing');

done_testing();
