# pg_upgrade from an older server, in databases that use the type everywhere, and then the
# update to the features of the newer server.  OLD_PG_CONFIG names the older server, which
# must have the extension too.  Core cannot upgrade every pair of minor versions, so there
# is no default: without OLD_PG_CONFIG, the same server is both old and new.
# Takes long.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use Definition;
use Everywhere;
use Needs;
use TestServer;

# The server of a pg_config
sub config
{
	my ($program) = @_;
	my %is = (program => $program);
	($is{$_}) = run_command([ $program, "--$_" ]) for qw(bindir sharedir version);
	($is{major}) = $is{version} =~ /(\d+)/;
	return \%is;
}

my $privileges = q{
REVOKE EXECUTE ON FUNCTION objectid_is_valid(text), gen_objectid(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION objectid_is_valid(text) TO regress_objectid_creator;
GRANT USAGE ON TYPE objectid TO regress_objectid_creator WITH GRANT OPTION};
my $get_privileges = q{
SELECT proacl FROM pg_proc WHERE proname IN ('objectid_is_valid', 'gen_objectid') ORDER BY oid::regprocedure::text DESC;
SELECT typacl FROM pg_type WHERE oid = 'objectid'::regtype};

need_contrib('amcheck');
my $new = config($pg_config);
my $old = $ENV{OLD_PG_CONFIG} ? config($ENV{OLD_PG_CONFIG}) : $new;
SKIP:
{
	skip '[expected] OLD_PG_CONFIG names no older server', 1 if $old == $new;
	cmp_ok($old->{major}, '<', $new->{major}, "from an older server: $old->{major} to $new->{major}");
}
note("from $old->{version} to $new->{version}");

my @from = $old == $new ? () : (install_path => $old->{bindir} =~ s{/bin/?$}{}r);
my $from = PostgreSQL::Test::Cluster->new('from', @from);
my $to = PostgreSQL::Test::Cluster->new('to');
init_node($_, extra => ['--data-checksums']) for $from, $to;
$from->start;
create_everywhere($from, 'postgres');
# the extension belongs to a role that may only create, and has privileges of its own
my @creator = (extra_params => [ '-U', 'regress_objectid_creator' ]);
$from->safe_psql(
	'postgres', q{
CREATE ROLE regress_objectid_creator LOGIN;
CREATE DATABASE granted;
CREATE DATABASE unprivileged;
GRANT CREATE ON DATABASE granted, unprivileged TO regress_objectid_creator});
$from->safe_psql($_, 'CREATE EXTENSION objectid', @creator) for 'granted', 'unprivileged';
create_everywhere($from, 'granted');
$from->safe_psql('granted', $privileges);
my %contents = map { $_ => contents($from, $_) } 'postgres', 'granted';
my $granted = $from->safe_psql('granted', $get_privileges);
like($granted, qr/regress_objectid_creator=X.*regress_objectid_creator=U\*/s, 'privileges: granted before the upgrade');
$from->stop;

my $dir = PostgreSQL::Test::Utils::tempdir();
pg_upgrade($old->{bindir}, $from, $new->{bindir}, $to, $dir, @$_) for ['--check'], [];

$to->start;
for my $database ('postgres', 'granted')
{
	is(contents($to, $database), $contents{$database}, "$database: all rows");
	check_indexes($to, $database, $database);
	use_everywhere($to, $database, $database);
}

# A new database has all features of this server.  An upgraded one lacks the new features
# until it is updated as docs/operations.md says.
$to->safe_psql('postgres', 'CREATE DATABASE fresh');
$to->safe_psql('fresh', 'CREATE EXTENSION objectid');
my $fresh = definition($to, 'fresh');
my %there = map { $_ => 1 } split(/\n/, definition($to, 'postgres'));
my @expected;
# an array type is a member of its extension from 17 on; pg_dump leaves out its comment
push @expected, 'member: type objectid[]: array of ObjectIds', 'member: type objectid_period[]: array of periods'
  if $new->{major} >= 17;
push @expected, grep { /objectid_skipsupport|gist_translate_cmptype_common/ } split(/\n/, $fresh) if $old->{major} < 18;
is( join("\n", grep { !$there{$_} } split(/\n/, $fresh)),
	join("\n", sort @expected),
	'upgraded: only the new features are missing');
cmp_ok(scalar(@expected), '>', 3, 'upgraded: skip support and temporal keys are missing')
  if $old->{major} < 18 && $new->{major} >= 18;

my ($block) = slurp_file('docs/operations.md') =~ /^```sql\n((?:ALTER EXTENSION objectid UPDATE.*\n)+)```$/m
  or die('docs/operations.md does not show the update');
like(
	($to->psql('unprivileged', $block, @creator))[2],
	qr/must be owner of extension objectid/,
	'the creator of the extension is not its owner');
for my $time ('once', 'again')
{
	$to->safe_psql($_, $block) for 'postgres', 'granted', 'unprivileged';
	is(definition($to, 'unprivileged'), $fresh, "updated $time: the same as in a new database");
	%there = map { $_ => 1 } split(/\n/, definition($to, 'postgres'));
	is(join("\n", grep { !$there{$_} } split(/\n/, $fresh)),
		'', "updated $time: nothing is missing where the type is used");
}
query_is($to, $get_privileges, $granted, 'privileges: kept by the upgrade', 'granted');

check_indexes($to, 'postgres', 'updated');

done_testing();
