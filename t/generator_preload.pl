# Every process generates its own random part, even if the library was loaded before the
# fork (shared_preload_libraries).  No two processes share ids.
use Cwd qw(abs_path);
use lib 't';
use TestServer;

for my $preload ('', 'objectid')
{
	my $with = $preload ? 'preloaded' : 'loaded on demand';
	my $node = start_node(
		"preload_$preload",
		conf => qq{
shared_preload_libraries = '$preload'
max_connections = 120
max_worker_processes = 8
max_parallel_workers = 8
},
		sql => q{
CREATE EXTENSION objectid;
CREATE TABLE made (id objectid DEFAULT gen_objectid(), process bigint);
CREATE VIEW part AS SELECT substring(id::bytea, 5, 5) AS random, process FROM made;
});

	# 500 short connections, 20 at a time, with one transaction each
	$node->pgbench(
		'--no-vacuum --connect --client=20 --jobs=2 --transactions=25',
		0,
		[qr{processed: 500/500}],
		[qr{^$}],
		"$with: short connections",
		{ short => 'INSERT INTO made (process) SELECT txid_current() FROM generate_series(1, 3);' });

	# 100 long ones at once
	$node->pgbench(
		'--no-vacuum --client=100 --jobs=2 --transactions=20',
		0, [qr{processed: 2000/2000}],
		[qr{^$}],
		"$with: concurrent connections",
		{ long => 'INSERT INTO made (process) VALUES (- pg_backend_pid());' });

	# When its counter overflows, a process gets a new random part, so there can be more
	# random parts than processes.
	query_is($node, 'SELECT count(*), count(DISTINCT id) FROM made', '3500|3500', "$with: all ids are distinct");
	query_is($node, 'SELECT count(DISTINCT process), count(DISTINCT random) >= count(DISTINCT process) FROM part',
		'600|t', "$with: each process has a random part");
	query_is($node,
		'SELECT count(*) FROM (SELECT FROM part GROUP BY random HAVING count(DISTINCT process) > 1) AS shared',
		'0', "$with: no two processes have the same random part");

	query_is(
		$node,
		'SELECT bool_and(values > 100) FROM (SELECT count(DISTINCT get_byte(random, n)) AS values FROM part, generate_series(0, 4) AS n GROUP BY n) AS byte',
		't',
		"$with: each byte of the random part is random");
	query_is(
		$node,
		'SELECT bool_and(values > 100) FROM (SELECT count(DISTINCT get_byte(id::bytea, n)) AS values FROM made, generate_series(9, 10) AS n GROUP BY n) AS byte',
		't',
		"$with: the start of the counter is random");

	# Workers of a parallel query are forked too.  They must not use the state of the
	# leader, which generated ids before.
	query_is(
		$node, q{
CREATE TABLE big AS SELECT n FROM generate_series(1, 1000000) AS n;
ALTER TABLE big SET (parallel_workers = 4);
ANALYZE big;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 4;
SET parallel_leader_participation = off;
-- core's is for the leader only
CREATE FUNCTION process() RETURNS integer PARALLEL SAFE LANGUAGE plpgsql AS 'BEGIN RETURN pg_backend_pid(); END';
SELECT gen_objectid() IS NULL;
CREATE TEMP TABLE parallel AS
  SELECT substring(id::bytea, 5, 5) AS random, id, process
  FROM (SELECT gen_objectid() AS id, process() AS process FROM big OFFSET 0) AS generated;
SELECT count(*), count(DISTINCT id), count(DISTINCT process) > 1, bool_or(process = pg_backend_pid()) FROM parallel;
SELECT count(*) FROM (SELECT FROM parallel GROUP BY random HAVING count(DISTINCT process) > 1) AS shared;
}, "f\n1000000|1000000|t|f\n0", "$with: parallel workers generate distinct ids");
	$node->stop;
}

# A process that inherits a used generator starts again at a random number.  The extension
# itself never generates before the fork, but a preloaded library might call it.  The test
# module contains the generator's source and does so.
system_or_bail('make', '-s', '-C', 't/generator', "PG_CONFIG=$pg_config");
my $library = abs_path('t/generator') . '/generator_test';
my $node = start_node(
	'used',
	conf => "shared_preload_libraries = '$library'",
	sql => qq{
CREATE EXTENSION objectid;
CREATE FUNCTION test_gen() RETURNS objectid AS '$library', 'gen_objectid' LANGUAGE C;
});
my %part;
$part{ $node->safe_psql('postgres', 'SELECT substring(test_gen()::bytea, 5, 5)') }++ for 1 .. 10;
is(keys %part, 10, 'processes that inherit a used generator have their own random part');

done_testing();
