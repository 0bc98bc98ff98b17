# Citus: a table distributed by its ids, on a coordinator that is its only worker.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($libraries) = run_command([ $ENV{PG_CONFIG} || 'pg_config', '--pkglibdir' ]);
plan skip_all => 'Citus is not installed (no package of Debian)' unless -f "$libraries/citus.so";

my $node = PostgreSQL::Test::Cluster->new('citus');
$node->init;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'citus'\nwal_level = logical");
$node->start;
my $host = $node->host;
my $port = $node->port;
$node->safe_psql(
	'postgres', qq{
CREATE EXTENSION citus;
CREATE EXTENSION objectid;
SELECT citus_set_coordinator_host('$host', $port);
SELECT citus_set_node_property('$host', $port, 'shouldhaveshards', true);
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
CREATE TABLE remark (event objectid, body text);
SELECT create_distributed_table('event', 'id', shard_count => 8);
SELECT create_distributed_table('remark', 'event', colocate_with => 'event');
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '1 minute'), n FROM generate_series(0, 9999) AS n;
INSERT INTO event VALUES ('65920080000000000000abcd', -1);
INSERT INTO remark SELECT id, 'remark on ' || n FROM event;
});

like($node->safe_psql('postgres', q{EXPLAIN SELECT * FROM event WHERE id = '65920080000000000000abcd'}), qr/Task Count: 1\b/, 'one id is on one shard');
like($node->safe_psql('postgres', q{EXPLAIN SELECT * FROM event JOIN remark ON event = id WHERE id = '65920080000000000000abcd'}),
	qr/Task Count: 1\b/, 'and what is co-located with it');
like($node->safe_psql('postgres', q{EXPLAIN SELECT count(*) FROM event JOIN remark ON event = id}), qr/Task Count: 8\b/, 'a join is done shard by shard');
my $window = q{SELECT count(*) FROM event WHERE id >= timestamptz '2024-01-02' AND id < timestamptz '2024-01-03'};
like($node->safe_psql('postgres', "EXPLAIN $window"), qr/Task Count: 8\b/, 'a window of time goes to all shards');
is($node->safe_psql('postgres', $window), '1440', 'and finds its rows');
$node->safe_psql('postgres', 'SELECT rebalance_table_shards()');
is($node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM event JOIN remark ON event = id'), '10001|10001', 'all is there after rebalancing');
$node->stop;

done_testing();
