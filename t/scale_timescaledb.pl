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

done_testing();
