# Each update script of the extension, objectid--A--B.sql, turns version A into exactly
# what a new installation of version B is.  So does that of a next version, which is made here as
# CONTRIBUTING.md says, in a cluster that runs, and after an attempt that failed.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use Definition;
use Hostile;
use TestServer;

my $node = start_node('upgrade');
my $databases = 0;

# Creates a database with a version of the extension, updates it, and returns the definition
sub installed
{
	my ($node, $version, @updates) = @_;
	my $database = 'database_' . ++$databases;
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, "CREATE EXTENSION objectid VERSION '$version'");
	$node->safe_psql($database, "ALTER EXTENSION objectid UPDATE TO '$_'") for @updates;
	return definition($node, $database);
}

my ($default) = slurp_file('objectid.control') =~ /^default_version = '(.*)'$/m;
my $definition = installed($node, $default);

# psql runs none of the scripts, but says what to do
like(
	$node->safe_psql('postgres', slurp_file($_)),
	qr/\AUse "(?:CREATE|ALTER) EXTENSION objectid.*" to load this file\.\z/,
	"$_ in psql") for glob('objectid--*.sql');

# The existing update scripts
my @updates = map { /^objectid--(.+?)--(.+)\.sql$/ ? [ $1, $2 ] : () } glob('objectid--*.sql');
for (@updates)
{
	my ($from, $to) = @$_;
	is(installed($node, $from, $to), installed($node, $to), "from $from to $to: the same as a new installation of $to");
	is(installed($node, $from, $to, $default),
		$definition, "from $from to $to and $default: the same as a new installation")
	  if $to ne $default;
}

# The update to the version after pg_upgrade and back adds what pg_upgrade leaves out: the
# features of a newer server (see docs/operations.md)
SKIP:
{
	skip '[expected] this server has no features that the oldest lacks', 2
	  if $node->safe_psql('postgres', q{SELECT current_setting('server_version_num')::integer < 180000}) eq 't';
	my $upgraded = 'upgraded';
	$node->safe_psql('postgres',
		"CREATE ROLE regress_objectid_no_superuser; CREATE DATABASE $upgraded OWNER regress_objectid_no_superuser");
	$node->safe_psql($upgraded, 'SET SESSION AUTHORIZATION regress_objectid_no_superuser; CREATE EXTENSION objectid');
	$node->safe_psql(
		$upgraded, q{
ALTER OPERATOR FAMILY objectid_ops USING btree DROP FUNCTION 6 (objectid, objectid);
ALTER OPERATOR FAMILY objectid_gist_ops USING gist DROP FUNCTION 12 ("any", "any");
ALTER EXTENSION objectid DROP FUNCTION objectid_skipsupport(internal);
DROP FUNCTION objectid_skipsupport(internal);
COMMENT ON TYPE objectid[] IS NULL;
COMMENT ON TYPE objectid_period[] IS NULL;
});
	isnt(definition($node, $upgraded), $definition, 'an extension after pg_upgrade lacks something');
	$node->safe_psql($upgraded,
		"SET SESSION AUTHORIZATION regress_objectid_no_superuser; ALTER EXTENSION objectid UPDATE TO '$default-after-pg-upgrade'; ALTER EXTENSION objectid UPDATE"
	);
	is(definition($node, $upgraded),
		$definition, "after the update to $default-after-pg-upgrade and back: the same as a new installation");
}

# CREATE EXTENSION and its update run no code of the role that creates it, whose objects and temporary types come first
my @hostile = (
	join('', map { slurp_file($_) =~ s/^\s*--.*//mgr } glob("objectid--$default*.sql")),
	qw(name text varchar bool oid regclass regtype bytea int4 timestamptz regrole));
$node->safe_psql('postgres',
	'CREATE ROLE mallory LOGIN; CREATE DATABASE hostile; GRANT CREATE ON DATABASE hostile TO mallory');
attack($node, 'hostile');
create_hostile_objects(@hostile);
run_sql(
	"SELECT public.evil_names('pg_temp'); SET search_path = pg_temp, public, pg_catalog; CREATE EXTENSION objectid;
ALTER EXTENSION objectid UPDATE TO '$default-after-pg-upgrade'; ALTER EXTENSION objectid UPDATE TO '$default'",
	'mallory');
none_has_run('CREATE EXTENSION and its update');
my %there = map { $_ => 1 } split(/\n/, definition($node, 'hostile'));
is(join("\n", grep { !$there{$_} } split(/\n/, $definition)),
	'', 'created among hostile objects, the extension has all that it has elsewhere');
run_sql('DROP OWNED BY mallory CASCADE');

# An extension that an earlier build has created in "public" has to move before its first update, which would
# make it impossible.  The script calls nothing in "public".
$node->safe_psql('postgres', 'CREATE DATABASE testers');
$node->safe_psql(
	'testers', q{
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, parent objectid CHECK (parent IS DISTINCT FROM id));
UPDATE pg_extension SET extrelocatable = true WHERE extname = 'objectid';
ALTER EXTENSION objectid SET SCHEMA public;
});
attack($node, 'testers');
create_hostile_objects(@hostile);
my $update = "ALTER EXTENSION objectid UPDATE TO '$default-after-pg-upgrade'";
my (undef, undef, $refused) = $node->psql('testers', $update);
like(
	$refused,
	qr/extension objectid is not in schema pg_catalog\nHINT:  .*Run "(.*)" as a superuser, then dump/,
	'an extension in "public" is not updated');
my ($move) = $refused =~ /Run "(.*)"/;
$node->safe_psql('testers', "$move; $update; ALTER EXTENSION objectid UPDATE; INSERT INTO event DEFAULT VALUES");
none_has_run('the update of an extension in "public"');
$node->safe_psql('testers', 'DROP TABLE event; DROP OWNED BY mallory CASCADE');
is(definition($node, 'testers'),
	$definition, 'an extension that has moved from "public" is the same as a new installation');

# The next version: today's tree with one more function, for a copy of the server
my ($before, $last) = $default =~ /^(.*\.)(\d+)$/;
my $next = $before . ($last + 1);
my $dir = PostgreSQL::Test::Utils::tempdir();
my ($bindir) = run_command(
	[ 'bash', '-c', '. script/common.sh; find_postgres; work=$0; private_server LANG=C; echo "$bindir"', $dir ]);
die('the server was not copied') unless $bindir;
mkdir("$dir/next") or die;
system_or_bail('cp', glob('Makefile objectid*.[ch] objectid*.sql'), "$dir/next");
append_to_file("$dir/next/objectid.control", slurp_file('objectid.control') =~ s/^default_version = '\K[^']*/$next/mr);
append_to_file("$dir/next/objectid.c", <<'END');
PG_FUNCTION_INFO_V1(objectid_of_next_version);
Datum
objectid_of_next_version(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(pstrdup(OBJECTID_VERSION));
}
END
my $new = <<'END';
CREATE FUNCTION objectid_of_next_version() RETURNS cstring AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION objectid_of_next_version() IS 'the version of the library';
END
append_to_file("$dir/next/objectid--$next.sql", slurp_file("objectid--$default.sql") . $new);
append_to_file("$dir/next/" . s/\Q$default\E/$next/gr, slurp_file($_)) for glob('objectid--*-after-pg-upgrade*.sql');

# install_next($statements) - install it, with these statements as the update to it
sub install_next
{
	my ($statements) = @_;
	my $script = "$dir/next/objectid--$default--$next.sql";
	unlink($script);
	append_to_file($script, $statements);
	system_or_bail('make', '-s', '-C', "$dir/next", "PG_CONFIG=$bindir/pg_config", 'with_llvm=no', 'install');
	return;
}

# insert($what, @sessions) - a row from each; the order of all ids is that of the rows
my $rows = 0;

sub insert
{
	my ($what, @sessions) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	$_->('INSERT INTO app.event (n) VALUES (' . ++$rows . ')') for @sessions;
	is( $sessions[0]->(q{SELECT string_agg(n::text, ' ' ORDER BY id) FROM app.event}),
		join(' ', 1 .. $rows),
		"$what: each id is greater than those before");
}
my $cluster = PostgreSQL::Test::Cluster->new('next', install_path => $bindir =~ s{/bin/?$}{}r);
init_node($cluster);
$cluster->start;
$cluster->safe_psql('postgres',
	'CREATE EXTENSION objectid; CREATE SCHEMA app; CREATE TABLE app.event (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer)'
);
my $background = $cluster->background_psql('postgres', on_error_stop => 0);
my $old = sub { return $background->query_safe(@_) };
my $fresh = sub { return $cluster->safe_psql('postgres', @_) };
insert('before the update', $old, $fresh);

install_next($new . 'SELECT 1 / 0;');
insert('the new library is there', $old, $fresh, $old);
my $is = definition($cluster, 'postgres');
like(
	($cluster->psql('postgres', 'ALTER EXTENSION objectid UPDATE'))[2],
	qr/division by zero/,
	"an update to $next that fails");
is(definition($cluster, 'postgres'), $is, "an update to $next that fails changes nothing");
insert("after an update to $next that fails", $old, $fresh, $old);

install_next($new);
$fresh->('ALTER EXTENSION objectid UPDATE');
insert('after the update', $old, $fresh, $old);
is($fresh->('SELECT objectid_of_next_version()'), $next, 'a new session calls the new function');
$background->query('SELECT objectid_of_next_version()');
like(
	$background->{stderr},
	qr/could not find function "objectid_of_next_version"/,
	'a session from before keeps the old library');
$background->{stderr} = '';
insert('after a function that an old session does not find', $old, $fresh, $old);
isnt($is = definition($cluster, 'postgres'), $definition, "$next has a new object");
is(installed($cluster, $default, $next), $is, "from $default to $next, in a new database: the same");
is(installed($cluster, $next), $is, "a new installation of $next: the same");
is(installed($cluster, $next, "$next-after-pg-upgrade", $next), $is, "$next-after-pg-upgrade and back: the same");
$background->quit;
$cluster->restart;
insert('after a restart', $fresh, $fresh);

done_testing();
