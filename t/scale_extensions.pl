# Other extensions: t/scale_extensions.sql has a path with each, and what must come out.
use strict;
use warnings FATAL => 'all';
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my ($fixture, @entries) = split(/^--- (.*)\n/m, slurp_file('t/scale_extensions.sql'));

my ($libraries, $sharedir) = map { (run_command([ $pg_config, "--$_" ]))[0] } qw(pkglibdir sharedir);
my $node = start_node(
	'main',
	allows_streaming => 'logical',
	conf => "timezone = 'UTC'\nmax_worker_processes = 20\ninclude_if_exists = 'entry.conf'");
my $known = $node->safe_psql('postgres', 'SELECT name FROM pg_settings');

# section($page, $title) - the statements of a section
sub section
{
	my ($page, $title) = @_;
	my ($text) = slurp_file($page) =~ /^#+ \Q$title\E\n(.*?)(?=^#|\z)/ms or die("$page has no $title");
	return join('', $text =~ /^```\w*\n(.*?)^```$/gms);
}

# psql($sql) - what psql prints, errors included
sub psql
{
	my ($sql) = @_;
	local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, PGDATABASE => 'postgres');
	IPC::Run::run([ 'psql', '-XqAt', '-v', 'VERBOSITY=terse' ], '<', \$sql, '>&', \my $output);
	return $output =~ s/\b0{16}([0-9a-f]{8})\b/'#' . hex($1)/ger;
}

my %missing;
while (my ($head, $sql) = splice(@entries, 0, 2))
{
	my ($name, $package, @settings) = split(/ *[|;] */, $head);
	if (!-f "$libraries/$name.so" && !-f "$sharedir/extension/$name.control")
	{
		$missing{$package} = 1;
		next;
	}
	my $expected = join('', map { s/^--= ?//r } $sql =~ /^(--=.*\n)/mg);
	$sql =~ s/^--page (\S+) (.*)\n/section($1, $2)/gem;
	my $conf = join("\n", grep { /^(\w+)/ && $known =~ /^$1$/m } @settings);
	unlink($node->data_dir . '/entry.conf');
	append_to_file($node->data_dir . '/entry.conf', $conf);
	$node->restart;
	$node->safe_psql('template1', $_) for 'DROP DATABASE IF EXISTS postgres WITH (FORCE)', 'CREATE DATABASE postgres';
	is(psql($fixture), '', "$name: the tables");
	is(psql($sql), $expected, $name);
}
SKIP:
{
	skip '[expected] not installed (packages of Debian sid): ' . join(', ', sort keys %missing), 1 if %missing;
}
unlike(slurp_file($node->logfile), qr/PANIC|TRAP|terminated by signal/, 'no crash');

done_testing();
