# The functions and statements of docs/other-keys.md run among the objects of another role, and call none of them.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use Hostile;
use TestServer;

my $node = start_node('other_keys', sql => 'CREATE ROLE mallory LOGIN');

my $other_keys = slurp_file('docs/other-keys.md');
my ($extension, @statements) = $other_keys =~ /^```sql\n(.*?)^```$/msg;
$node->safe_psql('postgres', 'CREATE DATABASE hostile_keys');
attack($node, 'hostile_keys');
run_sql('CREATE EXTENSION objectid');

# mallory has made objects of all names that the page uses (Hostile.pm)
create_hostile_objects(join('', $extension, @statements),
	qw(text name varchar char int4 int8 float8 numeric bool bytea uuid oid regclass timestamptz pg_catalog.objectid));
run_sql(join('', $extension =~ s/^CREATE EXTENSION.*\n//mr, @statements));
my $functions = q{SELECT public.unpadded(id), public.ulid_time('01ARZ3NDEKTSV4RRFFQ69G5FAV')
FROM (VALUES ('00000000-5ca4-bbc7-a2dd-94ee5816238c'::pg_catalog.uuid)) AS of(id)};
is( run_sql(
		"SET ROLE mallory; SELECT public.evil_names('pg_temp') \\g /dev/null
RESET ROLE; SET search_path = pg_temp, public, pg_catalog; $functions"),
	'5ca4bbc7a2dd94ee5816238c|2016-07-30 23:54:10.259+00',
	'the functions of other-keys.md, behind the objects of others');
none_has_run('other-keys.md');
query_is(
	$node,
	q{SELECT public.ulid_time(text) FROM (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FA'), ('01ARZ3NDEKTSV4RRFFQ69G5FAU')) AS of(text)},
	"\n",
	'a time of no ULID',
	'hostile_keys');
isnt($node->psql('hostile_keys', q{SELECT unpadded('ef8916a5-9cb6-4e53-ad78-c9201804ad98')}), 0,
	'an id of a real uuid');

done_testing();
