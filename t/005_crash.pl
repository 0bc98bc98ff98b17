# Backends and the postmaster die in mid-load; those that come after them repeat
# no id of theirs.
use strict;
use warnings;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('crash');
$node->init;
$node->append_conf('postgresql.conf', "restart_after_crash = on\nautovacuum = off");
$node->start;
$node->safe_psql(
	'postgres', q{
CREATE EXTENSION objectid;
CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, round integer);
});

# Load that goes on until it is told to stop or its connections die.
sub start_load
{
	my ($round) = @_;
	my $script = $node->basedir . "/insert_$round.sql";
	append_to_file($script, "INSERT INTO made (round) VALUES ($round), ($round), ($round);\n");
	my $load = IPC::Run::start(
		[ 'pgbench', '--no-vacuum', '--client=8', '--jobs=2', '--time=300', "--file=$script", $node->connstr('postgres') ],
		'<', \undef, '>', \my $out, '2>', \my $err);
	$node->poll_query_until('postgres', "SELECT count(*) > 1000 FROM made WHERE round = $round")
	  or BAIL_OUT("load $round does not start");
	return $load;
}

# a backend: the postmaster restarts all of them
my $load = start_load(1);
my $pid = $node->safe_psql('postgres',
	q{SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT INTO made%' AND pid <> pg_backend_pid() LIMIT 1});
is(kill('KILL', $pid), 1, 'kill -9 of a backend');
$load->finish;
$node->poll_query_until('postgres', 'SELECT true', 't') or BAIL_OUT('the server does not come back');

# the postmaster
$load = start_load(2);
$node->kill9;
$load->finish;
my $started = 0;
for (1 .. 600)
{
	# not before the last orphan has let go of the shared memory
	last if $started = $node->start(fail_ok => 1);
	select(undef, undef, undef, 0.1);
	$node->stop('fast', fail_ok => 1);
}
ok($started, 'kill -9 of the postmaster, and restart');

$load = start_load(3);
$load->kill_kill;

is( $node->safe_psql('postgres',
		'SELECT count(*) = count(DISTINCT id), count(DISTINCT round), count(*) > 3000 FROM made'),
	't|3|t',
	'ids of all rounds are distinct');
unlike(slurp_file($node->logfile), qr/duplicate key/, 'no insert ever met an id that was there');
$node->stop;

done_testing();
