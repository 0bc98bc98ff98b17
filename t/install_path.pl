# One clone builds anew for another server.  The extension works in a directory of its own, which the server finds by
# extension_control_path and dynamic_library_path: created, updated, and kept by pg_upgrade.
use strict;
use warnings FATAL => 'all';
use File::Copy qw(copy);
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my $build = PostgreSQL::Test::Utils::tempdir();
my $other = "$build/pg_config";
append_to_file($other, qq{#!/bin/sh\n"$pg_config" "\$@" | sed 's/^PostgreSQL /&of another kind, /'\n});
chmod(0755, $other);
copy($_, $build) or die "$_: $!" for qw(Makefile objectid.control), glob('*.[ch]');
my @built = do
{
	delete local $ENV{MAKEFLAGS};    # of the tests' own make, which is silent
	map { (run_command([ 'make', '-C', $build, 'objectid.o', "PG_CONFIG=$_" ]))[0] =~ /-c\b/ ? 1 : 0 } $pg_config,
	  $pg_config, $other, $other;
};
is("@built", '1 0 1 0', 'make builds once for each server');

my ($update) = slurp_file('docs/operations.md') =~ /^```sql\n((?:ALTER EXTENSION objectid UPDATE.*\n)+)```$/m
  or die('docs/operations.md does not show the update');
my ($version) = run_command([ $pg_config, '--version' ]);
SKIP:
{
	skip '[expected] before 18 there is no extension_control_path', 3 if ($version =~ /(\d+)/)[0] < 18;
	upgrade(PostgreSQL::Test::Utils::tempdir());
}
done_testing();

# The rows are those of the calls before, and one more.
sub use_extension
{
	my ($node, $rows, $what) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	query_is($node,
		"${update}INSERT INTO event DEFAULT VALUES; SELECT count(*) FROM event WHERE id > date '2024-01-01'",
		$rows, "the extension in its directory is $what");
}

# upgrade($dir) - install into this directory, without $system and $libdir, where the extension is, too.  The script of
# the extension uses PL/pgSQL.
sub upgrade
{
	my ($dir) = @_;
	system_or_bail('make', '-s', 'install', "DESTDIR=$dir", "PG_CONFIG=$pg_config");
	my ($sharedir, $libdir, $bindir) = map { (run_command([ $pg_config, "--$_" ]))[0] } qw(sharedir pkglibdir bindir);
	symlink($_, "$dir$_") for grep { -e } map { "$libdir/plpgsql.$_" } qw(so dylib);
	my ($from, $to) = map { PostgreSQL::Test::Cluster->new($_) } qw(from to);
	for my $node ($from, $to)
	{
		init_node($node);
		$node->append_conf('postgresql.conf',
			"extension_control_path = '$dir$sharedir'\ndynamic_library_path = '$dir$libdir'");
	}
	$from->start;
	$from->safe_psql('postgres',
		'CREATE EXTENSION objectid; CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY)');
	use_extension($from, 1, 'created and updated');
	$from->stop;
	pg_upgrade($bindir, $from, $bindir, $to, $dir);
	$to->start;
	use_extension($to, 2, 'upgraded and updated');
	return;
}
