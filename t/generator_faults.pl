# Faults of the generator: no random bytes, no shared memory, a library of a different
# version, killed backends.  Also: which events draw a new random part, and which do not.
use strict;
use warnings FATAL => 'all';
use Cwd qw(abs_path);
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

# The test module controls the random bytes of the generator.
my $library = abs_path('t/modules') . '/generator_test';
system_or_bail('make', '-s', '-C', 't/modules', "PG_CONFIG=$pg_config", map { "generator_test$_.so" } '', '_2');
my $node = start_node(
	'faults',
	conf => "restart_after_crash = on\ndynamic_shared_memory_type = mmap",
	sql => slurp_file('sql/setup.sql') . qq{
CREATE FUNCTION set_draws(bigint, bigint) RETURNS void AS '$library' LANGUAGE C;
CREATE FUNCTION test_gen() RETURNS objectid AS '$library', 'gen_objectid' LANGUAGE C;
CREATE FUNCTION gen_interrupted(timestamptz, timestamptz, timestamptz) RETURNS objectid[] AS '$library' LANGUAGE C;
CREATE FUNCTION receive_rest(regproc, bytea) RETURNS objectid AS '$library' LANGUAGE C;
CREATE FUNCTION gen_in_child() RETURNS objectid AS '$library' LANGUAGE C;
CREATE FUNCTION exhaust_shared_memory() RETURNS void AS '$library' LANGUAGE C;
CREATE FUNCTION test_gen_2() RETURNS objectid AS '${library}_2', 'gen_objectid' LANGUAGE C;
});
my $generate = 'SELECT serial(gen_objectid())';
my $random_part = q{SELECT encode(substring(gen_objectid()::bytea, 5, 5), 'hex')};

# generate without stopping at errors: what is printed, and the errors
sub try_to_generate
{
	my ($script) = @_;
	$node->psql('postgres', $script, stdout => \my $stdout, stderr => \my $stderr, on_error_stop => 0);
	return ($stdout, $stderr);
}

# No random bytes: an error, and the next call draws again
my ($out, $err) = try_to_generate(
	q{
\set VERBOSITY verbose
SELECT set_draws(NULL, NULL);
SELECT test_gen();
SELECT test_gen();
SELECT set_draws(4711, NULL);
SELECT serial(test_gen());
});
is(() = $err =~ /ERROR:  XX000: could not generate random values/g, 2, 'no random bytes: an error');
is($out, "\n\n4711", 'no random bytes: the next call tries again');
is($node->safe_psql('postgres', $generate), 4712, 'the first successful draw gives the start');

# The start leaves room for 2^56 ids: greater numbers are drawn again
for my $case ([ -1, 'the greatest number' ], [ '-72057594037927936', 'the first number above the limit' ])
{
	$node->restart;
	is($node->safe_psql('postgres', "SELECT set_draws($case->[0], 42); SELECT serial(test_gen())"),
		"\n42", "the start is not $case->[1]");
}
$node->restart;
is($node->safe_psql('postgres', 'SELECT set_draws(-72057594037927937, 42); SELECT serial(test_gen())'),
	"\n-72057594037927937", 'the start can be the greatest number below the limit');

# The counter's 3 bytes overflow into the random part
$node->restart;
query_is(
	$node, q{
SELECT set_draws(x'1122334455fffffe'::bigint, NULL);
SELECT substring(test_gen()::bytea FROM 5) FROM generate_series(1, 3);
}, "\n\\x1122334455fffffe\n\\x1122334455ffffff\n\\x1122334456000000", 'the counter overflows into the random part');

# A library whose shared memory has a different layout is loaded while the server runs
query_is($node, 'SELECT abs(serial(test_gen_2())::numeric - serial(gen_objectid())) > 1000000',
	't', 'a library with another layout has its own generator');
query_is($node, 'SELECT serial(gen_objectid()) - serial(gen_objectid()), serial(test_gen_2()) - serial(test_gen_2())',
	'-1|-1', 'the generators of both layouts continue');

# The clock steps while a session is stopped after it has read the clock, and another session
# generates an id.  A later id is greater than both if the steps back are of less than a minute.
for my $case (
	[ '06:00:00', '06:01:40', '06:00:50', 'forward, and back by 50 seconds' ],
	[ '07:00:10', '07:00:00', '07:00:05', 'back by 10 seconds, and forward by 5' ])
{
	my ($first, $other, $later, $what) = @$case;
	query_is(
		$node, "
SELECT ids[1] < ids[3], ids[2] < ids[3], ids[1] <> ids[2]
FROM gen_interrupted('2044-05-05 $first', '2044-05-05 $other', '2044-05-05 $later') AS ids", 't|t|t',
		"a session is stopped while the clock steps $what");
}

# Unlike core's callers, one that has read a part of the message before
query_is($node, q{SELECT receive_rest('objectid_recv', '\\x1234507f1f77bcf86cd799439011')},
	'507f1f77bcf86cd799439011', 'the receive function reads the rest of a message');

# A child of a session
query_is(
	$node, q{
SELECT serial(test_gen()) AS before \gset
SELECT serial(gen_in_child()) - :before, serial(gen_in_child()) - :before, serial(test_gen()) - :before;
}, '1|2|3', 'a forked child continues');

# Each start draws a new random part, also after a crash
my %part = ($node->safe_psql('postgres', $random_part) => 'used');
$node->restart;
ok(!$part{ $node->safe_psql('postgres', $random_part) }++, 'a restarted server has a new random part');
my $load = start_load($node, "SELECT gen_objectid();\n");
my $pid = q{FROM pg_stat_activity WHERE application_name = 'pgbench' AND query LIKE '%gen_objectid%'};
$node->poll_query_until('postgres', "SELECT count(*) = 1 $pid") or die('the load did not start');
my $logged = -s $node->logfile;
is(kill('KILL', $node->safe_psql('postgres', "SELECT pid $pid")), 1, 'kill -9 of a backend');
finish_load($load);
wait_for_recovery($node, $logged);
ok(!$part{ $node->safe_psql('postgres', $random_part) }++, 'the server has a new random part after kill -9');

# No shared memory: an error that says so, and no ids until there is some.
# From 17 on, the segment is a file here.
my $before_17 = $node->safe_psql('postgres', q{SELECT current_setting('server_version_num')::integer < 170000}) eq 't';
$node->restart;
if ($before_17)
{
	($out, $err) = try_to_generate("SELECT exhaust_shared_memory();\n$generate;\n$generate;\n");
	is(() = $err =~ /ERROR:  not enough shared memory for data structure "objectid generator 1"/g,
		2, 'no shared memory: an error');
	is($out, '', 'no shared memory: no id');
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'objectid'");
	$node->restart;
	like($node->safe_psql('postgres', "SELECT exhaust_shared_memory();\n$generate"),
		qr/^-?\d+$/m, 'a preloaded library has taken its memory before');
}
else
{
	my $segments = $node->data_dir . '/pg_dynshmem';

	# the generator of the other version, so that core has the registry of segments
	$node->safe_psql('postgres', 'SELECT test_gen_2()');
	chmod(0500, $segments);
	($out, $err) = try_to_generate("$generate;\n$generate;\n");
	is(() = $err =~ /ERROR:  could not open shared memory segment ".*": Permission denied/g,
		2, 'no shared memory: an error');
	is($out, '', 'no shared memory: no id');
	chmod(0700, $segments);
}
like($node->safe_psql('postgres', $generate), qr/^-?\d+$/, 'the next call with shared memory generates an id');
$node->stop;

# Single-user mode
my $statement = "SELECT gen_objectid() < gen_objectid() AS increasing;\n";
my ($bindir) = run_command([ $pg_config, '--bindir' ]);
IPC::Run::run([ "$bindir/postgres", '--single', '-D', $node->data_dir, 'postgres' ],
	'<', \$statement, '>', \$out, '2>', \$err);
like($out, qr/increasing = "t"/, 'single-user mode generates ids');

# A preloaded library that generates ids in the postmaster
$node->append_conf('postgresql.conf', "log_error_verbosity = verbose\nshared_preload_libraries = '$library'");
ok(!$node->start(fail_ok => 1), 'a postmaster that generates ids does not start');
like(
	slurp_file($node->logfile),
	qr/FATAL:  55000: gen_objectid\(\) cannot be called in the postmaster/,
	'the log has the reason why the postmaster does not start');

done_testing();
