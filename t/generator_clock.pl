# Clocks that jump: the server runs under libfaketime, and a session sets the clock before
# it generates ids.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

plan skip_all => '[expected] pg_ctl starts a server by /bin/sh, which keeps no DYLD_INSERT_LIBRARIES on macOS'
  if $^O eq 'darwin';
my ($libfaketime) = glob('/usr/lib/*/faketime/libfaketime.so.1 /usr/lib*/faketime/libfaketime.so.1');
plan skip_all => 'libfaketime is not installed (Debian: faketime)' unless $libfaketime && -e $libfaketime;

my $clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
append_to_file($clock, "+0\n");

my $node;
{
	local @ENV{qw(LD_PRELOAD TZ FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE FAKETIME_DONT_FAKE_MONOTONIC)} =
	  ($libfaketime, 'UTC', $clock, 1, 1);
	$node = start_node('clock', sql => 'CREATE DATABASE plain');
}
$node->safe_psql('postgres', 'CREATE EXTENSION objectid; CREATE TABLE made (n serial, id objectid)');
$node->safe_psql('plain', slurp_file('plain/objectid.sql'));

# The psql command that stops the clock at this time (UTC), or with "+0" sets it to the real time.  It replaces the
# file atomically, because other processes of the server read it at any time.
sub set_clock
{
	my ($time) = @_;
	return "\\! echo '$time' > '$clock.new' && mv '$clock.new' '$clock'\n";
}

# Stops the clock at this time in a new session, and runs a script there.  Returns its output
# and its errors.
sub session_at
{
	my ($time, $script, $database) = @_;
	$node->psql(
		$database // 'postgres',
		"SET timezone = 'UTC';\n" . set_clock($time) . "\\set VERBOSITY verbose\n$script\n" . set_clock('+0'),
		stdout => \my $stdout,
		stderr => \my $stderr,
		on_error_stop => 0);
	return ($stdout, $stderr);
}

my ($out) = session_at('2034-05-05 05:05:05', 'SELECT clock_timestamp();');
is($out, '2034-05-05 05:05:05+00', 'the server uses the clock of the test');

# On a 32-bit machine, no clock shows a time after 2038-01-19, unless its time_t has 64 bits
($out) = session_at('2044-05-05 05:05:05', 'SELECT extract(year FROM clock_timestamp());');
my $after_2038 = $out eq '2044';
SKIP: { skip '[expected] the clock of this machine ends in 2038', 1 unless $after_2038; }

# The clock, and the second of the ids that are generated then, in this order.  Ids keep the
# last second if the clock is at most a minute behind it, and follow larger steps.
my $out_of_range =
  qr/ERROR:  22008: system clock out of range for type objectid \(1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC\)\n/;
my ($generated, $steps_back, $last) = (0, 0, '');
for my $case (
	[ '2034-05-05 05:05:05', '2034-05-05 05:05:05', 'years ahead' ],
	[ '2024-05-05 05:05:05', '2024-05-05 05:05:05', 'years back' ],
	[ '2024-05-05 05:04:06', '2024-05-05 05:05:05', '59 seconds back' ],
	[ '2024-05-05 05:04:05', '2024-05-05 05:05:05', 'a minute back' ],
	[ '2024-05-05 05:05:06', '2024-05-05 05:05:06', 'the clock catches up' ],
	[ '2024-05-05 05:04:05', '2024-05-05 05:04:05', '61 seconds back' ],
	[ '2024-05-05 04:05:06', '2024-05-05 04:05:06', 'an hour back' ],
	[ '2024-05-05 04:04:26', '2024-05-05 04:05:06', '40 seconds back' ],
	[
		'2024-05-05 04:03:46',
		'2024-05-05 04:03:46',
		'80 seconds back in two steps: more than a minute behind the newest id'
	],
	[ '1969-12-31 23:59:59', 'error', 'the second before 1970' ],
	[ '1970-01-01 00:00:00', '1970-01-01 00:00:00', 'the first second' ],
	[ '1970-01-01 00:00:05', '1970-01-01 00:00:05', 'seconds after 1970' ],
	[ '1970-01-01 00:00:02', '1970-01-01 00:00:05', 'seconds back, after 1970' ],
	[ '1969-12-31 23:59:20', 'error', 'less than a minute back, before 1970' ],
	[ '2106-02-07 06:28:15', '2106-02-07 06:28:15', 'the last second' ],
	[ '2106-02-07 06:28:16', 'error', 'the second after the last' ],
	[ '2024-05-05 05:05:05', '2024-05-05 05:05:05', 'the clock is corrected' ])
{
	my ($time, $expected, $what) = @$case;
	next if $time gt '2038' && !$after_2038;
	my ($out, $err) = session_at(
		$time, q{
SELECT clock_timestamp();
WITH new AS (INSERT INTO made (id) SELECT gen_objectid() FROM generate_series(1, 1000) RETURNING id)
SELECT DISTINCT objectid_time(id) FROM new;
SELECT gen_objectid('2012-10-17 21:13:27+00') >= '507f1f770000000000000000';});
	is($out, join("\n", "$time+00", $expected eq 'error' ? () : "$expected+00", 't'), "$what: the second of the ids");
	if ($expected eq 'error')
	{
		like($err, qr/$out_of_range.*HINT:  Set the clock/s, "$what: an error");
		next;
	}
	is($err, '', "$what: no error");
	$generated += 1000;
	$steps_back++ if $expected lt $last;
	$last = $expected;
}
query_is(
	$node, q{
SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id <= before)
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made) AS pairs},
	"$generated|$generated|$steps_back", 'ids are unique, and increase if their second does not decrease');

# An id is compared with the newest id of the server, even if a different session generated that
($out) = session_at(
	'2024-05-05 06:00:00',
	"SELECT gen_objectid() AS first \\gset\n"
	  . set_clock('2024-05-05 06:00:30')
	  . qq{\\set other `psql -XAt -d "}
	  . $node->connstr('postgres')
	  . qq{" -c 'SELECT gen_objectid()'`\n}
	  . set_clock('2024-05-05 05:59:55')
	  . q{SELECT objectid_time(:'other'), :'first'::objectid < :'other', :'other'::objectid < gen_objectid();});
is($out, '2024-05-05 06:00:30+00|t|t', 'an id is greater than that of another session, after a step back');

# plain/objectid.sql checks the clock itself, because the domain is not checked where the planner
# has put the expression in place of the call.  It excludes the last second.
for my $case (
	[ '1969-12-31 23:59:59', 'error' ],
	[ '1970-01-01 00:00:00', '1970-01-01 00:00:00+00' ],
	[ '2106-02-07 06:28:14', '2106-02-07 06:28:14+00' ],
	[ '2106-02-07 06:28:16', 'error' ])
{
	my ($time, $expected) = @$case;
	next if $time gt '2038' && !$after_2038;
	my ($out, $err) = session_at($time, 'SELECT objectid_time(gen_objectid());', 'plain');
	is($out, $expected eq 'error' ? '' : $expected, "plain SQL: a clock at $time");
	like(
		$err,
		$expected eq 'error' ? $out_of_range : qr/^\z/,
		"plain SQL: a clock at $time: the error of the extension, or none");
}

done_testing();
