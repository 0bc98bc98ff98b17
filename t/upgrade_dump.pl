# Dumps of a database that uses the type everywhere, as text and as an archive that is restored
# in parallel; a restore into different schemas; and ALTER EXTENSION ... SET SCHEMA in such a
# database.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib t);
use Everywhere;
use Needs;
use TestServer;

need_contrib('amcheck');
my $node = start_node('dump');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
my $dir = PostgreSQL::Test::Utils::tempdir();

# pg_dump as text, without its random key
sub dump_of
{
	my ($database) = @_;
	my ($stdout, $stderr) = run_command([ 'pg_dump', $database ]);
	is($stderr, '', "pg_dump of $database");
	return $stdout =~ s/^\\(?:un)?restrict .*\n//mgr;
}

# restore a dump into a new database
sub restore_text
{
	my ($database, $text) = @_;
	my $file = "$dir/$database.sql";
	append_to_file($file, $text);
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', "$dir/out", '-d', $database, '-f', $file ],
		"$database: psql");
}

$node->safe_psql('postgres', 'CREATE DATABASE source');
create_everywhere($node, 'source');
query_is(
	$node, q{
SELECT string_agg(format('%s, for %s', opcname, amname), E'\n' ORDER BY opcname, amname)
FROM pg_opclass AS c JOIN pg_am AS am ON am.oid = opcmethod
WHERE opcname LIKE 'objectid%'
  AND NOT EXISTS (SELECT FROM pg_index WHERE indrelid::regclass::text LIKE 'app.by\_%' AND c.oid = ANY(indclass))
}, '', 't/index_kinds has a line for each operator class', 'source');
use_everywhere($node, 'source', 'source');
my $contents = contents($node, 'source');
my $dump = dump_of('source');

# Check that a database works and has the rows of "source".
sub has_all
{
	my ($database) = @_;
	is(contents($node, $database), $contents, "$database: its rows equal those of the source");
	check_indexes($node, $database, $database);
	use_everywhere($node, $database, $database);
}

# the same, and that nothing else differs
sub is_copy
{
	my ($database) = @_;
	ok(dump_of($database) eq $dump, "$database: its dump equals the dump of the source");
	has_all($database);
}

restore_text('plain', $dump);
is_copy('plain');

command_ok([ 'pg_dump', '--format=custom', "--file=$dir/custom", 'source' ], 'pg_dump --format=custom');
$node->safe_psql('postgres', 'CREATE DATABASE custom');
command_ok([ 'pg_restore', '--exit-on-error', '--jobs=4', '--dbname=custom', "$dir/custom" ], 'pg_restore --jobs=4');
is_copy('custom');

# A dump contains schema names.  With different names, both the extension and the objects
# that use it are restored into different schemas.
(my $elsewhere = $dump) =~ s/\bapp\b/other/g;
$elsewhere =~ s/\bpublic\b/types/g;
restore_text('elsewhere', "CREATE SCHEMA types;\n$elsewhere");
is( $node->safe_psql(
		'elsewhere',
		q{SELECT extnamespace::regnamespace, 'other.event'::regclass, to_regclass('app.event') FROM pg_extension WHERE extname = 'objectid'}
	),
	'types|other.event|',
	'elsewhere: the objects are in these schemas');
$node->safe_psql('elsewhere', 'ALTER SCHEMA other RENAME TO app');
has_all('elsewhere');

# The extension moves to a different schema, and all references follow: nothing else changes
$node->safe_psql('plain', 'CREATE SCHEMA "My types"; ALTER EXTENSION objectid SET SCHEMA "My types"');
is( $node->safe_psql(
		'plain', q{
SELECT count(*) FROM pg_depend AS d, pg_identify_object(classid, objid, 0) AS o
WHERE refclassid = 'pg_extension'::regclass AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid')
  AND deptype = 'e' AND o.schema <> '"My types"'
}),
	'0',
	'moved: every member has moved');
has_all('plain');
my $moved = dump_of('plain');
restore_text('moved_copy', $moved);
ok(dump_of('moved_copy') eq $moved, 'moved: a restored dump gives the same dump');
has_all('moved_copy');
$node->safe_psql('plain', 'ALTER EXTENSION objectid SET SCHEMA public; DROP SCHEMA "My types"');
is_copy('plain');

done_testing();
