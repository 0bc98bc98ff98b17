# One generator for each server: its sessions, in all databases, and parallel workers take
# the next serial number of one sequence, whether the library was loaded before the fork
# (shared_preload_libraries) or not.
# Takes long.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

for my $preload ('objectid', '')
{
	my $with = $preload ? 'preloaded' : 'loaded on demand';
	my $node = start_node(
		"sessions_$preload",
		conf => qq{
shared_preload_libraries = '$preload'
max_connections = 120
max_worker_processes = 8
max_parallel_workers = 8
autovacuum = off
},
		sql => 'CREATE DATABASE other');
	$node->safe_psql($_, slurp_file('sql/setup.sql')) for qw(postgres other);

	# each session starts after the one before has ended
	my @ids = map { $node->safe_psql($_ % 2 ? 'other' : 'postgres', 'SELECT gen_objectid()') } 1 .. 60;
	is(join(' ', @ids), join(' ', sort @ids), "$with: ids of one session after another increase");
	query_is(
		$node, "SELECT serial(text '$ids[59]') - serial(text '$ids[0]')",
		59, "$with: sessions in two databases continue");

	# Every id must be greater than those that the statement sees: their generation ended before.
	$node->safe_psql(
		'postgres', q{
CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, before objectid);
CREATE TABLE dated (id objectid);
});
	my $insert = "INSERT INTO made (before) SELECT max(id) FROM made;\n";
	$node->pgbench(
		'--no-vacuum --connect --client=20 --jobs=2 --transactions=25',
		0, [qr{processed: 500/500}], [qr{^$}],
		"$with: short connections",
		{ "short_$preload" => $insert });
	$node->pgbench(
		'--no-vacuum --client=100 --jobs=2 --transactions=50',
		0, [qr{processed: 5000/5000}],
		[qr{^$}],
		"$with: concurrent connections",
		{ "long_$preload" => $insert });
	query_is($node,
		'SELECT count(*), count(*) FILTER (WHERE id <= before), max(serial(id)) - min(serial(id)) FROM made',
		'5500|0|5499', "$with: concurrent sessions continue, and no id is smaller than one that was there before");

	$node->pgbench(
		'--no-vacuum --client=16 --jobs=2 --transactions=20',
		0,
		[qr{processed: 320/320}],
		[qr{^$}],
		"$with: concurrent sessions generate ids of a given time",
		{ "dated_$preload" => "INSERT INTO dated SELECT gen_objectid('2012-10-17') FROM generate_series(1, 2000);\n" });
	query_is($node, 'SELECT count(*), count(DISTINCT id), max(serial(id)) - min(serial(id)) FROM dated',
		'640000|640000|639999', "$with: ids of a given time are unique, and continue");

	query_is(
		$node, q{
CREATE TABLE big AS SELECT n FROM generate_series(1, 300000) AS n;
ALTER TABLE big SET (parallel_workers = 4);
ANALYZE big;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET max_parallel_workers_per_gather = 4;
SET parallel_leader_participation = off;
-- core's is for the leader only
CREATE FUNCTION process() RETURNS integer PARALLEL SAFE LANGUAGE plpgsql AS 'BEGIN RETURN pg_backend_pid(); END';
-- so is the extension's, but an application can declare its own
CREATE FUNCTION generate() RETURNS objectid PARALLEL SAFE LANGUAGE plpgsql AS 'BEGIN RETURN gen_objectid(); END';
SELECT serial(gen_objectid()) AS before \gset
CREATE TEMP TABLE parallel AS
  SELECT id, process FROM (SELECT generate() AS id, process() AS process FROM big OFFSET 0) AS generated;
SELECT count(DISTINCT id), min(serial(id)) - :before, max(serial(id)) - :before, count(DISTINCT process) > 1,
       bool_or(process = pg_backend_pid())
FROM parallel;
}, '300000|1|300000|t|f', "$with: parallel workers continue");

	# an index is as dense after many sessions as after one; preloading does not change that
	next if $preload;
	my %size;
	for my $clients (1, 16)
	{
		my $rows = 32000;
		$node->safe_psql('postgres', "CREATE TABLE dense_$clients (id objectid DEFAULT gen_objectid() PRIMARY KEY)");
		$node->pgbench(
			"--no-vacuum --client=$clients --transactions=" . $rows / $clients,
			0,
			[qr{processed: $rows/$rows}],
			[qr{^$}],
			"$with: $clients sessions insert single rows",
			{ "dense_${preload}_$clients" => "INSERT INTO dense_$clients DEFAULT VALUES;\n" });
		$size{$clients} = $node->safe_psql('postgres', "SELECT pg_relation_size('dense_${clients}_pkey')");
	}
	cmp_ok($size{16}, '<=', 1.05 * $size{1}, "$with: the index of 16 sessions is as dense as that of one");
}

done_testing();
