# objectid-import: wherever a connection is cut, the same command completes the load, and no
# exit status says that it is complete if it is not.  A proxy between the program and the server
# cuts at each message, and a second reader of BSON says what the tables must contain.  Also through a
# pooler in transaction mode, whose sessions it leaves as they were.
# Takes long.
use strict;
use warnings FATAL => 'all';
use IO::Select;
use IO::Socket::UNIX;
use POSIX ();
use ImportTest;

set_up();
$ENV{OBJECTID_IMPORT_WINDOW} = 130;    # two documents
my $timeout = $PostgreSQL::Test::Utils::timeout_default;
my $host = PostgreSQL::Test::Utils::tempdir_short;
my $listener = IO::Socket::UNIX->new(Local => "$host/.s.PGSQL.5432", Listen => 10) or die "could not listen: $!";
my $upstream = $node->host . '/.s.PGSQL.' . $node->port;
my @command = ($ImportTest::command[0], '-d', "host=$host port=5432 dbname=postgres application_name=objectid-import");

# what pg_terminate_backend() makes a server send
my $terminated = "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0";
$terminated = pack('AN', 'E', 4 + length($terminated)) . $terminated;

# The length of the first message of what the program has sent, or 0 if not all of it has arrived
sub message_length
{
	my ($data, $started) = @_;
	my $head = $started ? 1 : 0;    # the first message of a connection has no type
	my $length = length($data) < $head + 4 ? 0 : $head + unpack("x$head N", $data);
	return $length <= length($data) ? $length : 0;
}

# What the proxy knows of the load that is running: how and where it cuts (run_cut()), the sockets, the messages so far,
# and which of them end a transaction
my %run;

sub cut
{
	my ($connection) = @_;
	my @sockets = @$connection{qw(client server)};
	$run{select}->remove(@sockets);
	delete @{ $run{connections} }{@sockets};
	close($_) for @sockets;
	return;
}

sub accept_connection
{
	my $client = $listener->accept;
	return if $run{done} && $run{how} eq 'alone';
	my $server = IO::Socket::UNIX->new(Peer => $upstream) or die "could not connect: $!";
	my $connection = { client => $client, server => $server, sent => '', answer => '' };
	@{ $run{connections} }{ $client, $server } = ($connection) x 2;
	$run{first} //= $connection;
	$run{select}->add($client, $server);
	return;
}

sub pass_answer
{
	my ($connection) = @_;
	my $length = sysread($connection->{server}, my $data, 65536);
	syswrite($connection->{client}, $data) if $length && !$connection->{mute};
	$connection->{answer} .= $data if $length;

	# ReadyForQuery or CopyInResponse ends an answer
	my $ready = $connection->{answer} =~ /(?:Z\0{3}\x05(.)\z|^G)/s;
	$run{ends}{ $connection->{last} } = 1 if $ready && ($1 // '') eq 'I' && $connection->{last};
	$connection->{answer} = '' if $ready;
	cut($connection) if !$length || ($ready && $connection->{mute});
	return;
}

# Pass a message on, or cut there.  Returns whether the connection goes on.
sub pass_message
{
	my ($connection, $message) = @_;
	my $how = $run{how};
	my $type = $connection->{statement} ? substr($message, 0, 1) : 'startup';
	$connection->{statement} = $type =~ /^[QP]$/ ? unpack($type eq 'Q' ? 'x5 Z*' : 'x6 Z*', $message) : $type
	  if $type !~ /^[BDES]$/;
	my $text = $connection->{last} = $connection->{statement};

	# Parse, Bind, Describe, Execute and Sync are one message; long tests cut at each
	my $counted = ($type !~ /^[PBDE]$/ || ($long && $how eq 'sent')) && $run{counts}->($text);
	push @{ $run{messages} }, $text if $counted;
	my $here = $counted && $run{at} == @{ $run{messages} };
	$run{done} ||= $here;
	syswrite($connection->{server}, $message) if !$here || $how ne 'before';
	return 1 if !$here;

	if ($how eq 'locks')
	{
		cut($run{first}) if $run{first} != $connection && $run{connections}{ $run{first}{client} };
		return 1;
	}
	$connection->{mute} = $how =~ /answered|alone/ && $type =~ /startup|[QScf]/;
	syswrite($connection->{client}, $terminated) if $how eq 'terminated';
	cut($connection) if !$connection->{mute};
	return 0;
}

sub pass_messages
{
	my ($connection) = @_;
	return cut($connection) if !sysread($connection->{client}, $connection->{sent}, 65536, length($connection->{sent}));
	while (my $length = message_length($connection->{sent}, $connection->{statement}))
	{
		last if !pass_message($connection, substr($connection->{sent}, 0, $length, ''));
	}
	return;
}

sub start_process
{
	my ($input, $error, @arguments) = @_;
	my $process = fork() // die "fork: $!";
	return $process if $process != 0;
	no warnings qw(exec);
	chdir $work;
	open(STDIN, '<', $input);
	open(STDOUT, '>', '/dev/null');
	open(STDERR, '>&', $error);
	exec(@command, @arguments) or POSIX::_exit(127);
}

# run_cut($how, $at, $counts, $input, @arguments) - run the program, number the messages that
# $counts accepts, in all connections, and cut the connection of message $at:
#   before      the message is not sent
#   sent        it is sent, and the answer is not awaited
#   answered    the answer has arrived, and is not passed on
#   alone       the same, and no other connection is possible afterwards
#   terminated  instead of the answer, the program gets that of a session that is terminated
#   locks       the first connection, which holds locks, is cut instead
# Returns the exit status, what is printed as errors, those messages, and which of them end a
# transaction.
sub run_cut
{
	my ($how, $at, $counts, $input, @arguments) = @_;
	pipe(my $output, my $error) or die "pipe: $!";
	my $process = start_process($input, $error, @arguments);
	close($error);
	my $select = IO::Select->new($listener, $output);
	%run =
	  (how => $how, at => $at, counts => $counts, select => $select, connections => {}, messages => [], ends => {});
	my ($printed, $status) = ('');

	# until all processes have closed the pipe
	while ($select->exists($output))
	{
		$! = 0;
		my @ready = $select->can_read($timeout);
		if (!@ready)
		{
			next if $!{EINTR};
			kill('KILL', $process);
			$status = $! ? "select: $!" : 'it hangs';
			last;
		}
		for my $socket (@ready)
		{
			my $connection = $run{connections}{$socket};    # none, if it was cut since select()
			if    ($socket == $listener) { accept_connection() }
			elsif ($socket == $output)
			{
				$select->remove($output) if !sysread($output, $printed, 65536, length($printed));
			}
			elsif ($connection && $socket == $connection->{server}) { pass_answer($connection) }
			elsif ($connection)                                     { pass_messages($connection) }
		}
	}
	while (my ($connection) = values %{ $run{connections} }) { cut($connection) }
	waitpid($process, 0);
	$status //= $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
	return ($status, $printed, @run{qw(messages ends)});
}

# expect($content, $upsert) - what a table and its side table must contain after a load of this BSON.  The program
# rejects a NUL in a string, and the server the number 99 and, without --upsert, a key for the second time.
sub expect
{
	my ($content, $upsert) = @_;
	my (%kept, @rejected);
	for (my $position = 1; $content ne ''; $position++)
	{
		my $raw = substr($content, 0, unpack('V', $content), '');
		my ($id, $n, $pad) = unpack('x9 H24 x3 l< x5 V/a*', $raw);
		chop $pad;
		if ($pad =~ /\0/ || $n == 99 || (!$upsert && $kept{$id}))
		{
			push @rejected, $position . unpack('H*', $raw);
			next;
		}
		$kept{$id} = qq({"n": $n, "_id": {"\$oid": "$id"}, "pad": "$pad"});
	}
	return (join(' ', map { $kept{$_} } sort keys %kept), join(' ', @rejected));
}

# what the tables contain, and the record of loads
ask(q{
CREATE FUNCTION contents(relation text, items text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text := 'no table';
BEGIN
	IF to_regclass(relation) IS NOT NULL THEN
		EXECUTE format('SELECT coalesce(string_agg(%s), %L) FROM %s', items, '', relation) INTO result;
	END IF;
	RETURN result;
END
$$});
my ($rows, $rejected) =
  (q{$$doc::text, ' ' ORDER BY _id$$}, q{$$position || encode(raw, 'hex'), ' ' ORDER BY position$$});
my $found =
  "SELECT concat_ws('|', contents('one', $rows), contents('one_rejected', $rejected), contents('two', $rows), contents('two_rejected', $rejected))";
my $recorded =
  q{SELECT contents('objectid_import', $$concat_ws('|', target, part, next_offset, finished IS NULL), ' ' ORDER BY target, part$$)};

# nothing is left of a load that was cut
my $ended = q{NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'objectid-import' AND state <> 'idle')
	AND NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory') AND NOT EXISTS (SELECT FROM pg_class WHERE relpersistence = 't')};

my $nul = bson(id(3), int32('n', 3), string('pad', "\0"));
my $changed = bson(id(2), int32('n', 7), string('pad', 'changed'));
my $mixed = documents(20, 1, 2) . $nul . documents(20, 4);
my $refused = documents(20, 1, 2) . bson(id(3), int32('n', 99), string('pad', '')) . documents(20, 2, 4);
my $new = 'CREATE TABLE one (_id objectid PRIMARY KEY, doc jsonb NOT NULL';
my $check = "$new CHECK (doc->>'n' <> '99'))";
my $old = "$new, old text); INSERT INTO one VALUES ('" . hex_id(1) . q{', '{"n": 0}')};
my $some = "$new); INSERT INTO one VALUES "
  . join(', ', map { sprintf(q{('%s', '%s')}, hex_id($_), (expect(documents(20, $_)))[0]) } 1, 2);

my $drop = 'DROP TABLE IF EXISTS one, one_rejected, two, two_rejected, objectid_import';

# the beginnings of loads that were cut, in all cases
my %seen;

# problem_of(\%case, $how, $message, $status, $printed, $after) - what is wrong with a load that was cut at this message
sub problem_of
{
	my ($case, $how, $message, $status, $printed, $after) = @_;
	my $terminated = $how eq 'terminated' && $message ne 'startup';
	my $lost = $terminated ? qr/connection was lost: .*\n.*hint: / : qr/connection/;
	return "$status: $after" eq $case->{expected} ? '' : "there is $after" if $status =~ /^[03]\z/;
	return 'how it ends' if $status ne '1' || $printed !~ $lost || $printed =~ /without --/;
	return 'there is no table' if $case->{before} !~ /^no table/ && $after =~ /^no table/;
	return '';
}

# cut_one(\%case, $how, $at, $counts) - cut a load at a message, and run the same command: what is wrong, or undef if there
# are no more messages
sub cut_one
{
	my ($case, $how, $at, $counts) = @_;
	my @run = @{ $case->{run} };
	ask("$drop; $case->{setup}");
	my ($status, $printed, $sent) = run_cut($how, $at, $counts, @run);
	return if @$sent < $at;
	my $message = $sent->[ $at - 1 ];

	# the same command can run while the server still commits what was sent
	my $at_once = $how eq 'sent' && $case->{ends}{$message};
	wait_until($ended) if !$at_once;
	my $after = ask($found);
	my $problem = problem_of($case, $how, $message, $status, $printed, $after);
	if (!$problem && ($long || $at_once || !$case->{resumed}{ $after . ask($recorded) }++))
	{
		my ($again, $more) = run_cut('', 0, sub { 0 }, @run);
		$again .= ': ' . ask($found);
		$problem = "the same command then: $again: $more" if $again ne $case->{expected};
		wait_until($ended);
	}
	return $problem && "$how $at, " . substr($message, 0, 70) . ": $status: $printed$problem";
}

# check_cuts(%case) - cut a load of one or two collections at each message
sub check_cuts
{
	my %case = (setup => '', options => [], @_);
	my $name = $case{name};
	my $upsert = grep { $_ eq '--upsert' } @{ $case{options} };
	my @expected = map { $_ ? expect($_, $upsert) : ('no table') x 2 } @case{qw(one two)};
	$case{expected} = (join(' ', @expected[ 1, 3 ]) =~ /\d/ ? 3 : 0) . ': ' . join('|', @expected);
	unlink "$work/dump/two.bson";
	my $file = write_file('dump/one.bson', $case{one});
	write_file('dump/two.bson', $case{two}) if $case{two};
	$case{run} = [ '/dev/null', '-n', 'public', $case{two} ? "$work/dump" : $file, @{ $case{options} } ];

	ask("$drop; $case{setup}");
	$case{before} = ask($found);
	(my ($status, $printed, $messages), $case{ends}) = run_cut('', 0, sub { 1 }, @{ $case{run} });
	is("$status: " . ask($found), $case{expected}, "$name: a load") or diag($printed);
	my $cuts = 0;
	my @wrong;
	for my $how (qw(sent before answered alone), $long || $name eq 'a file' ? 'terminated' : (), $long ? 'locks' : ())
	{
		# before, after and without an answer differ only at the end of a transaction
		my $counts = sub {
			my ($message) = @_;
			return $how eq 'alone' ? $message eq 'COMMIT' : $how !~ /before|answered/ || $long || $case{ends}{$message};
		};
		my @places = grep { $counts->($messages->[$_]) } 0 .. $#$messages;
		for (my $at = 1;; $at++)
		{
			next if !$long && $at <= @places && $seen{"$how @$messages[0 .. $places[$at - 1]]"}++;
			my $problem = cut_one(\%case, $how, $at, $counts) // last;
			$cuts++;
			push @wrong, $problem if $problem;
		}
	}
	is(join("\n", @wrong), '', "$name: cut at $cuts messages");
	return;
}

my $two = documents(20, 2);
my @scenarios = (
	{ name => 'a file', one => $mixed },
	{ name => 'two parts', one => documents(20, 1, 2, 4, 5) . $nul . documents(20, 9, 10), options => [ '-j', 2 ] },
	{ name => 'row by row', setup => $check, one => $refused },
	{ name => '--drop', setup => $old, one => $mixed, options => ['--drop'] },
	{ name => '--upsert', setup => $some, one => $changed . $mixed, options => ['--upsert'] },
	{
		name => '--upsert, row by row',
		setup => $check,
		one => $changed . $refused,
		options => [ '--upsert', '--restart' ]
	},
	{ name => '--truncate', setup => $old, one => $mixed, options => ['--truncate'] },
	{ name => 'two collections', one => documents(20, 1), two => $two . $nul, options => [ '-j', 2 ] });
push @scenarios,
  map { { name => "two collections, $_", setup => $old, one => $mixed, two => $two, options => [$_] } }
  qw(--drop --truncate)
  if $long;
check_cuts(%$_) for @scenarios;

# A COMMIT that lasts until the next session waits for its end
ask(q{
CREATE TABLE record (LIKE objectid_import INCLUDING ALL);
CREATE FUNCTION wait_for_another() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_WHEN = 'BEFORE' THEN
		SET CONSTRAINTS public.slow DEFERRED; -- after the SET CONSTRAINTS ALL IMMEDIATE of the program
	ELSIF nextval('public.updates') = TG_ARGV[0]::bigint THEN
		FOR i IN 1 .. 1000 LOOP
			PERFORM pg_stat_clear_snapshot();
			EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'objectid-import' AND wait_event_type = 'Lock');
			PERFORM pg_sleep(0.01);
		END LOOP;
	END IF;
	RETURN NULL;
END
$$});

# Is a message the COMMIT of a batch?
my $updated;
my $is_commit = sub {
	my ($message) = @_;
	my $found = $message =~ /COMMIT$/ && $updated;
	$updated = $message =~ /^UPDATE/ || ($updated && !$found);
	return $found;
};
my $one = write_file('one.bson', $mixed);
ask($drop);
my (undef, $report) = run_cut('before', 1, sub { $_[0] =~ /^COPY/ }, '/dev/null', $one);
like(
	$report,
	qr/the connection was lost: .*not all of ".*one\.bson" has been loaded into table public\.one/s,
	'what was not loaded is named');
for ([ 'a file, first batch', 1, 1, '/dev/null', $one ], [ 'a file, its end', 2, 2, '/dev/null', $one ])
{
	my ($case, $slow, $at, @run) = @$_;
	ask(qq{
$drop;
DROP SEQUENCE IF EXISTS updates;
CREATE SEQUENCE updates;
CREATE TABLE objectid_import (LIKE record INCLUDING ALL);
CREATE TRIGGER defer BEFORE UPDATE ON objectid_import EXECUTE FUNCTION wait_for_another();
CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON objectid_import DEFERRABLE FOR EACH ROW EXECUTE FUNCTION wait_for_another($slow)}
	);
	my ($status, $printed) = run_cut('sent', $at, $is_commit, @run);
	($status, my $more) = run_cut('', 0, sub { 0 }, @run);
	is("$status: " . ask($found), '3: ' . join('|', expect($mixed), ('no table') x 2), "$case: cut in a slow COMMIT")
	  or diag($printed, $more);
}

SKIP:
{
	my $missing = missing('pooler');
	skip $missing, 9 if $missing;
	my $port = start_pooler(4);
	$upstream = $node->host . "/.s.PGSQL.$port";
	%seen = ();
	check_cuts(%$_, name => "PgBouncer, $_->{name}") for @scenarios[ 0 .. ($long ? 3 : 0) ];

	# loads into one table wait for each other
	local @ImportTest::command = map { s/port=\d+/port=$port/r } @ImportTest::command;
	my $file = write_file('pooled.bson', documents(20, 1 .. 100));
	import_ok('a pooler, a load', '100|0', $file);
	import_is('a pooler, a row that the server refuses', '1|1', write_file('twice.bson', documents(0, 1, 1)));
	import_is('a pooler, jobs and --upsert', '0|0|100|0', '-j', 2, '--upsert', '--restart', $file);
	my ($running, $holder, $first) = start_held(write_file('pair.bson', documents(20, 1 .. 100)), 50);
	my ($other, $second) = start_import('/dev/null', "$work/pair.bson");
	wait_for_lock(2);
	is(release_held($running, $holder), 0, 'a pooler, the first of two loads: exit status') or diag($$first);
	$other->finish;
	is($? >> 8, 0, 'a pooler, the second of two loads: exit status') or diag($$second);
	like(
		$$second,
		qr/waiting for another import into table public\.pair to end\n.*already loaded/s,
		'a pooler, the second of two loads has waited');

	# nothing is left in any session of the pooler, all of which are taken at a time
	my @sessions = map { local $node->{_port} = $port; $node->background_psql('postgres') } 1 .. 4;
	$_->query_safe('BEGIN') for @sessions;

	# SET TRANSACTION changes "source" for good, although the next transaction has the default again
	my $changed = q{SELECT name FROM pg_settings WHERE source = 'session'
		AND name NOT IN ('client_encoding', 'application_name', 'transaction_isolation', 'transaction_read_only')
		UNION ALL SELECT relname FROM pg_class WHERE relnamespace = pg_my_temp_schema()};
	is(join('', map { $_->query_safe($changed) } @sessions),
		'', 'a pooler: no setting or temporary table is left in a session');
	is(sql(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'}), 0, 'a pooler: no lock is left');
	$_->quit for @sessions;
}

done_testing();
