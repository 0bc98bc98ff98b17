# Citus: a table distributed by its ids, first on a coordinator with shards, then also on
# a worker.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

my ($libraries) = run_command([ $pg_config, '--pkglibdir' ]);
plan skip_all => '[expected] Citus is not installed (no package of Debian)' unless -f "$libraries/citus.so";

my %node;
for my $name (qw(coordinator worker))
{
	$node{$name} = start_node(
		"citus_$name",
		allows_streaming => 'logical',
		conf => qq{
shared_preload_libraries = 'citus'
citus.local_hostname = '$PostgreSQL::Test::Cluster::test_pghost'
timezone = 'UTC'
},
		sql => 'CREATE EXTENSION citus');
}
my $coordinator = $node{coordinator};
my %address = map { $_ => sprintf("'%s', %s", $node{$_}->host, $node{$_}->port) } keys %node;
$coordinator->safe_psql(
	'postgres', qq{
SELECT citus_set_coordinator_host($address{coordinator});
SELECT citus_set_node_property($address{coordinator}, 'shouldhaveshards', true);
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
CREATE TABLE remark (event objectid PRIMARY KEY, body text);
SELECT create_distributed_table('event', 'id', shard_count => 4);
SELECT create_distributed_table('remark', 'event', colocate_with => 'event');
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '1 minute'), n FROM generate_series(0, 9999) AS n;
INSERT INTO event VALUES ('65920080000000000000abcd', -1);
INSERT INTO event SELECT gen_objectid(), -2 FROM generate_series(1, 5);
INSERT INTO remark SELECT id, 'remark on ' || n FROM event;
});

# checks the number of tasks of a query, the condition in the tasks, and the rows of the query
sub query
{
	my ($query, $tasks, $condition, $rows, $what) = @_;
	my $plan = $coordinator->safe_psql('postgres', "EXPLAIN (COSTS OFF) $query");
	like($plan, qr/Task Count: $tasks\b/, "$what: reads $tasks of 4 shards");
	like($plan, $condition, "$what: the shards evaluate it");
	query_is($coordinator, $query, $rows, "$what: the right rows");
}

sub queries
{
	my ($when) = @_;
	my $id = '65920080000000000000abcd';
	query("SELECT n FROM event WHERE id = '$id'", 1, qr/Index Cond: \(id = '$id'::objectid\)/, '-1', "$when: an id");
	query(
		"SELECT n, body FROM event JOIN remark ON event = id WHERE id = '$id'",
		1,
		qr/Index Cond: \(id = '$id'::objectid\)/,
		'-1|remark on -1',
		"$when: a join with a co-located table");
	query('SELECT count(*) FROM event JOIN remark ON event = id', 4, qr/Join|Nested Loop/, '10006', "$when: a join");
	query(
		q{SELECT count(*) FROM event WHERE id >= timestamptz '2024-01-02' AND id < timestamptz '2024-01-03'},
		4, qr/\(id >= '659352000000000000000000'::objectid\)/,
		'1440', "$when: a day");
	query(
		q{SELECT count(*) FROM event WHERE id >= now() - interval '1 hour'},
		4, qr/Index Cond: \(id >= objectid_lower_bound\(/,
		'5', "$when: the last hour");
}
queries('one node');
$coordinator->safe_psql('postgres', qq{SELECT citus_add_node($address{worker})});
$coordinator->safe_psql('postgres', 'SELECT rebalance_table_shards()');
query_is(
	$coordinator,
	'SELECT table_name, count(*) FROM citus_shards GROUP BY table_name, nodeport ORDER BY table_name',
	"event|2\nevent|2\nremark|2\nremark|2",
	'half of the shards have moved');
queries('two nodes');

done_testing();
