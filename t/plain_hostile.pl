# plain/ runs no code of other roles.  "mallory" creates objects with every name that the scripts use, also
# temporary ones (Hostile.pm).  Then "ann" installs and calls.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use Hostile;
use TestServer;

my $node = start_node('hostile', sql => join(';', map { "CREATE ROLE $_ LOGIN" } qw(mallory ann)));
my $database;

# run a file as ann with this search_path, and return what it prints
sub run_file
{
	my ($file, $path) = @_;
	local @ENV{qw(PGOPTIONS PGHOST PGPORT PGDATABASE PGUSER)} =
	  ("-c search_path=$path", $node->host, $node->port, $database, 'ann');
	IPC::Run::run([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', $file ], '>&', \my $output);
	return $output;
}

# Create a database in which mallory can create objects, and use it from now on.
sub create_database
{
	my ($name) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name OWNER ann");
	attack($node, $database = $name);
	run_sql('CREATE SCHEMA ids; GRANT USAGE ON SCHEMA ids TO PUBLIC', 'ann');
}

# what plain/ consists of
my $sql = join("\n", map { slurp_file($_) =~ s/^\s*--.*//mgr } glob('plain/*.sql'));

sub create_hostile
{
	my (@types) = @_;
	run_sql('DROP OWNED BY mallory CASCADE');
	create_hostile_objects($sql,
		qw(text name varchar char int4 int8 float8 bool oid regclass regtype timestamptz uuid bit), @types);
	run_sql(q{SELECT public.evil_function('public.num_nonnulls', 'text, text', 'integer', 'num_nonnulls of text')},
		'mallory');
}
# a call of each function and operator
my $calls = q{
SELECT pg_catalog.concat_ws('|', SCHEMA.objectid_time('000000017fffffffffffffff'::SCHEMA.objectid), SCHEMA.objectid_is_valid('0'::pg_catalog.text),
  SCHEMA.objectid_from_time(t), SCHEMA.objectid_lower_bound(t), SCHEMA.objectid_upper_bound(t), pg_catalog.left(SCHEMA.gen_objectid(t), 8), pg_catalog.length(SCHEMA.gen_objectid()),
  i OPERATOR(SCHEMA.<) t, i OPERATOR(SCHEMA.<=) t, i OPERATOR(SCHEMA.>=) t, i OPERATOR(SCHEMA.>) t, t OPERATOR(SCHEMA.<) i, t OPERATOR(SCHEMA.<=) i, t OPERATOR(SCHEMA.>=) i, t OPERATOR(SCHEMA.>) i)
FROM (SELECT '1970-01-01 00:00:02+00'::pg_catalog.timestamptz AS t, '000000017fffffffffffffff'::SCHEMA.objectid AS i) AS v};
my $result = join('|',
	'1970-01-01 00:00:01+00',
	'f', '000000020000000000000000', '000000020000000000000000', '000000030000000000000000', '00000002', 24,
	qw(t t f f f f t t));
my $path = 'public,pg_catalog';

sub calls_are_right
{
	my ($what, $schema) = @_;
	my $sql = "SET timezone = 'UTC'; " . $calls =~ s/SCHEMA/$schema/gr;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(eval { run_sql($sql, 'ann', $_) }, $result, "$what: results with the search_path $_") for $path, "''";

	# mallory calls a function of ann's that runs with ann's rights
	run_sql(
		$sql =~
		  s/SELECT/CREATE OR REPLACE FUNCTION SCHEMA.call() RETURNS text LANGUAGE sql SECURITY DEFINER BEGIN ATOMIC SELECT/r
		  =~ s/SCHEMA/$schema/r . '; END',
		'ann');
	is( eval {
			run_sql("SET timezone = 'UTC'; SELECT public.evil_names('pg_temp') \\g /dev/null\nSELECT $schema.call()",
				'mallory', "pg_temp,$path");
		},
		$result,
		"$what: results among mallory's temporary types");
	run_sql("DROP FUNCTION $schema.call", 'ann');
	none_has_run($what);
}

# in a schema of ann's, and where mallory can create, too
for my $schema (qw(ids public))
{
	create_database("all_in_$schema");
	create_hostile();
	is(run_file('plain/objectid.sql', "$schema,$path"), '', "plain/objectid.sql in $schema");
	none_has_run("plain/objectid.sql in $schema");
	calls_are_right("plain/objectid.sql in $schema", $schema);

	# mallory's operators and functions for the type itself
	create_hostile("$schema.objectid");
	calls_are_right("operators for the domain in $schema", $schema);
}

done_testing();
