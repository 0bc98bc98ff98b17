# Kill a backend, kill the postmaster, and stop the server immediately, while rows go into
# every kind of index and while indexes are built.  No id is duplicated, and after recovery
# no index has a row too few or too many.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use Everywhere;
use TestServer;

need_contrib('amcheck');
# no checkpoint, so that recovery replays the whole round
my $node = start_node('crash',
	conf => "autovacuum = off\ncheckpoint_timeout = 1h\nmax_wal_size = 1GB\nrestart_after_crash = on");
create_everywhere($node, 'postgres');

# indexes that support "id = ..."
my @kinds = grep { $_->{index} =~ / \(id\b/ } index_kinds();
$node->safe_psql(
	'postgres', q{
CREATE EXTENSION amcheck;
CREATE TABLE loaded (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
CREATE TABLE built AS SELECT gen_objectid() AS id, n FROM generate_series(1, 100000) AS n;
} . join('', map { "CREATE INDEX loaded_$_->{name} ON loaded $_->{index};\n" } @kinds));

# Each crash leaves the server running, after recovery.
my %crash = (
	'kill -9 of a backend' => sub {
		my $pid = $node->safe_psql('postgres',
			q{SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT INTO loaded%' AND pid <> pg_backend_pid() LIMIT 1}
		);
		is(kill('KILL', $pid), 1, 'kill -9 of a backend');
		finish_load($_) for @_;
		$node->poll_query_until('postgres', 'SELECT true') or BAIL_OUT('the server did not restart');
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
	my @running = (
		start_load($node, "INSERT INTO loaded (n) VALUES ($round), ($round), ($round);\n", '--client=4'),
		start_load(
			$node,
			join('',
				map { "DROP INDEX IF EXISTS built_$_->{name};\nCREATE INDEX built_$_->{name} ON built $_->{index};\n" }
				  @kinds)),
		start_load($node, join('', map { "REINDEX INDEX CONCURRENTLY loaded_$_->{name};\n" } @kinds)));

	# wait until this round has rows, and builds of both kinds are running
	$node->poll_query_until(
		'postgres', qq{
SELECT (SELECT count(*) > 3000 FROM loaded WHERE n = $round)
   AND (SELECT count(DISTINCT relid) = 2 FROM pg_stat_progress_create_index)
   AND (SELECT count(*) > 3 FROM pg_index WHERE indrelid = 'built'::regclass)
}) or BAIL_OUT("$crash: the load did not start");
	$crash{$crash}->(@running);
	like(substr(slurp_file($node->logfile), $log), qr/redo starts at/, "$crash: recovery");

	# drop the remains of concurrent builds, as the manual says
	$node->safe_psql(
		'postgres', q{
SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index
WHERE NOT indisvalid AND indrelid IN ('loaded'::regclass, 'built'::regclass) AND indexrelid::regclass::text ~ '_cc(new|old)' \gexec
});
	command_ok([ 'pg_amcheck', '--heapallindexed', '--parent-check', $node->connstr('postgres') ],
		"$crash: pg_amcheck of the database");
	check_indexes($node, 'postgres', $crash);

	# a transaction is complete or missing, and each index finds its rows
	query_is($node, "SELECT count(*) > 3000, count(*) % 3 FROM loaded WHERE n = $round",
		't|0', "$crash: complete transactions only");
	my @indexes = split(
		/\n/,
		$node->safe_psql(
			'postgres', q{
SELECT indexrelid::regclass FROM pg_index WHERE indrelid IN ('loaded'::regclass, 'built'::regclass) AND NOT indisprimary}
		));
	cmp_ok(scalar(@indexes), '>=', @kinds + 3, "$crash: indexes that received rows, and indexes that were built");
	for my $index (@indexes)
	{
		my ($table) = $index =~ /^([a-z]+)_/;
		# drop all other indexes; the rollback restores them
		my $only = join('', map { $_ eq $index ? '' : "DROP INDEX $_;\n" } @indexes);
		# the rows that were written last
		my $query =
		  "SELECT count(*) FROM (SELECT id FROM $table ORDER BY ctid DESC LIMIT 1000) AS last JOIN $table AS t ON t.id = last.id";
		my $found = $node->safe_psql(
			'postgres', qq{
BEGIN;
$only
ALTER TABLE loaded DROP CONSTRAINT loaded_pkey;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
EXPLAIN (COSTS OFF) $query;
$query;
ROLLBACK;
});
		like($found, qr/ (?:on|using) $index\b.*\n1000\z/s, "$crash: $index finds the last rows");
	}
}
query_is($node, 'SELECT count(*) = count(DISTINCT id), count(DISTINCT n), count(*) > 9000 FROM loaded',
	't|3|t', 'ids of all rounds are distinct');
unlike(slurp_file($node->logfile), qr/duplicate key/, 'no insert failed with a duplicate key');

done_testing();
