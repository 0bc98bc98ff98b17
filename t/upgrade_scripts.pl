# Each update script of the extension, objectid--A--B.sql, turns version A into exactly
# what a new installation of version B is.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib t);
use Definition;
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
	is(installed($node, $from, $to, $default), $definition, "then to $default: the same as a new installation")
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
CREATE SCHEMA "Some types";
ALTER EXTENSION objectid SET SCHEMA "Some types";
});
	isnt(definition($node, $upgraded), $definition, 'an extension after pg_upgrade lacks something');
	$node->safe_psql($upgraded,
		"SET SESSION AUTHORIZATION regress_objectid_no_superuser; ALTER EXTENSION objectid UPDATE TO '$default-after-pg-upgrade'; ALTER EXTENSION objectid UPDATE"
	);
	$node->safe_psql($upgraded, 'ALTER EXTENSION objectid SET SCHEMA public; DROP SCHEMA "Some types"');
	is(definition($node, $upgraded),
		$definition, "after the update to $default-after-pg-upgrade and back: the same as a new installation");
}

done_testing();
