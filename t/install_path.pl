# The extension in a directory of its own, which the server finds by extension_control_path and
# dynamic_library_path: created, updated, and kept by pg_upgrade.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use TestServer;

my ($version) = run_command([ $pg_config, '--version' ]);
plan skip_all => '[expected] before 18 there is no extension_control_path' if ($version =~ /(\d+)/)[0] < 18;

my $dir = PostgreSQL::Test::Utils::tempdir();
system_or_bail('make', '-s', 'install', "DESTDIR=$dir", "PG_CONFIG=$pg_config");

# without $system and $libdir, where the extension is, too.  The script of the extension uses PL/pgSQL.
my ($sharedir, $libdir, $bindir) = map { (run_command([ $pg_config, "--$_" ]))[0] } qw(sharedir pkglibdir bindir);
symlink($_, "$dir$_") for grep { -e } map { "$libdir/plpgsql.$_" } qw(so dylib);
my @nodes = map { PostgreSQL::Test::Cluster->new($_) } qw(from to);
for my $node (@nodes)
{
	init_node($node);
	$node->append_conf('postgresql.conf',
		"extension_control_path = '$dir$sharedir'\ndynamic_library_path = '$dir$libdir'");
}
my ($from, $to) = @nodes;

my ($update) = slurp_file('docs/operations.md') =~ /^```sql\n((?:ALTER EXTENSION objectid UPDATE.*\n)+)```$/m
  or die('docs/operations.md does not show the update');

# The rows are those of the calls before, and one more.
sub use_extension
{
	my ($node, $rows, $what) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	query_is($node,
		"${update}INSERT INTO event DEFAULT VALUES; SELECT count(*) FROM event WHERE id > date '2024-01-01'",
		$rows, $what);
}

$from->start;
$from->safe_psql('postgres',
	'CREATE EXTENSION objectid; CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY)');
use_extension($from, 1, 'created and updated');
$from->stop;

my $output;
ok( IPC::Run::run(
		[
			"$bindir/pg_upgrade", '--old-datadir', $from->data_dir, '--new-datadir',
			$to->data_dir, '--old-bindir', $bindir, '--new-bindir',
			$bindir, '--old-port', $from->port, '--new-port',
			$to->port, '--socketdir', $from->host
		],
		'<',
		\undef,
		'>&',
		\$output,
		init => sub { chdir($dir) or die "$dir: $!" }),
	'pg_upgrade');
note($output);
$to->start;
use_extension($to, 2, 'upgraded and updated');

done_testing();
