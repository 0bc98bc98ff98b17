# Clocks that jump: the server runs under libfaketime, and the session sets the clock
# between statements.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

my ($libfaketime) = glob('/usr/lib/*/faketime/libfaketime.so.1 /usr/lib*/faketime/libfaketime.so.1');
plan skip_all => 'libfaketime is not installed (Debian: faketime)' unless $libfaketime && -e $libfaketime;

my $clock = PostgreSQL::Test::Utils::tempdir() . '/clock';
append_to_file($clock, "+0\n");

my $node;
{
	local @ENV{qw(LD_PRELOAD TZ FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE FAKETIME_DONT_FAKE_MONOTONIC)} =
	  ($libfaketime, 'UTC', $clock, 1, 1);
	$node = start_node('clock');
}
$node->safe_psql('postgres', 'CREATE EXTENSION objectid');

# Runs a script in one session and returns its output.  "@ DATE TIME" in the script stops
# the clock at this time (UTC).  The generated ids go into a table of the session.
sub session
{
	my ($script) = @_;
	my ($stdout, $stderr);

	# replace the file atomically, because other processes of the server read it at any time
	$script =~ s/^@ (.+)$/\\! echo '$1' > '$clock.new' && mv '$clock.new' '$clock'/mg;
	$node->psql(
		'postgres', q{
SET timezone = 'UTC';
CREATE TEMP TABLE made (n serial, id objectid);
PREPARE make AS INSERT INTO made (id) SELECT gen_objectid() FROM generate_series(1, 1000);
PREPARE count AS
  SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE id <= before)
  FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made) AS pairs;
} . $script,
		stdout => \$stdout,
		stderr => \$stderr,
		on_error_stop => 0);
	return ($stdout, $stderr);
}

my ($out, $err);

# The server uses the clock of the test
($out, $err) = session(<<'SQL');
@ 2034-05-05 05:05:05
SELECT clock_timestamp();
SQL
is($out, '2034-05-05 05:05:05+00', 'the server uses the clock of the test');

# On a 32-bit machine, no clock shows a time after 2038-01-19, unless its time_t has 64 bits
($out, $err) = session("\@ 2044-05-05 05:05:05\nSELECT extract(year FROM clock_timestamp());\n");
my $after_2038 = $out eq '2044';
SKIP:
{
	skip '[expected] the clock of this machine ends in 2038', 1 unless $after_2038;
	pass('the clock has a time after 2038');
}

# 10 seconds back: ids keep the last second and increase
($out, $err) = session(<<'SQL');
@ 2024-05-05 05:05:05
EXECUTE make;
@ 2024-05-05 05:04:55
EXECUTE make;
@ 2024-05-05 05:04:45
EXECUTE make;
EXECUTE count;
SELECT DISTINCT objectid_time(id) FROM made;
SQL
is($err, '', 'small steps back raise nothing');
is($out, "3000|3000|0\n2024-05-05 05:05:05+00", 'steps back of 10 seconds: ids keep the last second and increase');

# An hour back: ids follow the clock and are unique
($out, $err) = session(<<'SQL');
@ 2024-05-05 05:05:05
EXECUTE make;
@ 2024-05-05 04:05:05
EXECUTE make;
EXECUTE count;
SELECT objectid_time(min(id)) FROM made;
SQL
is($err, '', 'a large step back raises nothing');
is($out, "2000|2000|1\n2024-05-05 04:05:05+00", 'an hour back: ids follow the clock and are unique');

# The same second several times
($out, $err) = session(join('', map { "@ 2024-05-05 0$_:05:05\nEXECUTE make;\n" } 5, 4, 5, 4, 5, 4, 5) . <<'SQL');
SELECT count(*), count(DISTINCT id), count(DISTINCT objectid_time(id)) FROM made;
SQL
is($out, '7000|7000|2', 'the same second four times: ids are unique');

# Years ahead, and back
($out, $err) = session(<<'SQL');
@ 2024-05-05 05:05:05
EXECUTE make;
@ 2034-05-05 05:05:05
EXECUTE make;
SELECT max(objectid_time(id)) FROM made;
@ 2024-05-05 05:05:05
EXECUTE make;
SELECT count(*), count(DISTINCT id) FROM made;
SELECT objectid_time(gen_objectid());
SQL
is($err, '', 'years ahead and back raise nothing');
is( $out,
	"2034-05-05 05:05:05+00\n3000|3000\n2024-05-05 05:05:05+00",
	'years ahead and back: ids follow the clock and are unique');

# Out of range: an error, no id, and the session continues
for my $case ([ 'before 1970', '1944-05-05' ], [ 'after 2106', '2124-05-05' ])
{
	my ($when, $date) = @$case;
	next if $date gt '2038' && !$after_2038;
	($out, $err) = session(<<"SQL");
@ 2024-05-05 05:05:05
EXECUTE make;
@ $date 05:05:05
SELECT extract(year FROM clock_timestamp()) NOT BETWEEN 1970 AND 2105;
\\set VERBOSITY verbose
INSERT INTO made (id) VALUES (gen_objectid());
SELECT gen_objectid('2012-10-17 21:13:27+00') >= '507f1f770000000000000000';
@ 2024-05-05 05:05:06
EXECUTE make;
EXECUTE count;
SQL
	like(
		$err,
		qr/ERROR:  22008: system clock out of range for type objectid \(1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC\)\n.*HINT:  Set the clock/s,
		"a clock $when: the error names the clock");
	is($out, "t\nt\n2000|2000|0", "a clock $when: no id, and the session continues after the clock is corrected");
}

# A step back concerns all sessions: each of the next is a new session
my @ids;
for my $case (
	[ '2024-06-06 05:05:05', '2024-06-06 05:05:05', 'the start' ],
	[ '2024-06-06 05:04:55', '2024-06-06 05:05:05', '10 seconds back' ],
	[ '2024-06-06 05:04:05', '2024-06-06 05:05:05', 'a minute back, in two steps' ],
	[ '2024-06-06 05:05:06', '2024-06-06 05:05:06', 'the clock catches up' ],
	[ '2024-06-06 04:05:06', '2024-06-06 04:05:06', 'an hour back' ],
	[ '2024-06-06 04:05:00', '2024-06-06 04:05:06', '6 seconds more' ],
	[ '2024-06-06 04:05:07', '2024-06-06 04:05:07', 'the clock catches up again' ],
	[ '2024-06-06 04:04:27', '2024-06-06 04:05:07', '40 seconds back' ],
	[ '2024-06-06 04:03:47', '2024-06-06 04:03:47', 'and 40 more: more than a minute behind the newest id' ])
{
	my ($clock_time, $id_time, $what) = @$case;
	($out, $err) = session("\@ $clock_time\nSELECT gen_objectid() AS id \\gset\nSELECT objectid_time(:'id'), :'id';\n");
	my ($time, $id) = split(/\|/, $out);
	is($time, "$id_time+00", "all sessions, $what");
	push @ids, $id;
}
is( join(' ', @ids[ 0 .. 3 ]),
	join(' ', sort @ids[ 0 .. 3 ]),
	'all sessions: ids increase at steps back of up to a minute');
is(join(' ', @ids[ 4 .. 6 ]), join(' ', sort @ids[ 4 .. 6 ]), 'all sessions: ids increase again after a larger one');

# Less than a minute before 1970 is out of range too, both for a session without ids and
# for one whose last id is from the first seconds of 1970
($out, $err) = session(<<'SQL');
@ 1969-12-31 23:59:30
SELECT clock_timestamp();
SELECT gen_objectid();
@ 1970-01-01 00:00:05
SELECT objectid_time(gen_objectid());
@ 1969-12-31 23:59:20
SELECT gen_objectid();
@ 2024-05-05 05:05:05
SELECT objectid_time(gen_objectid());
SQL
is($out, "1969-12-31 23:59:30+00\n1970-01-01 00:00:05+00\n2024-05-05 05:05:05+00",
	'a clock seconds before 1970: no id');
is(() = $err =~ /system clock out of range/g, 2, 'a clock seconds before 1970: an error');
# The exact limit: ids keep the last second up to a minute, and follow larger steps
($out, $err) = session(join('', map { <<"SQL" } '05:04:06', '05:04:05', '05:04:04'));
@ 2024-05-05 05:05:05
EXECUTE make;
@ 2024-05-05 $_
SELECT objectid_time(gen_objectid());
@ 2024-05-05 06:00:00
EXECUTE make;
SQL
is($err, '', 'about a minute back raises nothing');
is( $out,
	join("\n", ('2024-05-05 05:05:05+00') x 2, '2024-05-05 05:04:04+00'),
	'59 and 60 seconds back: ids keep the last second; 61: they follow the clock');

# The first and the last second of the range
for my $case ([ '1970-01-01 00:00:00', '1969-12-31 23:59:59' ], [ '2106-02-07 06:28:15', '2106-02-07 06:28:16' ])
{
	my ($inside, $outside) = @$case;
	next if $inside gt '2038' && !$after_2038;
	($out, $err) = session(<<"SQL");
@ $inside
SELECT objectid_time(gen_objectid());
\\c
SET timezone = 'UTC';
@ $outside
SELECT gen_objectid();
SQL
	is($out, "$inside+00", "a clock at $inside gives an id");
	like($err, qr/system clock out of range/, "a clock at $outside is out of range");
}

# plain/objectid.sql checks the clock itself, because the domain is not checked where the planner
# has put the expression in place of the call.  It excludes the last second.
$node->safe_psql('postgres', 'CREATE DATABASE plain');
$node->safe_psql('plain', slurp_file('plain/objectid.sql'));
for my $case (
	[ '1969-12-31 23:59:59', 'error' ],
	[ '1970-01-01 00:00:00', '1970-01-01 00:00:00+00' ],
	[ '2106-02-07 06:28:14', '2106-02-07 06:28:14+00' ],
	[ '2106-02-07 06:28:16', 'error' ])
{
	my ($date, $expected) = @$case;
	next if $date gt '2038' && !$after_2038;
	$node->psql(
		'plain', qq{
SET timezone = 'UTC';
\\! echo '$date' > '$clock.new' && mv '$clock.new' '$clock'
\\set VERBOSITY verbose
SELECT objectid_time(gen_objectid());},
		stdout => \$out,
		stderr => \$err,
		on_error_stop => 0);
	is($out, $expected eq 'error' ? '' : $expected, "plain SQL: a clock at $date");
	like(
		$err,
		$expected eq 'error'
		? qr/ERROR:  22008: system clock out of range for type objectid \(1970-01-01 00:00:00 to 2106-02-07 06:28:15 UTC\)\n/
		: qr/^\z/,
		'plain SQL: the error of the extension, or none');
}

done_testing();
