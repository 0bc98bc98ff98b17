# A session that calls every function a million times, and builds large indexes, uses no more memory at the end.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use Everywhere;
use TestServer;

my $node = start_node('memory', conf => 'shared_buffers = 128MB', sql => 'CREATE EXTENSION objectid');
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

# The private memory that the build of an index takes at most, in kB
sub build
{
	my ($table, $index) = @_;
	my $memory = sub { return slurp_file("/proc/$pid/status") =~ /^(\w+):\s+(\d+) kB/mg; };
	append_to_file("/proc/$pid/clear_refs", '5');    # resets VmHWM
	my %before = $memory->();
	$session->query_safe("CREATE INDEX made_now ON $table $index");
	my %after = $memory->();
	$session->query_safe('DROP INDEX made_now');
	return $after{VmHWM} - $after{RssShmem} - $after{RssFile} - $before{RssAnon};
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

# Thousands of small queries and index builds do not leak memory either.
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
	my $growth = repeat(2000, $query) - $before;
	push @growth, "$index $query: $growth" if $growth > 32768;
	$session->query_safe('DROP INDEX small') if $index;
}
is("@growth", '', '2,000 small queries leak no memory');
$session->quit;

done_testing();
