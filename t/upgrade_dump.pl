# pg_dump and pg_restore, in every format, of a database that uses the type everywhere; a
# restore into different schemas; and ALTER EXTENSION ... SET SCHEMA in such a database.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use Everywhere;
use TestServer;

need_contrib('amcheck');
my $node = start_node('dump');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
my $dir = PostgreSQL::Test::Utils::tempdir();

# pg_dump as text, without its random key
sub dump_of
{
	my ($database, @options) = @_;
	my ($stdout, $stderr) = run_command([ 'pg_dump', @options, $database ]);
	is($stderr, '', "pg_dump of $database" . join('', map { " $_" } @options));
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
cmp_ok(scalar(split(/\n/, $contents)), '>', 20, 'there are tables to compare');
like($dump, qr/$_/, "the dump has $_")
  for 'CREATE DOMAIN', 'EXCLUDE USING gist', 'USING gin', 'USING brin', 'MATERIALIZED VIEW', 'FOR VALUES FROM',
  'WHERE \(\(id OPERATOR\(public.>=\)',
  'DEFAULT public.gen_objectid\(\)';

# is_copy(...) - check that a database equals "source"
sub is_copy
{
	my ($database) = @_;
	ok(dump_of($database) eq $dump, "$database: its dump equals the dump of the source");
	is(contents($node, $database), $contents, "$database: its rows equal those of the source");
	check_indexes($node, $database, $database);
	use_everywhere($node, $database, $database);
}

restore_text('plain', $dump);
is_copy('plain');
restore_text('inserts', dump_of('source', '--inserts', '--quote-all-identifiers'));
is_copy('inserts');

for my $format ('custom', 'directory', 'tar')
{
	my @parallel = $format eq 'directory' ? ('--jobs=2') : ();
	command_ok([ 'pg_dump', "--format=$format", @parallel, "--file=$dir/$format", 'source' ],
		"pg_dump --format=$format @parallel");
	$node->safe_psql('postgres', "CREATE DATABASE $format");
	@parallel = ('--jobs=4') if $format ne 'tar';
	command_ok([ 'pg_restore', '--exit-on-error', @parallel, "--dbname=$format", "$dir/$format" ],
		"pg_restore @parallel of format $format");
	is_copy($format);
}

# schema and data separately
my $schema_only = dump_of('source', '--schema-only');
restore_text('schema_only', $schema_only);
is($node->safe_psql('schema_only', 'SELECT count(*) FROM app.event'), '0', 'schema_only: no rows');
ok(dump_of('schema_only', '--schema-only') eq $schema_only, 'schema_only: its dump equals the dump of the source');
$node->safe_psql('postgres', 'CREATE DATABASE sections');
command_ok([ 'pg_restore', '--exit-on-error', "--section=$_", '--dbname=sections', "$dir/custom" ], "sections: $_")
  for 'pre-data', 'data', 'post-data';
is_copy('sections');

# A dump contains schema names.  With different names, both the extension and the objects
# that use it are restored into different schemas.
(my $elsewhere = $dump) =~ s/\bapp\b/other/g;
$elsewhere =~ s/\bpublic\b/types/g;
restore_text('elsewhere', "CREATE SCHEMA types;\n$elsewhere");
is(contents($node, 'elsewhere'), $contents, 'elsewhere: rows restored into different schemas');
is( $node->safe_psql(
		'elsewhere',
		q{SELECT extnamespace::regnamespace, 'other.event'::regclass, to_regclass('app.event') FROM pg_extension WHERE extname = 'objectid'}
	),
	'types|other.event|',
	'elsewhere: the objects are in these schemas');
$node->safe_psql('elsewhere', 'ALTER SCHEMA other RENAME TO app');
check_indexes($node, 'elsewhere', 'elsewhere');
use_everywhere($node, 'elsewhere', 'elsewhere');

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
is(contents($node, 'plain'), $contents, 'moved: the rows are the same');
check_indexes($node, 'plain', 'moved');
use_everywhere($node, 'plain', 'moved');
my $moved = dump_of('plain');
restore_text('moved_copy', $moved);
ok(dump_of('moved_copy') eq $moved, 'moved: a restored dump gives the same dump');
is(contents($node, 'moved_copy'), $contents, 'moved: and the same rows');
check_indexes($node, 'moved_copy', 'moved_copy');
use_everywhere($node, 'moved_copy', 'moved_copy');
$node->safe_psql('plain', 'ALTER EXTENSION objectid SET SCHEMA public; DROP SCHEMA "My types"');
is_copy('plain');

done_testing();
