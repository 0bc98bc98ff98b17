# Citus: a table distributed by its ids over two workers, and then over three.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my ($sharedir) = run_command([ $pg_config, '--sharedir' ]);
plan skip_all => '[expected] Citus is not installed' unless -f "$sharedir/extension/citus.control";

my $conf = "shared_preload_libraries = 'citus'\ncitus.enable_statistics_collection = off\nmax_connections = 60";
my ($coordinator, @workers) =
  map { start_node($_, allows_streaming => 'logical', conf => $conf, sql => 'CREATE EXTENSION citus') }
  qw(coordinator worker_1 worker_2 worker_3);

sub add_worker
{
	my ($worker) = @_;
	$coordinator->safe_psql('postgres', sprintf(q{SELECT citus_add_node('%s', %d)}, $worker->host, $worker->port));
}
$coordinator->safe_psql(
	'postgres',
	sprintf(
		q{ALTER DATABASE postgres SET citus.local_hostname = '%s'; SELECT citus_set_coordinator_host('%1$s', %d)},
		$coordinator->host, $coordinator->port));
add_worker($_) for @workers[ 0, 1 ];

$coordinator->safe_psql(
	'postgres', q{
CREATE EXTENSION objectid;
ALTER DATABASE postgres SET citus.shard_count = 4;
\c
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
CREATE TABLE remark (id objectid REFERENCES event, n integer, PRIMARY KEY (id, n));
CREATE TABLE copied (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
SELECT create_distributed_table('event', 'id');
SELECT create_distributed_table('remark', 'id', colocate_with => 'event');
SELECT create_distributed_table('copied', 'id', colocate_with => 'event');
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01 00:00:00+00' + n * interval '1 minute'), n FROM generate_series(0, 19999) AS n;
INSERT INTO event (n) VALUES (20000), (20001);
INSERT INTO remark SELECT id, n FROM event;
INSERT INTO copied (n) SELECT n FROM event;
ANALYZE event, remark});

query_is($_, q{SELECT extname FROM pg_extension WHERE extname = 'objectid'},
	'objectid', $_->name . ': has the extension')
  for @workers[ 0, 1 ];

# the number of tasks, a node in the plan of one of them, and the number of rows
sub plan_is
{
	my ($condition, $tasks, $node, $rows) = @_;
	my $plan = $coordinator->safe_psql('postgres', "EXPLAIN (COSTS OFF) SELECT event.n FROM event $condition");
	like($plan, qr/Task Count: $tasks\n(?:.*\n)*.*$node/, "$condition: $tasks tasks, $node");
	query_is($coordinator, "SELECT count(*) FROM event $condition", $rows, "$condition: the rows");
}
my $id = $coordinator->safe_psql('postgres', 'SELECT id FROM event WHERE n = 2000');
plan_is("WHERE id = '$id'", 1, 'Index Cond', 1);
plan_is(q{WHERE id >= timestamptz '2024-01-02 00:00:00+00' AND id < timestamptz '2024-01-02 01:00:00+00'},
	4, 'Index Cond', 60);
plan_is(q{WHERE id > now() - interval '1 hour'}, 4, 'Index Cond', 2);
plan_is('JOIN remark USING (id) WHERE remark.n < 100', 4, 'Join|Nested Loop', 100);
plan_is("JOIN remark USING (id) WHERE id = '$id'", 1, 'Index Cond', 1);

# the first of the bytes that each server draws at random; too few ids are generated to change them
my $server = 'count(DISTINCT substring(id::bytea, 5, 4))';
query_is($coordinator, "SELECT $server FROM event WHERE n >= 20000", 1, 'VALUES: the coordinator generates the ids');
query_is(
	$coordinator, "SELECT count(*), count(DISTINCT id), $server FROM copied",
	'20002|20002|2', 'INSERT ... SELECT: the workers generate different ids');

my $contents = q{SELECT md5(string_agg(t::text, ',' ORDER BY id)) FROM };
my %contents = map { $_ => $coordinator->safe_psql('postgres', "$contents $_ AS t") } qw(event remark copied);
add_worker($workers[2]);
$coordinator->safe_psql('postgres', 'SELECT rebalance_table_shards()');
query_is($workers[2], q{SELECT extname FROM pg_extension WHERE extname = 'objectid'},
	'objectid', 'worker_3: has the extension');
query_is($coordinator, "$contents $_ AS t", $contents{$_}, "$_: the same rows after rebalancing")
  for sort keys %contents;
query_is($coordinator,
	q{SELECT count(DISTINCT nodename || nodeport) FROM citus_shards WHERE table_name = 'event'::regclass},
	3, 'three workers have shards');
plan_is("WHERE id = '$id'", 1, 'Index Cond', 1);

# Statements by key give the same results for a distributed table and for a twin that is not.  The key of a row is $1.
sub same_by_key
{
	my ($database, $what) = @_;
	$coordinator->safe_psql(
		$database, q{
CREATE TABLE twin (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer);
CREATE TABLE distributed (LIKE twin INCLUDING ALL);
SELECT create_distributed_table('distributed', 'id');
INSERT INTO twin SELECT gen_objectid(), n FROM generate_series(1, 20) AS n;
INSERT INTO distributed TABLE twin});
	my $key = '(SELECT id FROM twin WHERE n = 1)';
	my $value = $coordinator->safe_psql($database, "SELECT id FROM twin WHERE n = 7");
	for my $statement (
		'SELECT n FROM TABLE WHERE id = $1',
		'INSERT INTO TABLE VALUES ($1, 70) ON CONFLICT (id) DO UPDATE SET n = excluded.n RETURNING n',
		'UPDATE TABLE SET n = n + 1 WHERE id = $1 RETURNING n',
		'DELETE FROM TABLE WHERE id = $1 RETURNING n',
		'INSERT INTO TABLE VALUES ($1, 71) RETURNING n')
	{
		my %run = (
			'a literal' => sub { $_[0] =~ s/\$1/'$value'/gr },
			'untyped $1' => sub { "PREPARE p AS $_[0]; EXECUTE p('$value')" },
			'typed $1' => sub { "PREPARE p(objectid) AS $_[0]; EXECUTE p('$value')" },
			'typed $1, generic' =>
			  sub { "SET plan_cache_mode = force_generic_plan; PREPARE p(objectid) AS $_[0]; EXECUTE p('$value')" });
		for my $how (sort keys %run)
		{
			my ($twin, $distributed) =
			  map { join('|', ($coordinator->psql($database, $run{$how}->($statement =~ s/TABLE/$_/r)))[ 0, 1 ]) }
			  qw(twin distributed);
			is($distributed, $twin, "$what: $statement: $how");
		}
	}
	my ($twin, $distributed) =
	  map { $coordinator->safe_psql($database, "SELECT * FROM $_ ORDER BY id") } qw(twin distributed);
	is($distributed, $twin, "$what: the same rows at the end");
}
same_by_key('postgres', 'the extension');

# columnar storage
$coordinator->safe_psql(
	'postgres', q{
CREATE EXTENSION citus_columnar;
SET columnar.chunk_group_row_limit = 1000;
CREATE TABLE archive USING columnar AS SELECT * FROM event ORDER BY id});
for ([ q{timestamptz '2024-01-14'}, qr/Columnar Chunk Groups Removed by Filter: 1\d/, 'a constant: removes chunks' ],
	[ 'now()', qr/Columnar Chunk Groups Removed by Filter: 0/, 'now(): removes no chunk' ])
{
	my ($time, $expected, $what) = @$_;
	like(
		$coordinator->safe_psql(
			'postgres', "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT count(*) FROM archive WHERE id > $time"),
		$expected,
		"columnar storage: $what");
}

# plain SQL: with the CHECK of the domain, Citus is wrong
$_->safe_psql('postgres', 'CREATE DATABASE plain') for $coordinator, @workers;
$_->safe_psql('plain', 'CREATE EXTENSION citus')   for $coordinator, @workers;
$coordinator->safe_psql('plain',
	sprintf(q{SELECT citus_set_coordinator_host('%s', %d)}, $coordinator->host, $coordinator->port));
$coordinator->safe_psql('plain', sprintf(q{SELECT citus_add_node('%s', %d)}, $_->host, $_->port)) for @workers[ 0, 1 ];
my (undef, undef, $warning) = $coordinator->psql('plain', slurp_file('plain/objectid.sql'));
like($warning, qr/WARNING:  do not distribute tables by a column of type objectid/, 'plain SQL warns');
my ($drop_constraint) = slurp_file('docs/managed.md') =~ /^(ALTER DOMAIN objectid DROP CONSTRAINT .*;)$/m;
$coordinator->safe_psql('plain', $drop_constraint);
same_by_key('plain', 'plain SQL without the CHECK of the domain');

done_testing();
