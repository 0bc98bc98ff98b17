# Dumps of a database that uses the type everywhere, as text, in parts, and as archives that are restored in
# parallel.  No restore raises an error, and nothing is missing afterwards.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
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
	my ($database, @options) = @_;
	my ($stdout, $stderr) = run_command([ 'pg_dump', @options, $database ]);
	is($stderr, '', "pg_dump @options $database");
	return $stdout =~ s/^\\(?:un)?restrict .*\n//mgr;
}

# restore dumps into a new database, one after the other
sub restore_text
{
	my ($database, @texts) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	for my $text (@texts)
	{
		my $file = "$dir/$database.sql";
		unlink($file);
		append_to_file($file, $text);
		command_ok([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-o', "$dir/out", '-d', $database, '-f', $file ],
			"$database: psql");
	}
	return;
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

# Check that a database works, and that nothing in it differs from "source"
sub is_copy
{
	my ($database) = @_;
	ok(dump_of($database) eq $dump, "$database: its dump equals the dump of the source");
	is(contents($node, $database), $contents, "$database: its rows equal those of the source");
	use_everywhere($node, $database, $database);
	return;
}

restore_text('plain', $dump);
is_copy('plain');
restore_text('inserts', dump_of('source', '--inserts'));
is_copy('inserts');
restore_text('in_two', dump_of('source', '--schema-only'), dump_of('source', '--data-only'));
$node->safe_psql('in_two', "REFRESH MATERIALIZED VIEW app.$_") for 'per_tenant', 'node_kept';
is_copy('in_two');
for my $format ('custom', 'directory')
{
	command_ok(
		[ 'pg_dump', "--format=$format", $format eq 'directory' ? '--jobs=4' : (), "--file=$dir/$format", 'source' ],
		"pg_dump --format=$format");
	$node->safe_psql('postgres', "CREATE DATABASE $format");
	command_ok([ 'pg_restore', '--exit-on-error', '--jobs=4', "--dbname=$format", "$dir/$format" ],
		"$format: pg_restore --jobs=4");
	is_copy($format);
}
check_indexes($node, $_, $_) for 'plain', 'directory';

# privileges on members are restored, too
$node->safe_psql('postgres', 'CREATE ROLE regress_objectid_joe LOGIN; CREATE DATABASE small');
$node->safe_psql(
	'small', q{
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY);
INSERT INTO event DEFAULT VALUES;
REVOKE EXECUTE ON FUNCTION gen_objectid(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gen_objectid(timestamptz) TO regress_objectid_joe;
GRANT USAGE ON TYPE objectid TO regress_objectid_joe WITH GRANT OPTION});
my $privileges = q{
SELECT proacl, typacl FROM pg_proc, pg_type
WHERE pg_proc.oid = 'gen_objectid(timestamptz)'::regprocedure AND pg_type.oid = 'objectid'::regtype};
restore_text('small_copy', dump_of('small'));
my $granted = $node->safe_psql('small', $privileges);
like($granted, qr/regress_objectid_joe=X.*regress_objectid_joe=U\*/, 'privileges: granted');
query_is($node, $privileges, $granted, 'privileges: restored', 'small_copy');

# Default privileges that are set before the extension leave it to everybody, and its privileges out of the dump
$node->safe_psql('postgres', 'CREATE DATABASE hardened');
$node->safe_psql(
	'hardened', q{
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE USAGE ON TYPES FROM PUBLIC;
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY);
GRANT INSERT, SELECT ON event TO regress_objectid_joe});
my $hardened = dump_of('hardened', '--clean', '--if-exists');
unlike($hardened, qr/(?:GRANT|REVOKE) .*(?:FUNCTION|TYPE) pg_catalog/,
	'hardened: no privileges of members in the dump');
append_to_file("$dir/hardened", $hardened);
for my $time ('created', 'restored')
{
	$node->safe_psql('hardened', "\\i $dir/hardened") if $time eq 'restored';
	my (undef, undef, $error) = $node->psql(
		'hardened',
		q{INSERT INTO event DEFAULT VALUES; SELECT max(id) FROM event WHERE id = id AND id <@ tstzrange(now(), NULL)},
		extra_params => [ '-U', 'regress_objectid_joe' ]);
	is($error, '', "hardened, $time: an ordinary role uses the type");
}

# What docs/operations.md says of parts, of other owners and of DROP SCHEMA
for my $part ('--schema=public', '--table=event')
{
	my $dump_of_part = dump_of('small', $part);
	unlike($dump_of_part, qr/CREATE EXTENSION/, "pg_dump $part: without the extension");
	restore_text(
		$part =~ s/\W//gr,
		'DROP SCHEMA public; CREATE EXTENSION objectid' . ($part =~ /table/ ? '; CREATE SCHEMA public' : ''),
		$dump_of_part);
}
$node->safe_psql('postgres', 'CREATE DATABASE joes OWNER regress_objectid_joe');
$node->safe_psql('joes', 'CREATE EXTENSION objectid');
for my $options ([], ['--no-comments'])
{
	append_to_file("$dir/joes" . @$options, dump_of('small', '--no-owner', '--no-acl', @$options));
	my ($status, undef, $error) =
	  $node->psql('joes', "\\i $dir/joes" . @$options, extra_params => [ '-U', 'regress_objectid_joe' ]);
	is($error, '', "restored by an owner who does not own the extension: pg_dump @$options") if @$options;
	like(
		$error,
		qr/ERROR:  must be owner of extension objectid/,
		'restored by an owner who does not own the extension: COMMENT ON EXTENSION fails') unless @$options;
}
$node->safe_psql('small', 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
like(
	($node->psql('small', 'CREATE EXTENSION objectid'))[2],
	qr/extension "objectid" already exists/,
	'DROP SCHEMA public leaves the extension');
$node->safe_psql('small',
	'CREATE EXTENSION IF NOT EXISTS objectid; CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY)');

done_testing();
