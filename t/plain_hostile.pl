# plain/ runs no code of other roles.  "mallory" creates objects with every name that the scripts use, also
# temporary ones (Hostile.pm).  Then "ann" installs, calls and converts.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
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
	is(eval { run_sql($sql, 'ann', $path) }, $result, "$what: results");

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

# a table whose definitions contain both kinds of comparisons, text, and functions that could be taken for others
my $table = q{
CREATE FUNCTION is_good(text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN $1 IS NOT NULL;
CREATE TABLE it (id objectid PRIMARY KEY DEFAULT gen_objectid(), up objectid REFERENCES it, ids objectid[], raw text,
  CHECK (id > '000000000000000000000000'::objectid AND id < now()), CHECK (left(id, 1) IN ('5', '6')), CHECK (objectid_is_valid(raw)),
  CHECK (pg_catalog.num_nonnulls(id, up) = 2), CHECK (is_good(id)));
CREATE INDEX ON it (objectid_time(id)) WHERE up = id;
INSERT INTO it SELECT id, id, ARRAY[id], id FROM gen_objectid('2020-01-01'::timestamptz) AS id};

# in a schema of ann's, and where mallory can create, too
for my $schema (qw(ids public))
{
	create_database("all_in_$schema");
	create_hostile();
	is(run_file('plain/objectid.sql', "$schema,$path"), '', "plain/objectid.sql in $schema");
	none_has_run("plain/objectid.sql in $schema");
	calls_are_right("plain/objectid.sql in $schema", $schema);
	run_sql($table, 'ann', "$schema, pg_temp");
	for my $script (qw(to-extension from-extension))
	{
		is(run_file("plain/$script.sql", "$schema,$path"), '', "plain/$script.sql in $schema");
		none_has_run("plain/$script.sql in $schema");
		is( run_sql(
				"SELECT count(*), (SELECT count(*) FROM pg_constraint WHERE conrelid = '$schema.it'::regclass AND contype IN ('c', 'f')) FROM $schema.it WHERE ids[1]::text = up::text"
			),
			'1|6',
			'the row is there, and its constraints');
	}

	# mallory's operators and functions for the type itself
	create_hostile("$schema.objectid");
	calls_are_right("operators for the domain in $schema", $schema);
	like(
		run_file('plain/to-extension.sql', "$schema,$path"),
		qr/^function public\.|^function evil/m,
		"plain/to-extension.sql in $schema names them");
	run_sql('DROP OWNED BY mallory CASCADE');
	is(run_file('plain/to-extension.sql', "$schema,$path"), '', 'and converts without them');
}

done_testing();
