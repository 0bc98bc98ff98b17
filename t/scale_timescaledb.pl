# TimescaleDB: a hypertable with one chunk for each day of the times in its ids.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my ($libraries) = run_command([ $pg_config, '--pkglibdir' ]);
plan skip_all => '[expected] TimescaleDB is not installed (Debian 13: postgresql-17-timescaledb)'
  unless -f "$libraries/timescaledb.so";

my $node = start_node(
	'timescaledb',
	conf => "shared_preload_libraries = 'timescaledb'\ntimescaledb.telemetry_level = off\ntimezone = 'UTC'",
	sql => q{
CREATE EXTENSION timescaledb;
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid(), n integer);
SELECT create_hypertable('event', by_range('id', interval '1 day', partition_func => 'objectid_time'));
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '1 minute'), n FROM generate_series(0, 10079) AS n;
ANALYZE event;
});
query_is($node, q{SELECT count(*) FROM show_chunks('event')}, '7', 'a chunk for each day');

# the number of chunks that a query reads
sub chunks
{
	my ($condition) = @_;
	my %chunk =
	  map { $_ => 1 }
	  $node->safe_psql('postgres', "EXPLAIN (COSTS OFF) SELECT * FROM event WHERE $condition") =~
	  /on (_hyper_\w+_chunk)/g;
	return scalar(keys %chunk);
}
my $day = q{objectid_time(id) >= '2024-01-02' AND objectid_time(id) < '2024-01-03'};
is(chunks($day), 1, 'a condition on objectid_time(id): one chunk');
query_is($node, "SELECT count(*) FROM event WHERE $day", '1440', 'a condition on objectid_time(id): the right rows');
my $id = $node->safe_psql('postgres', 'SELECT id FROM event WHERE n = 2000');
is(chunks("id = '$id'"), 1, 'an id: one chunk');
my $window = q{id >= timestamptz '2024-01-02' AND id < timestamptz '2024-01-03'};
query_is($node, "SELECT count(*) FROM event WHERE $window", '1440', 'a comparison with instants: the right rows');
is(chunks($window), 1, 'a comparison with instants: one chunk');
query_is($node, "SELECT count(*), count(DISTINCT id) FROM event", '10080|10080', 'all rows');

# the planner does not know now(), so only objectid_time(id), the partitioning function, leaves out chunks
$node->safe_psql('postgres', 'INSERT INTO event (n) VALUES (10080); ANALYZE event');
my $hour = q{now() - interval '1 hour'};
is(chunks("id >= $hour"), 8, 'the last hour by comparison with now(): all chunks');
is(chunks("objectid_time(id) >= $hour"), 1, 'the last hour by objectid_time(): one chunk');
query_is(
	$node, "SELECT n FROM event WHERE objectid_time(id) >= $hour",
	'10080', 'the last hour by objectid_time(): the row');

$node->safe_psql('postgres', q{SELECT drop_chunks('event', older_than => timestamptz '2024-01-04')});
query_is($node, 'SELECT min(n) FROM event', 3 * 1440, 'drop_chunks() drops old days');

# what only the Community edition has
SKIP:
{
	skip '[expected] this is the Apache edition of TimescaleDB', 7 if !glob("$libraries/timescaledb-tsl-*.so");
	my $rows = q{SELECT count(*), sum(n), max(id) FROM event};
	my $before = $node->safe_psql('postgres', $rows);
	my $compressed = q{SELECT count(*) FROM timescaledb_information.chunks WHERE is_compressed};
	$node->safe_psql(
		'postgres', q{
		ALTER TABLE event SET (timescaledb.compress, timescaledb.compress_orderby = 'id');
		SELECT compress_chunk(c) FROM show_chunks('event') AS c});
	query_is($node, $rows, $before, 'compress_chunk(): the same rows');
	query_is($node, "SELECT n FROM event WHERE id = '$id'", '', 'compress_chunk(): an id that was dropped');
	$node->safe_psql('postgres', q{SELECT decompress_chunk(c) FROM show_chunks('event') AS c});

	# run_job($policy) - the messages of its job
	my $run_job = sub {
		my ($policy) = @_;
		my $job = $node->safe_psql('postgres', "SELECT $policy");
		my ($status, undef, $messages) = $node->psql('postgres', "CALL run_job($job); SELECT delete_job($job)");
		return $messages;
	};
	like(
		$run_job->(q{add_compression_policy('event', interval '7 days')}),
		qr/case not found/,
		'a compression policy by age: its job fails');
	$node->safe_psql('postgres', q{SELECT remove_compression_policy('event')});
	$run_job->(q{add_compression_policy('event', compress_created_before => interval '0')});
	query_is($node, $compressed, '5', 'a compression policy by compress_created_before: all chunks');
	$run_job->(q{add_retention_policy('event', interval '90 days')});
	query_is($node, 'SELECT count(*) FROM event', '1', 'a retention policy: only the last row');
	query_is(
		$node,
		q{SELECT count(*), sum(n) FROM (SELECT time_bucket_gapfill('1 hour', objectid_time(id), now() - interval '3 hours', now()), sum(n) FROM event
			WHERE objectid_time(id) > now() - interval '3 hours' GROUP BY 1) AS h (hour, n)},
		'4|10080',
		'time_bucket_gapfill(): hours without rows');
	my (undef, undef, $refusal) = $node->psql('postgres',
		q{CREATE MATERIALIZED VIEW h WITH (timescaledb.continuous) AS SELECT time_bucket('1 hour', objectid_time(id)), count(*) FROM event GROUP BY 1}
	);
	like($refusal, qr/custom partitioning functions not supported/, 'a continuous aggregate is refused');
}

done_testing();
