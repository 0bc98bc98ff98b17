# Two minutes of mixed load, and a session that calls every function meanwhile.
# OBJECTID_LOAD_SECONDS changes the duration.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use Everywhere;
use TestServer;

plan skip_all => '[expected] it takes minutes: script/test --long' unless $long;
need_contrib('amcheck');
my $seconds = $ENV{OBJECTID_LOAD_SECONDS} || 120;

my $node = start_node(
	'load',
	conf => "autovacuum_naptime = 1\nshared_buffers = 128MB\nmax_wal_size = 2GB\nlog_error_verbosity = verbose",
	sql => q{
CREATE EXTENSION objectid;
CREATE EXTENSION amcheck;
CREATE TABLE tenant (id objectid DEFAULT gen_objectid() PRIMARY KEY, n serial UNIQUE);
INSERT INTO tenant SELECT FROM generate_series(1, 100);
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, tenant objectid NOT NULL REFERENCES tenant, refs objectid[], n integer DEFAULT 0);
CREATE INDEX event_hash ON event USING hash (tenant);
CREATE INDEX event_brin ON event USING brin (id);
CREATE INDEX event_gist ON event USING gist (tenant);
CREATE INDEX event_gin ON event USING gin (refs);

-- every id that was ever made, and how many rows went again
CREATE UNLOGGED TABLE made (id objectid, pid integer DEFAULT pg_backend_pid());
CREATE UNLOGGED TABLE gone (id objectid);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO made VALUES (NEW.id);
  ELSE
    INSERT INTO gone VALUES (OLD.id);
  END IF;
  RETURN NULL;
END$$;
CREATE TRIGGER note AFTER INSERT OR DELETE ON event FOR EACH ROW EXECUTE FUNCTION note();
});

my %script = (
	insert => q{
\set n random(1, 100)
INSERT INTO event (tenant, refs) SELECT id, ARRAY[id, NULL, gen_objectid()] FROM tenant WHERE n = :n;
},
	lookup => q{
\set n random(1, 100)
SELECT count(*) FROM event WHERE tenant = (SELECT id FROM tenant WHERE n = :n) AND n >= 0 LIMIT 1;
SELECT * FROM event WHERE id = (SELECT max(id) FROM event);
},
	window => q{
SELECT count(*) FROM event WHERE id >= now() - interval '1 second';
SELECT count(*) FROM event WHERE refs @> ARRAY[(SELECT min(id) FROM tenant)] AND id < now() - interval '10 seconds';
},
	update => q{
UPDATE event SET n = n + 1, refs = refs || gen_objectid() WHERE id = (SELECT id FROM event WHERE id >= now() - interval '2 seconds' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED);
},
	delete => q{
DELETE FROM event WHERE id IN (SELECT id FROM event WHERE id < now() - interval '5 seconds' ORDER BY id LIMIT 5 FOR UPDATE SKIP LOCKED);
},
	vacuum => q{
VACUUM event;
ANALYZE event;
\sleep 1 s
});
my %weight = (insert => 10, lookup => 2, window => 1, update => 3, delete => 3);
my @mixed = map { [ $script{$_}, $weight{$_} ] } sort keys %weight;

# some clients stay connected, others reconnect for each transaction
my @running = map { start_load($node, @$_, "--time=$seconds", '--protocol=prepared') }[ \@mixed, '--client=3' ],
  [ \@mixed, '--client=2', '--connect' ], [ $script{vacuum}, '--client=1' ];

# Meanwhile one session calls every function repeatedly.
my $session = $node->background_psql('postgres');
$session->set_query_timer_restart;    # the limit is for each query
my $pid = $session->query_safe('SELECT pg_backend_pid()');
$session->query_safe(
	q{
SET work_mem = '1MB'; SET maintenance_work_mem = '1MB'; SET temp_buffers = '800kB';
SET max_parallel_workers_per_gather = 0; SET max_parallel_maintenance_workers = 0; SET jit = off;
CREATE TEMP TABLE id AS SELECT gen_objectid(timestamptz '2000-01-01' + n * interval '1 hour') AS id, gen_objectid() AS other, n FROM generate_series(1, 50000) AS n;
ALTER TABLE id ADD u uuid;
UPDATE id SET u = rpad(id::text, 32, '0')::uuid;
VACUUM FULL id;
CREATE TEMP TABLE more AS SELECT id, u, n FROM id, generate_series(1, 20) AS g ORDER BY id;
ANALYZE id, more;
});
my @calls = (
	'gen_objectid()', 'gen_objectid(now())',
	'id::text', 'id::text::objectid',
	q{('{"$oid": "' || id || '"}')::objectid}, 'id::bytea::objectid',
	'to_jsonb(id::text)::objectid', 'to_json(id::text)::objectid',
	'objectid_send(id)', 'objectid_time(id)',
	'objectid_from_time(objectid_time(id))', 'objectid_is_valid(id::text)',
	q{objectid_is_valid('x' || id)}, 'objectid_cmp(id, other)',
	'objectid_hash(id)', 'objectid_hash_extended(id, n)',
	'objectid_distance(id, other)', 'NULLIF(id < now(), id >= other)',
	'ARRAY[id, other]::text::objectid[]');
# FROM clauses that multiply the rows
my @queries = (
	(map { "SELECT count($_) FROM id, generate_series(1, %d)" } @calls),
	'SELECT max(id) FROM id, generate_series(1, %d)',
	'SELECT count(DISTINCT id) FROM id, generate_series(1, %d)',
	'SELECT count(id) FROM (SELECT id FROM id, generate_series(1, %d) ORDER BY id DESC OFFSET 0) AS s',
	'SELECT count(a.n) FROM id AS a JOIN (SELECT id FROM id, generate_series(1, %d)) AS b USING (id)',
	'SELECT count(c) FROM (SELECT id, count(*) AS c FROM id, generate_series(1, %d) GROUP BY id) AS s',
	q{SELECT max(c) FROM (SELECT count(*) OVER (ORDER BY id RANGE interval '5 hours' PRECEDING) AS c FROM id, generate_series(1, %d)) AS w}
);
my @kinds = index_kinds();

# The private memory of a session, in kB: now, and the maximum since it was reset
sub own_memory
{
	my %of = slurp_file("/proc/$pid/status") =~ /^(\w+):\s+(\d+) kB/mg;
	return ($of{RssAnon}, $of{VmHWM} - $of{RssShmem} - $of{RssFile});
}

sub build
{
	my ($table, $index) = @_;
	append_to_file("/proc/$pid/clear_refs", '5');
	my ($before) = own_memory();
	$session->query_safe("CREATE INDEX made_now ON $table $index");
	my (undef, $peak) = own_memory();
	$session->query_safe(
		"SET enable_seqscan = off; SELECT count(*) FROM $table WHERE id = '507f1f77bcf86cd799439011'; RESET enable_seqscan; DROP INDEX made_now"
	);
	return $peak - $before;
}

# A query with twenty times as many calls uses no more memory at its end.  A subquery that
# is evaluated after the calls reads the size of its memory contexts.
my $contexts = '(SELECT sum(total_bytes) FROM pg_backend_memory_contexts)';
my @growth;
for my $query (@queries)
{
	my ($few, $many) = map {
		my $measured = sprintf($query, $_) =~ s/ FROM /, $contexts FROM /r;
		(split(/\|/, $session->query_safe($measured)))[1]
	} 1, 20;
	push @growth, "$query: " . ($many - $few) if $many - $few > 4_000_000;
}
is("@growth", '', 'a million calls in a query leak no memory');

# Neither does an index build, apart from what core keeps for uuid as well: a copy of each
# value in the ranges of minmax-multi
SKIP:
{
	skip 'there is no /proc/PID/clear_refs here', 1 unless -w "/proc/$pid/clear_refs";
	@growth = ();
	for my $index (map { $_->{index} } @kinds)
	{
		my ($few, $many) = map { build($_, $index) } 'id', 'more';
		my $of_uuid =
		  $index =~ /minmax_multi/
		  ? build('more', 'USING brin (u uuid_minmax_multi_ops) WITH (pages_per_range = 1)')
		  : $few;
		push @growth, "$index: " . ($many - $of_uuid) if $many - $of_uuid > 8192;
	}
	is("@growth", '', 'an index build of a million rows leaks no memory');
}

# Neither do thousands of small queries and builds, each with its own setup.
$session->query_safe('CREATE TEMP TABLE few AS SELECT * FROM id LIMIT 100; ANALYZE few; SET enable_seqscan = off');

sub repeat
{
	my ($times, $query) = @_;
	$session->query_safe("DO \$\$BEGIN FOR i IN 1..$times LOOP PERFORM $query; END LOOP; END\$\$");
	return $session->query_safe("SELECT $contexts");
}
@growth = ();
for my $small (
	[ '', 'count(*) FROM (SELECT id FROM few ORDER BY id DESC OFFSET 0) AS s' ],
	[ '', 'count(DISTINCT id) FROM few' ],
	[ '', q{max(c) FROM (SELECT count(*) OVER (ORDER BY id RANGE interval '5 hours' PRECEDING) AS c FROM few) AS w} ],
	[ 'USING btree (id, n)', 'count(*) FROM few WHERE n = 5' ],    # a skip scan, from 18 on
	(map { [ $_->{index}, q{count(*) FROM few WHERE id = '507f1f77bcf86cd799439011'} ] } @kinds),
	(   map  { [ $_->{index}, q{count(*) FROM few WHERE id < timestamptz '2000-01-02'} ] }
		grep { !$_->{condition} } @kinds))
{
	my ($index, $query) = @$small;
	$session->query_safe("CREATE INDEX small ON few $index") if $index;
	my $before = repeat(10, $query);                               # fill the caches
	my $growth = repeat(5000, $query) - $before;
	push @growth, "$index $query: $growth" if $growth > 65536;
	$session->query_safe('DROP INDEX small') if $index;
}
is("@growth", '', '5,000 small queries leak no memory');
$session->query_safe('RESET enable_seqscan');

# Neither does the session during the whole load.
my @memory;
while (@memory < 5 || grep { $_->{harness}->pumpable } @running)
{
	$session->query_safe(sprintf($_, 1)) for @queries;
	$session->query_safe("CREATE INDEX made_now ON id $_->{index}; DROP INDEX made_now") for @kinds;
	push @memory, (own_memory())[0];
	$_->{harness}->pump_nb for grep { $_->{harness}->pumpable } @running;
}
note(@memory . " rounds; kB after the first rounds and after the last: @memory[0 .. 4, -1]");
cmp_ok($memory[-1] - $memory[1],
	'<', 4096, 'a session uses no more memory at the end of the load than at its beginning');
$session->quit;

for (@running)
{
	is(finish_load($_), 0, 'pgbench runs to its end');
	unlike($_->{output}, qr/error|abort|(?:failed transactions): [1-9]/i, 'without an error');
}

query_is($node, 'SELECT count(*) - count(DISTINCT id) FROM made', '0', 'no id was made twice');
query_is($node, 'SELECT (SELECT count(*) FROM made) - (SELECT count(*) FROM gone) - (SELECT count(*) FROM event)',
	'0', 'every inserted row is there or was deleted');
query_is($node,
	'SELECT count(*) FROM (SELECT id FROM made EXCEPT SELECT id FROM gone EXCEPT SELECT id FROM event) AS s',
	'0', 'the same, for each row');
query_is($node, 'SELECT count(*) FROM event AS e LEFT JOIN tenant AS t ON t.id = e.tenant WHERE t.id IS NULL',
	'0', 'no reference is broken');
note($node->safe_psql('postgres', q{SELECT count(*) || ' ids by ' || count(DISTINCT pid) || ' sessions' FROM made}));

# Each index of a kind that amcheck does not support finds every row
for (
	[ event_hash => 'tenant AS t JOIN event AS e ON e.tenant = t.id' ],
	[ event_gist => 'tenant AS t JOIN event AS e ON e.tenant = t.id' ],
	[ event_gin => 'event AS t JOIN event AS e ON e.refs @> t.refs[3:3]' ],
	[ event_brin => 'event AS t JOIN event AS e ON e.id = t.id' ])
{
	my ($index, $from) = @$_;
	my $others =
	  join('', map { "DROP INDEX $_;" } grep { $_ ne $index } qw(event_hash event_gist event_gin event_brin));
	my $found = $node->safe_psql(
		'postgres', qq{
BEGIN;
$others
ALTER TABLE event DROP CONSTRAINT event_pkey;
SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM $from;
SELECT 'rows', (SELECT count(*) FROM $from), (SELECT count(*) FROM event);
ROLLBACK;
});
	like($found, qr/ (?:on|using) $index\b.*^rows\|(\d+)\|\1\z/ms, "$index finds every row");
}
$node->command_ok([ 'pg_amcheck', '--heapallindexed', '--parent-check', $node->connstr('postgres') ],
	'pg_amcheck of the database');
my $log = slurp_file($node->logfile);
unlike($log, qr/PANIC|TRAP|terminated by signal|XX000|cache lookup failed/, 'nothing crashed');

done_testing();
