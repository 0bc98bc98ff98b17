# Two minutes of everything at once, and a session that lives through millions of
# calls.  OBJECTID_LOAD_SECONDS makes it longer.
use strict;
use warnings;
use lib 't';
use Everywhere;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'it takes minutes: script/test --long' unless ($ENV{PG_TEST_EXTRA} // '') =~ /\blong\b/;
need_amcheck();
my $seconds = $ENV{OBJECTID_LOAD_SECONDS} || 120;

my $node = PostgreSQL::Test::Cluster->new('load');
$node->init;
$node->append_conf('postgresql.conf', "autovacuum_naptime = 1\nshared_buffers = 128MB\nmax_wal_size = 2GB");
$node->start;
$node->safe_psql(
	'postgres', q{
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
my @mixed;
for my $name (keys %script)
{
	append_to_file($node->basedir . "/$name.sql", $script{$name});
	push @mixed, '--file=' . $node->basedir . "/$name.sql\@$weight{$name}" if $weight{$name};
}

# some stay connected, some come and go with each transaction
my @running;
for my $options ([ '--client=3', @mixed ], [ '--client=2', '--connect', @mixed ], [ '--client=1', '--file=' . $node->basedir . '/vacuum.sql' ])
{
	my %run = (out => '', err => '');
	$run{harness} = IPC::Run::start([ 'pgbench', '--no-vacuum', "--time=$seconds", '--protocol=prepared', @$options, $node->connstr('postgres') ],
		'<', \undef, '>', \$run{out}, '2>', \$run{err});
	push @running, \%run;
}

# Meanwhile one session calls everything, over and over.  What it takes of memory is
# the same after ten times as many calls: nothing is left behind by any of them.
my $session = $node->background_psql('postgres');
my $pid = $session->query_safe('SELECT pg_backend_pid()');

# the most that it ever had of its own, in kB
sub high_water
{
	my ($of) = slurp_file("/proc/$pid/status") =~ /^VmHWM:\s+(\d+) kB/m;
	my ($shared) = slurp_file("/proc/$pid/status") =~ /^RssShmem:\s+(\d+) kB/m;
	return $of - $shared;
}
$session->query_safe(q{
SET work_mem = '4MB'; SET maintenance_work_mem = '16MB'; SET max_parallel_maintenance_workers = 0; SET jit = off;
CREATE TEMP TABLE id AS SELECT gen_objectid(timestamptz '2000-01-01' + n * interval '1 hour') AS id, gen_objectid() AS other, n FROM generate_series(1, 50000) AS n;
ANALYZE id;
});
my @calls = (
	(map { "count($_)" } 'gen_objectid()', 'gen_objectid(now())', 'id::text', 'id::text::objectid', q{('{"$oid": "' || id || '"}')::objectid}, 'id::bytea::objectid',
		'to_jsonb(id::text)::objectid', 'objectid_send(id)', 'objectid_time(id)', 'objectid_from_time(objectid_time(id))', 'objectid_is_valid(id::text)', q{objectid_is_valid('x' || id)},
		'objectid_cmp(id, other)', 'objectid_hash(id)', 'objectid_hash_extended(id, n)', 'objectid_distance(id, other)', 'NULLIF(id < now(), id >= other)', 'ARRAY[id, other]::text::objectid[]'),
	'min(id), max(id)', 'count(DISTINCT id)');
my @statements = (
	(map { "SELECT $_ FROM id" } @calls),
	'SELECT count(*) FROM (SELECT id FROM id ORDER BY id DESC OFFSET 0) AS s',
	'SELECT count(*) FROM id AS a JOIN id AS b USING (id)',
	'SELECT count(*) FROM (SELECT id, count(*) FROM id GROUP BY id) AS s',
	q{SELECT max(c) FROM (SELECT count(*) OVER (ORDER BY id RANGE interval '5 hours' PRECEDING) AS c FROM id) AS w},
	map { ("CREATE INDEX made_now ON id USING $_", 'SELECT count(*) FROM id WHERE id >= timestamptz $$2001-01-01$$ AND id < timestamptz $$2001-02-01$$', 'DROP INDEX made_now') }
	  'btree (id)', 'hash (id)', 'brin (id)', 'brin (id objectid_minmax_multi_ops)', 'brin (id objectid_bloom_ops)', 'gist (id)', 'gin (id)');
my @high;
for my $round (0 .. 10)
{
	for my $statement (@statements)
	{
		$session->query_safe($statement);
	}
	$high[$round] = high_water();
}
note("kB after each round: @high");
cmp_ok($high[10] - $high[1], '<', 4096, 'a session of long life takes no more memory after ten rounds than after one');

# and not within a single query either
my @growth;
for my $call (@calls)
{
	my $before = high_water();
	$session->query_safe("SELECT $call FROM id, generate_series(1, 20)");
	push @growth, $call . ': ' . (high_water() - $before) . ' kB' if high_water() - $before > 16384;
}
is("@growth", '', 'a million calls in a query leave nothing behind until its end');
$session->quit;

for (@running)
{
	$_->{harness}->finish;
	is($_->{harness}->result(0), 0, 'pgbench runs to its end') or diag($_->{err});
	unlike("$_->{out}$_->{err}", qr/error|abort|(?:failed transactions): [1-9]/i, 'without an error');
}

is($node->safe_psql('postgres', 'SELECT count(*) - count(DISTINCT id) FROM made'), '0', 'no id was made twice');
is( $node->safe_psql('postgres', 'SELECT (SELECT count(*) FROM made) - (SELECT count(*) FROM gone) - (SELECT count(*) FROM event)'),
	'0', 'what was inserted is there or was deleted');
is( $node->safe_psql('postgres', 'SELECT count(*) FROM (SELECT id FROM made EXCEPT SELECT id FROM gone EXCEPT SELECT id FROM event) AS s'), '0', 'row for row');
is($node->safe_psql('postgres', 'SELECT count(*) FROM event AS e LEFT JOIN tenant AS t ON t.id = e.tenant WHERE t.id IS NULL'), '0', 'references hold');
note($node->safe_psql('postgres', q{SELECT count(*) || ' ids by ' || count(DISTINCT pid) || ' sessions' FROM made}));
$node->command_ok([ 'pg_amcheck', '--heapallindexed', '--parent-check', $node->connstr('postgres') ], 'pg_amcheck of the database');
my $log = slurp_file($node->logfile);
unlike($log, qr/PANIC|TRAP|terminated by signal|XX000|cache lookup failed/, 'nothing crashed');
$node->stop;

done_testing();
