# Kill a backend, kill the postmaster, and stop the server immediately, while rows go into
# every kind of index and indexes are built.  No id is duplicated, and after recovery
# no index has a row too few or too many.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib t);
use Everywhere;
use Needs;
use TestServer;

need_contrib('amcheck');
# no checkpoint, so that recovery replays the whole round
my $node = start_node('crash',
	conf => "autovacuum = off\ncheckpoint_timeout = 1h\nmax_wal_size = 1GB\nrestart_after_crash = on");
create_everywhere($node, 'postgres');

$node->safe_psql('postgres', 'CREATE EXTENSION amcheck');
my @tables = map { "app.by_$_->{name}" } index_kinds();

# Each crash leaves the server running, after recovery.
my %crash = (
	'kill -9 of a backend' => sub {
		my $pid = $node->safe_psql('postgres',
			q{SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT INTO app.by%' AND pid <> pg_backend_pid() LIMIT 1}
		);
		my $logged = -s $node->logfile;
		is(kill('KILL', $pid), 1, 'kill -9 of a backend');
		finish_load($_) for @_;
		wait_for_recovery($node, $logged);
	},
	'kill -9 of the postmaster' => sub {
		$node->kill9;
		finish_load($_) for @_;
		my $started = 0;
		for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
		{
			# retry until the last backend of the killed postmaster has released the shared memory
			last if $started = $node->start(fail_ok => 1);
			select(undef, undef, undef, 0.1);
			$node->stop('fast', fail_ok => 1);
		}
		ok($started, 'kill -9 of the postmaster, and restart');
	},
	'immediate stop' => sub {
		$node->stop('immediate');
		finish_load($_) for @_;
		$node->start;
	});

my $round = 0;
for my $crash (sort keys %crash)
{
	$round++;
	my $log = -s $node->logfile;
	my $n = 10_000 + $round;
	my @running = (
		start_load(
			$node, join('', map { "INSERT INTO $_ SELECT gen_objectid(), $n FROM generate_series(1, 3);\n" } @tables),
			'--client=4'),
		start_load($node, join('', map { "REINDEX TABLE CONCURRENTLY $_;\n" } @tables)));

	# wait until this round has rows, and an index is being built
	$node->poll_query_until(
		'postgres', qq{
SELECT count(*) > 1000 AND EXISTS (SELECT FROM pg_stat_progress_create_index) FROM $tables[-1] WHERE n = $n
}) or die("$crash: the load did not start");
	$crash{$crash}->(@running);
	like(substr(slurp_file($node->logfile), $log), qr/redo starts at/, "$crash: recovery");

	# drop the remains of concurrent builds, as the manual says
	$node->safe_psql(
		'postgres', q{
SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index WHERE indexrelid::regclass::text ~ '_cc(new|old)' \gexec
});
	command_ok([ 'pg_amcheck', '--heapallindexed', '--parent-check', $node->connstr('postgres') ],
		"$crash: pg_amcheck of the database");
	check_indexes($node, 'postgres', $crash);
	query_is(
		$node, "SELECT count(*) > 1000, count(*) % 3 FROM $tables[-1] WHERE n = $n",
		't|0', "$crash: all transactions, and complete ones only");
}
my $made = join(' UNION ALL ', map { "SELECT id, n FROM $_ WHERE n > 10000" } @tables);
query_is($node, "SELECT count(*) = count(DISTINCT id), count(DISTINCT n) FROM ($made) AS made",
	't|3', 'ids of all rounds are distinct');

done_testing();
