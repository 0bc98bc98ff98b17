# The server crashes while rows go into every kind of index and while indexes are
# built; after recovery no index lacks a row or has one too many.  (t/005_crash.pl
# is about the ids.)
use strict;
use warnings;
use lib 't';
use Everywhere;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

need_amcheck();
my $node = PostgreSQL::Test::Cluster->new('crash_amcheck');
$node->init;
# recovery is to have the whole round before it
$node->append_conf('postgresql.conf', "autovacuum = off\ncheckpoint_timeout = 1h\nmax_wal_size = 1GB");
$node->start;
create_everywhere($node, 'postgres');

my @kinds = ('btree (id)', 'hash (id)', 'gist (id)', 'gin (id)', 'brin (id)', 'brin (id objectid_minmax_multi_ops)', 'brin (id objectid_bloom_ops)');
$node->safe_psql(
	'postgres', q{
CREATE EXTENSION amcheck;
CREATE TABLE loaded (id objectid DEFAULT gen_objectid(), round integer);
CREATE TABLE built AS SELECT gen_objectid() AS id, n FROM generate_series(1, 100000) AS n;
} . join('', map { "CREATE INDEX loaded_$_ ON loaded USING $kinds[$_];\n" } 0 .. $#kinds));

# pgbench, which goes on until the server is gone
sub start_pgbench
{
	my ($name, $script, @options) = @_;
	my $file = $node->basedir . "/$name.sql";
	append_to_file($file, $script);
	return IPC::Run::start(
		[ 'pgbench', '--no-vacuum', '--time=300', "--file=$file", @options, $node->connstr('postgres') ],
		'<', \undef, '>', \my $out, '2>', \my $err);
}

for my $round (1 .. 3)
{
	my @running = (
		start_pgbench("load_$round", "INSERT INTO loaded (round) VALUES ($round), ($round), ($round);\n", '--client=4'),
		start_pgbench(
			"build_$round", join('', map { "DROP INDEX IF EXISTS built_$_;\nCREATE INDEX built_$_ ON built USING $kinds[$_];\n" } 0 .. $#kinds)),
		start_pgbench("rebuild_$round", join('', map { "REINDEX INDEX CONCURRENTLY loaded_$_;\n" } 0 .. $#kinds)));

	# rows of this round, and builds of both kinds under way
	$node->poll_query_until(
		'postgres', qq{
SELECT (SELECT count(*) > 3000 FROM loaded WHERE round = $round)
   AND (SELECT count(DISTINCT relid) = 2 FROM pg_stat_progress_create_index)
   AND (SELECT count(*) > 3 FROM pg_index WHERE indrelid = 'built'::regclass)
}) or BAIL_OUT("round $round does not start");
	$node->stop('immediate');
	$_->finish for @running;

	my $log = -s $node->logfile;
	$node->start;
	like(substr(slurp_file($node->logfile), $log), qr/redo starts at/, "round $round: recovery");

	# what a concurrent build left is dropped as the manual says
	$node->safe_psql(
		'postgres', q{
SELECT format('DROP INDEX %s', indexrelid::regclass) FROM pg_index
WHERE NOT indisvalid AND indrelid IN ('loaded'::regclass, 'built'::regclass) AND indexrelid::regclass::text ~ '_cc(new|old)' \gexec
});
	command_ok([ 'pg_amcheck', '--heapallindexed', '--parent-check', $node->connstr('postgres') ], "round $round: pg_amcheck of the database");
	check_indexes($node, 'postgres', "round $round");

	# a transaction is there as a whole or not at all, and each index finds its rows
	is( $node->safe_psql('postgres', "SELECT count(*) > 3000, count(*) % 3, count(*) - count(DISTINCT id) FROM loaded WHERE round = $round"),
		't|0|0', "round $round: the rows of whole transactions");
	my @indexes = split(/\n/, $node->safe_psql('postgres', q{SELECT indexrelid::regclass FROM pg_index WHERE indrelid IN ('loaded'::regclass, 'built'::regclass)}));
	cmp_ok(scalar(@indexes), '>=', @kinds + 3, "round $round: indexes of rows that came in, and some that were built");
	for my $index (@indexes)
	{
		my ($table, $kind) = $index =~ /^(\w+)_(\d)$/;
		# the others are out of the way until the transaction is rolled back
		my $only = join('', map { $_ eq $index ? '' : "DROP INDEX $_;\n" } @indexes);
		# the rows that were written last
		my $query = "SELECT count(*) FROM (SELECT id FROM $table ORDER BY ctid DESC LIMIT 1000) AS last JOIN $table AS t ON t.id = last.id";
		my $found = $node->safe_psql(
			'postgres', qq{
BEGIN;
$only
SET LOCAL enable_seqscan = off;
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
EXPLAIN (COSTS OFF) $query;
$query;
ROLLBACK;
});
		like($found, qr/ (?:on|using) $index\b.*\n1000\z/s, "round $round: $table: $kinds[$kind] finds the last rows");
	}
}
$node->stop;

done_testing();
