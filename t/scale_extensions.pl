# Other extensions: t/scale_extensions.sql has a path with each, with an objectid column and with a uuid
# column, and what must come out.
use strict;
use warnings FATAL => 'all';
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use TestServer;

my ($fixture, @entries) = split(/^--- (.*)\n/m, slurp_file('t/scale_extensions.sql'));

# a value that is greater for a greater number, and a new value
my %values = (
	objectid => { key => q{lpad(to_hex($1), 24, '0')::objectid}, new => 'gen_objectid()' },
	uuid => { key => q{lpad(to_hex($1), 32, '0')::uuid}, new => 'gen_random_uuid()' });

# change both tables alike
my $writes = q{
\set n random(1, 1000)
WITH new AS (INSERT INTO event SELECT new_key(), :n RETURNING *) INSERT INTO twin SELECT * FROM new;
WITH changed AS (UPDATE event SET n = n + 1 WHERE id = key(:n) RETURNING *) UPDATE twin SET n = changed.n FROM changed WHERE twin.id = changed.id;
};

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

# psql($type, $sql) - what psql prints, errors included
sub psql
{
	my ($type, $sql) = @_;
	local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, PGDATABASE => 'postgres');
	my %variables = (%{ $values{$type} }, id => $type, VERBOSITY => 'terse');
	IPC::Run::run([ 'psql', '-XqAt', map { ('-v', "$_=$variables{$_}") } sort keys %variables ],
		'<', \$sql, '>&', \my $output);
	$output =~ s/\b0{16}([0-9a-f]{8})\b|\b0{8}-0000-0000-0000-0000([0-9a-f]{8})\b/'#' . hex($1 \/\/ $2)/ge;
	return $output =~ s/\b$type\b/ID/gr;
}

my %missing;
while (my ($head, $sql) = splice(@entries, 0, 2))
{
	my ($name, $package, $only, @settings) = split(/ *[|;] */, $head);
	if (!-f "$libraries/$name.so" && !-f "$sharedir/extension/$name.control")
	{
		$missing{$package} = 1;
		next;
	}
	my $expected = join('', map { s/^--= ?//r } $sql =~ /^(--=.*\n)/mg);
	$sql =~ s/^--page (\S+) (.*)\n/section($1, $2)/gem;
	my $conf = join("\n", grep { /^(\w+)/ && $known =~ /^$1$/m } @settings);
	for my $type (grep { !$only || $only eq $_ } sort keys %values)
	{
		unlink($node->data_dir . '/entry.conf');
		append_to_file($node->data_dir . '/entry.conf', $conf);
		$node->restart;
		$node->safe_psql('template1', $_)
		  for 'DROP DATABASE IF EXISTS postgres WITH (FORCE)', 'CREATE DATABASE postgres';
		is(psql($type, $fixture), '', "$name, $type: the tables");
		my $load = $sql =~ /\bdiffering\(/ ? start_load($node, $writes, '--client=2') : undef;
		is(psql($type, $sql), $expected, "$name, $type");
		next unless $load;
		stop_load($load);
		unlike($load->{output}, qr/aborted|error/i, "$name, $type: the writes beside it");
	}
}
SKIP:
{
	skip '[expected] not installed (packages of Debian sid): ' . join(', ', sort keys %missing), 1 if %missing;
}
unlike(slurp_file($node->logfile), qr/PANIC|TRAP|terminated by signal/, 'no crash');

done_testing();
