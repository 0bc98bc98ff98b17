# VACUUM FULL, CLUSTER and REINDEX keep every row.  Then the postmaster is killed while rows go into every kind of
# index and indexes are built: no id is duplicated, and after recovery no index has a row too few or too many.  The
# library is preloaded.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use Everywhere;
use Needs;
use TestServer;

need_contrib('amcheck');
# no checkpoint, so that recovery replays the whole load
my $node = start_node(
	'crash', conf => q{
shared_preload_libraries = 'objectid'
autovacuum = off
checkpoint_timeout = 1h
max_wal_size = 1GB});
create_everywhere($node, 'postgres');
$node->safe_psql('postgres', 'CREATE EXTENSION amcheck');

my $contents = contents($node, 'postgres');
for
  my $statement ('CLUSTER app.by_gist USING by_gist_index', 'VACUUM (FULL, ANALYZE)', 'REINDEX SCHEMA CONCURRENTLY app')
{
	$node->safe_psql('postgres', $statement);
	is(contents($node, 'postgres'), $contents, "$statement: the rows are the same");
	check_indexes($node, 'postgres', $statement);
}

my @tables = map { "app.by_$_->{name}" } index_kinds();
my @running = (
	start_load(
		$node, join('', map { "INSERT INTO $_ SELECT gen_objectid(), 10001 FROM generate_series(1, 3);\n" } @tables),
		'--client=4'),
	start_load($node, join('', map { "REINDEX TABLE CONCURRENTLY $_;\n" } @tables)));
$node->poll_query_until(
	'postgres', qq{
SELECT count(*) > 1000 AND EXISTS (SELECT FROM pg_stat_progress_create_index) FROM $tables[-1] WHERE n = 10001
}) or die('the load did not start');
my $logged = -s $node->logfile;
$node->kill9;
finish_load($_) for @running;
my $started = 0;
for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
{
	# retry until the last backend of the killed postmaster has released the shared memory
	last if $started = $node->start(fail_ok => 1);
	select(undef, undef, undef, 0.1);
	$node->stop('fast', fail_ok => 1);
}
ok($started, 'the server starts after kill -9 of the postmaster');
like(substr(slurp_file($node->logfile), $logged), qr/redo starts at/, 'the server recovers after kill -9');

# drop the remains of concurrent builds, as the manual says
$node->safe_psql(
	'postgres', q{
SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index WHERE indexrelid::regclass::text ~ '_cc(new|old)' \gexec
});
command_ok([ 'pg_amcheck', '--heapallindexed', '--parent-check', $node->connstr('postgres') ],
	'after recovery: pg_amcheck of the database');
check_indexes($node, 'postgres', 'after recovery');
query_is(
	$node, "SELECT count(*) > 1000, count(*) % 3 FROM $tables[-1] WHERE n = 10001",
	't|0', 'after recovery: all transactions, and complete ones only');
$node->safe_psql('postgres', "INSERT INTO $tables[-1] SELECT gen_objectid(), 10002 FROM generate_series(1, 3000)");
my $made = join(' UNION ALL ', map { "SELECT id FROM $_ WHERE n > 10000" } @tables);
query_is(
	$node, "SELECT count(*) - count(DISTINCT id) FROM ($made) AS made",
	'0', 'the ids from before and after the crash are distinct');
use_everywhere($node, 'postgres', 'after recovery');

done_testing();
