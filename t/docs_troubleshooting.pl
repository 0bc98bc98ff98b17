# docs/troubleshooting.md has the errors that the server and make really print.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

# what users see, with "..." for the rest, as regular expressions
my ($install) = slurp_file('docs/troubleshooting.md') =~ /^## It does not install\n(.*?)^## /ms;
my @known = map {
	join('.*', map { quotemeta } split(m{…}, $_, -1))
} map { /`([^`]+)`/g } $install =~ /^\| (`.*?) \| /mg;
cmp_ok(scalar(@known), '>', 10, 'the page has messages');

sub is_known
{
	my ($message, $what) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok(scalar(grep { $message =~ $_ } @known), $what) or diag($message);
}

my $node = start_node('troubleshooting', sql => 'CREATE ROLE regress_objectid_joe');
for my $statement (
	'CREATE TABLE event (id objectid)',
	'SELECT gen_objectid()',
	'SET ROLE regress_objectid_joe; CREATE EXTENSION objectid',
	'CREATE EXTENSION objectid SCHEMA public',
	q{BEGIN; CREATE FUNCTION gen_objectid() RETURNS text LANGUAGE sql AS 'SELECT 1'; CREATE EXTENSION objectid},
	'CREATE EXTENSION objectid; SET ROLE regress_objectid_joe; COMMENT ON EXTENSION objectid IS NULL',
	q{UPDATE pg_extension SET extnamespace = 'public'::regnamespace WHERE extname = 'objectid'; ALTER EXTENSION objectid UPDATE TO '1.0-after-pg-upgrade'},
	'CREATE EXTENSION missing',
	q{LOAD 'missing'})
{
	my (undef, undef, $error) = $node->psql('postgres', $statement);
	is_known($error =~ s/missing/objectid/gr, $statement);
}

my (undef, $error) = run_command([ 'make', '--dry-run', 'PG_CONFIG=missing/pg_config' ]);
is_known($error, 'make without pg_config');

done_testing();
