# plain/objectid.sql returns the results of the extension: the same statements run in a
# database with each of them, as an ordinary user.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my $node = start_node(
	'plain', sql => q{
CREATE ROLE regress_objectid_ann LOGIN;
CREATE ROLE regress_objectid_bob LOGIN;
CREATE DATABASE extension OWNER regress_objectid_ann;
CREATE DATABASE plain OWNER regress_objectid_ann});
my @ann = (extra_params => [ '-U', 'regress_objectid_ann' ]);
my @databases = qw(extension plain);

$node->safe_psql('extension', 'CREATE EXTENSION objectid', @ann);
$node->safe_psql('plain', slurp_file('plain/objectid.sql'), @ann);

# the result of the same script in both
sub both
{
	my ($sql) = @_;
	return map { $node->safe_psql($_, $sql, @ann) } @databases;
}

# both_are($sql, $what) - check that the result is the same in both, and not empty
sub both_are
{
	my ($sql, $what) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($extension, $plain) = both($sql);
	isnt($extension, '', "$what: there is a result");
	is($plain, $extension, $what);
}

# The same ids and instants in both: the ends of the ranges, their neighbours, and
# pseudo-random ones
both(
	q{
ALTER DATABASE :"DBNAME" SET timezone = 'UTC';
SET timezone = 'UTC';
CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  result text;
BEGIN
  EXECUTE statement INTO result;
  RETURN coalesce(result, 'NULL');
EXCEPTION WHEN datetime_field_overflow THEN
  RETURN concat_ws(' ', SQLSTATE, SQLERRM);
WHEN OTHERS THEN
  RETURN SQLSTATE;
END$$;
CREATE TABLE ids (id objectid PRIMARY KEY);
INSERT INTO ids VALUES
  ('000000000000000000000000'), ('000000000000000000000001'), ('00000000ffffffffffffffff'), ('000000010000000000000000'),
  ('386d437fffffffffffffffff'), ('386d43800000000000000000'), ('386d43800000000000000001'), ('386d4380ffffffffffffffff'),
  ('7fffffffffffffffffffffff'), ('800000000000000000000000'),
  ('fffffffeffffffffffffffff'), ('ffffffff0000000000000000'), ('fffffffffffffffffffffffe'), ('ffffffffffffffffffffffff');
INSERT INTO ids SELECT left(md5(n::text), 24)::objectid FROM generate_series(1, 100) AS n;
} . (slurp_file('sql/instants.sql') =~ /^(CREATE TABLE instants.*?;\n.*?;\n)/ms)[0] . q{
INSERT INTO instants SELECT objectid_time(id) + (n - 1) * interval '999999 microseconds' FROM ids, generate_series(0, 2) AS n;
});

# Each line is a statement that has the same result, or SQLSTATE, in plain SQL as with the extension.  An error of an
# instant out of range has the same message, too.
my @statements = split(/\n/, <<'SQL');
SELECT string_agg(id::text, ' ' ORDER BY id) FROM ids
SELECT string_agg(objectid_time(id)::text, ' ' ORDER BY id) FROM ids
SELECT string_agg(objectid_lower_bound(t) || ' ' || objectid_upper_bound(t), ' ' ORDER BY t) FROM instants
SELECT string_agg(outcome(format('SELECT objectid_from_time(%L)', t)), ' ' ORDER BY t) FROM instants
SELECT string_agg(outcome(format('SELECT left(gen_objectid(timestamptz %L)::text, 8)', t)), ' ' ORDER BY t) FROM instants
SELECT md5(string_agg(concat_ws(' ', id < t, id <= t, id >= t, id > t, t < id, t <= id, t >= id, t > id), ' ' ORDER BY id, t)) FROM ids, instants
SELECT md5(string_agg((NOT id < t)::text || (NOT t < id)::text, '' ORDER BY id, t)) FROM ids, instants
SELECT md5(string_agg((id < ANY (ARRAY[t]))::text || (id >= ALL (ARRAY[t]))::text, '' ORDER BY id, t)) FROM ids, instants
SELECT md5(string_agg((t < ANY (ARRAY[id]))::text || (t >= ALL (ARRAY[id]))::text, '' ORDER BY id, t)) FROM ids, instants
SELECT md5(string_agg((a.id < b.id)::text || (a.id <= b.id) || (a.id = b.id) || (a.id <> b.id), '' ORDER BY a.id, b.id)) FROM ids AS a, ids AS b
SELECT count(*) FROM ids WHERE id >= date '2000-01-01' AND id < timestamp '2030-01-01 12:00:00'
SELECT count(*) FROM ids WHERE id BETWEEN timestamptz '2000-01-01' AND timestamptz '2030-01-01'
SELECT count(*) FROM ids AS a JOIN ids AS b USING (id)
SELECT count(DISTINCT id) || min(id)::text || max(id)::text FROM ids
SELECT objectid_time(gen_objectid()) BETWEEN date_trunc('second', statement_timestamp()) AND clock_timestamp()
SELECT gen_objectid(timestamptz '2012-10-17 21:13:27.9+00') BETWEEN '507f1f770000000000000000' AND '507f1f77ffffffffffffffff'
SELECT objectid_is_valid(E'507f1f77bcf86cd799439011\n')
SELECT objectid_is_valid(E'507f1f77bcf86cd79943901\n')
SELECT '507f1f77bcf86cd799439011'::text::objectid
SELECT '507f1f77bcf86cd799439011'::varchar::objectid
SELECT '507f1f77bcf86cd799439011'::char(24)::objectid
SELECT '{507f1f77bcf86cd799439011,NULL}'::objectid[]
INSERT INTO ids VALUES ('386d43800000000000000000')
INSERT INTO ids VALUES (NULL)
SELECT id = timestamptz '2024-01-01' FROM ids
SELECT id <> timestamptz '2024-01-01' FROM ids
SELECT id > 1704067200 FROM ids
SELECT outcome('SELECT objectid_time(objectid_from_time(t)) FROM instants WHERE t < ''1970-01-01''')
PREPARE p AS SELECT 1
SELECT 'a'::text < 'b'::text AND 'a'::text COLLATE "C" >= 'B' AND 'a'::varchar <= 'b' AND 'a'::char(3) <> 'b'
SELECT now() - interval '1 s' < now() AND now() > '2024-01-01' AND date '2024-01-01' < now() AND '2024-01-01' < now()
SELECT pg_typeof('a'::text || 'b') || pg_typeof(max('a'::text))::text || pg_typeof('a' || 'b')
SELECT 'x' < now()
SELECT 'b'::text > 1
SQL

my $script = join('', map { "SELECT outcome(\$statement\$$_\$statement\$);\n" } @statements);
my ($extension, $plain) = map { [ split(/\n/) ] } both($script);
is(scalar @$plain, scalar @statements, 'each statement has one result');
is($plain->[$_], $extension->[$_], $statements[$_]) for 0 .. $#statements;

# Text that only the extension accepts, and text that neither accepts.  A CHECK raises 23514, and never 22P02.
my @refused = (
	'507F1F77BCF86CD799439011', 'ObjectId("507f1f77bcf86cd799439011")',
	'{"$oid": "507f1f77bcf86cd799439011"}', '"507f1f77bcf86cd799439011"',
	'\x507f1f77bcf86cd799439011', '',
	'507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111',
	'507f1f77bcf86cd79943901g', ' 507f1f77bcf86cd799439011');
my ($taken, $refused) =
  both(join('', map { "SELECT outcome(\$\$SELECT '$_'::objectid\$\$), objectid_is_valid('$_');\n" } @refused));
is($taken, join("\n", ('507f1f77bcf86cd799439011|t') x 5, ('22P02|f') x 5), 'text forms that the extension takes');
is($refused, join("\n", ('23514|f') x 10), 'text forms of the extension that the domain rejects');
# plain/from-text.sql takes what the extension takes: each form, and each form with one
# character less, more or instead.
$node->safe_psql('plain', slurp_file('plain/from-text.sql'), @ann);
$node->safe_psql('extension',
	'CREATE FUNCTION objectid_from_text(text) RETURNS objectid LANGUAGE sql RETURN $1::objectid', @ann);
both_are(<<'SQL', 'plain/from-text.sql');
CREATE TABLE forms AS
SELECT replace(form, '#', id) AS form FROM unnest(ARRAY['507f1f77bcf86cd799439011', '507F1F77BCF86CD79943901A']) AS id,
  unnest(ARRAY['#', 'ObjectId("#")', 'ObjectID(''#'')', 'new ObjectId(#)', 'BSON::ObjectId(''#'')', 'ObjectIdHex("#")', '"#"', '\x#',
    '{"$oid":"#"}', E'{ "$oid"\t:\n"#"\r}', 'ObjectId("#'')', '{"$oid": #}', '["#"]', '', '#00']) AS form;
SELECT form, outcome(format('SELECT objectid_from_text(%L)', form)) FROM (
  SELECT left(form, n) || piece || substr(form, n + 1 + removed)
  FROM forms, generate_series(0, length(form)) AS n, generate_series(0, 1) AS removed,
    unnest(ARRAY['', ' ', E'\n', E'\u00A0', 'g', '0', '"', '''', ')', '}']) AS piece) AS changed(form) ORDER BY form COLLATE "C";
DROP FUNCTION objectid_from_text;
SQL
is_deeply([ both(q{SELECT outcome($$SELECT count(*) > 0 FROM ids WHERE id > '2024-01-01'$$)}) ],
	[qw(22P02 true)], 'the domain compares a bare literal as text');
is_deeply(
	[ both(q{SELECT outcome('SELECT ''507f1f77bcf86cd799439011''::char(26)::objectid')}) ],
	[qw(22P02 507f1f77bcf86cd799439011)],
	'text does not keep the blanks of char(n)');
is_deeply([ both(q{SELECT outcome('SELECT pg_typeof(max(id)) FROM ids')}) ], [qw(objectid text)], 'max() gives text');

# The planner: the index answers the operators, in either order, with one bound, with
# parameters, and at the other end of a nested loop.
my $plans = q{
CREATE FUNCTION conditions(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
    IF line ~ 'Scan|Cond:|Filter:' THEN
      RETURN NEXT regexp_replace(substring(line FROM '(?:-> *)?(\w.*)'), '::text COLLATE "C"|::objectid|::text|[()]', '', 'g');
    END IF;
  END LOOP;
END$$;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, owner text);
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01 00:00:00+00' + n * interval '10 minutes'), 'regress_objectid_bob' FROM generate_series(0, 52703) AS n;
};
both($plans);
$node->safe_psql($_, 'VACUUM ANALYZE event', @ann) for @databases;
my @queries = map { "SELECT id FROM event WHERE $_" } (
	q{id >= timestamptz '2024-02-29 00:00:00+00'},
	q{id > now() - interval '1 day'},
	q{now() <= id},
	q{now() < id},
	q{id >= timestamptz '2024-02-29 00:00:00+00' AND id < timestamptz '2024-03-01 00:00:00+00'},
	q{timestamptz '2024-02-29 00:00:00+00' <= id AND timestamptz '2024-03-01 00:00:00+00' > id},
	q{id < timestamptz '2024-01-01 12:00:00+00'},
	q{id <= timestamptz '2024-01-01 12:00:00+00'},
	q{id BETWEEN timestamptz '2024-02-29 00:00:00+00' AND timestamptz '2024-02-29 01:00:00+00'});
my $all = join("\n", map { "SELECT * FROM conditions(\$query\$$_\$query\$);" } @queries);
$all = "SET enable_seqscan = off; SET enable_bitmapscan = off;\n$all";
both_are($all, 'plans');
my ($plan) = $node->safe_psql('plain', $all, @ann);
is(() = $plan =~ /^Index Only Scan using event_pkey/mg, scalar @queries, 'plain SQL: the index answers each query');
unlike($plan, qr/Filter|Seq Scan/, 'plain SQL: nothing but the index answers the queries');
# partitions by time
both_are(
	q{
CREATE TABLE part (id objectid) PARTITION BY RANGE (id);
CREATE TABLE part_2023 PARTITION OF part FOR VALUES FROM (objectid_from_time('2023-01-01 00:00:00+00')) TO (objectid_from_time('2024-01-01 00:00:00+00'));
CREATE TABLE part_2024 PARTITION OF part FOR VALUES FROM (objectid_from_time('2024-01-01 00:00:00+00')) TO (objectid_from_time('2025-01-01 00:00:00+00'));
INSERT INTO part SELECT gen_objectid(t) FROM generate_series(timestamptz '2023-06-01 00:00:00+00', '2024-06-30 00:00:00+00', '1 day') AS t;
SELECT tableoid::regclass, count(*) FROM part GROUP BY tableoid ORDER BY min(id);
SELECT line FROM conditions($$SELECT * FROM part WHERE id >= timestamptz '2024-02-01 00:00:00+00'$$) AS line WHERE line ~ 'Scan';
}, 'partitions, pruned');

# Equal calls in a row are different ids, also if the scan below is parallel
both_are(
	q{
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2;
CREATE TABLE source AS SELECT n FROM generate_series(1, 10000) AS n;
ANALYZE source;
\set create 'CREATE TABLE made AS SELECT gen_objectid() AS a, gen_objectid() AS b FROM source'
SELECT * FROM conditions(:'create');
:create;
\set create 'CREATE TABLE dated AS SELECT gen_objectid(now()) AS a, gen_objectid(now()) AS b FROM source'
SELECT * FROM conditions(:'create');
:create;
}, 'equal calls, in a parallel plan');
query_is(
	$node,
	'SELECT count(*) FROM (TABLE made UNION ALL TABLE dated) AS ids WHERE a <> b',
	10000 + 10000,
	"$_: equal calls give different ids", $_) for @databases;

# Row-level security: the operators are replaced by text's, which are leakproof, so that an
# ordinary user's query uses the index.
both(
	q{
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON event USING (owner = current_user);
GRANT SELECT ON event TO regress_objectid_bob;
INSERT INTO event VALUES ('65dfc90000000000ffffffff', 'regress_objectid_ann')});
for my $database (@databases)
{
	my $result = $node->safe_psql(
		$database, q{
SET enable_seqscan = off; SET enable_bitmapscan = off;
SELECT * FROM conditions($$SELECT * FROM event WHERE id >= timestamptz '2024-02-29 00:00:00+00' AND now() > id$$);
SELECT count(*) FROM event WHERE id >= timestamptz '2024-02-29 00:00:00+00' AND timestamptz '2024-03-01 00:00:00+00' > id;
}, extra_params => [ '-U', 'regress_objectid_bob' ]);
	like(
		$result,
		qr/^Index Scan using event_pkey on event\nIndex Cond: id >= '65dfc9000000000000000000' AND id < objectid_lower_boundnow\n/,
		"$database: row-level security leaves the index in use");
	like($result, qr/\n144\z/, "$database: row-level security hides rows");
}

# Functions and operators have the attributes of the extension's, and a comment
both_are(
	q{
SELECT oid::regprocedure, prorettype::regtype, provolatile, proisstrict, proparallel
FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'pg_catalog'::regnamespace) AND proname ~ 'objectid' AND proargtypes::oid[] <@ ARRAY['objectid', 'text', 'timestamptz']::regtype[]::oid[]
  AND proname ~ '^gen_|_time|_valid|_bound|timestamptz' AND proname NOT LIKE '%support' ORDER BY oid::regprocedure::text;
SELECT oid::regoperator, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin, oprcode, obj_description(oid, 'pg_operator')
FROM pg_operator WHERE 'timestamptz'::regtype IN (oprleft, oprright) AND 'objectid'::regtype IN (oprleft, oprright) ORDER BY oid::regoperator::text;
}, 'attributes in the catalogs');
is( $node->safe_psql(
		'plain', q{
SELECT count(*) > 20, string_agg(name, ' ') FILTER (WHERE comment IS NULL OR comment = 'implementation of ' || name || ' operator' AND kind <> 'f')
FROM (
  SELECT 'f' AS kind, proname::text, obj_description(oid, 'pg_proc') FROM pg_proc WHERE proname ~ 'objectid'
  UNION ALL SELECT 'o', oprname, obj_description(oid, 'pg_operator') FROM pg_operator WHERE 'objectid'::regtype IN (oprleft, oprright)
  UNION ALL SELECT 't', typname, obj_description(oid, 'pg_type') FROM pg_type WHERE typname ~ '^_?objectid$'
  UNION ALL SELECT 'c', conname, obj_description(oid, 'pg_constraint') FROM pg_constraint WHERE contypid = 'objectid'::regtype
) AS o(kind, name, comment)}),
	't|',
	'every object has a comment');

# 64 random bits: each is 0 in some ids and 1 in others; none repeats
for my $made ('gen_objectid()', q{gen_objectid('2024-01-01 00:00:00+00')})
{
	is( $node->safe_psql(
			'plain', qq{
SELECT count(DISTINCT id), count(DISTINCT serial), bit_or(serial)::text, bit_and(serial)::text
FROM (SELECT id, ('x' || right(id, 16))::bit(64) AS serial FROM (SELECT $made AS id FROM generate_series(1, 10000)) AS m) AS m}
		),
		join('|', 10000, 10000, '1' x 64, '0' x 64),
		"$made: 64 random bits");
}

# pg_tle: without it, the test runs the script as CREATE EXTENSION would.
my ($version) = slurp_file('objectid.control') =~ /^default_version = '(.+)'$/m;
my $tle = slurp_file('plain/pg_tle.sql');
$node->safe_psql('postgres', 'CREATE DATABASE tle OWNER regress_objectid_ann');
is( $node->safe_psql(
		'tle', qq{
CREATE SCHEMA pgtle;
CREATE FUNCTION pgtle.install_extension(name text, version text, description text, ext text, requires text[] DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql AS 'BEGIN EXECUTE ext; RETURN (name, version) = (''objectid'', ''$version''); END';
$tle
SELECT objectid_time(gen_objectid()) <= now()}, @ann),
	"t\nt",
	'plain/pg_tle.sql installs an extension');

done_testing();
