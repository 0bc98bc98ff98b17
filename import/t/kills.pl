# objectid-import: if one of its processes is killed, at any moment, the exit status says
# whether all documents are in the table, and the same command again loads the others.
use strict;
use warnings FATAL => 'all';
use POSIX ();
use lib   qw(testlib import/t);
use ImportTest;

plan skip_all => 'no /proc to find processes' unless -r "/proc/$$/task/$$/children";
set_up();
my $seed = $long ? time : 44;
srand($seed);

# small batches, so that small files have many, and two parts
local $ENV{OBJECTID_IMPORT_WINDOW} = 4000;
my $many = 1200;
my %content = (
	a => documents(60, 1 .. $many),
	b => documents(60, $many + 1 .. 2 * $many),
	mixed => join('', map { bson(id($_), int32('n', $_), string('s', $_ % 100 == 7 ? "\0" : 'x' x 60)) } 1 .. $many));
my %file = map { $_ => write_file("dump/kills/$_.bson", $content{$_}) } qw(a b);
$file{mixed} = write_file('mixed.bson', $content{mixed});

# Each mode: its tables, statements to run before, the exit status if all documents are loaded, the arguments
my $row = q{INSERT INTO kills.a SELECT ('500000000000000' || lpad(to_hex(i), 9, '0'))::objectid, '{"n":0}'};
my @modes = (
	[ 'one file', 'a', '', 0, '-n', 'kills', $file{a} ],
	[ 'two parts', 'a', '', 0, qw(-j 2 -n kills), $file{a} ],
	[ 'two collections', 'a b', '', 0, qw(-j 2), "$work/dump" ],
	[ '--progress', 'a', '', 0, qw(-P -n kills), $file{a} ],
	[ '--upsert', 'a', "$row FROM generate_series(1, 600) AS i", 0, qw(-j 2 --upsert -n kills), $file{a} ],
	[ '--drop', 'a', "$row FROM generate_series(9999, 9999) AS i", 0, qw(-j 2 --drop -n kills), $file{a} ],
	[ 'a pipe', 'a', '', 0, qw(--format bson -t kills.a -) ],
	[
		'rejections', 'mixed', q{ALTER TABLE kills.mixed ADD CHECK (doc->>'n' !~ '50$')},
		3, qw(-j 2 -n kills),
		$file{mixed}
	]);

sub pick { return $_[ rand(@_) ] }

# The processes that a process has started: those that load, or the others
sub children
{
	my ($process, $others) = @_;
	my @found;
	open(my $children, '<', "/proc/$process/task/$process/children") or return;
	for (split(/ /, readline($children) // ''))
	{
		open(my $name, '<', "/proc/$_/comm") or next;
		push @found, $_ if (readline($name) // '') eq "objectid-import\n" xor $others;
	}
	return @found;
}

# A process that a load has not started, but is its child: it was there before, as in
# "sleep 2 & exec objectid-import".  It ends when somebody writes into the FIFO.
my $fifo = "$work/fifo";
system_or_bail('mkfifo', $fifo);

sub start_foreign
{
	return if fork;
	POSIX::close($_) for 3 .. 99;
	exec("exec cat $fifo >/dev/null 2>&1");
}

sub end_foreign
{
	open(my $writer, '>', $fifo) or die "$fifo: $!";
}

# also if the test fails
END { sysopen(my $writer, $fifo, POSIX::O_WRONLY | POSIX::O_NONBLOCK) if $fifo }

# Start a load, whose process leads a group of its own
sub start
{
	my ($before, @arguments) = @_;
	local @ImportTest::there = (init => sub { setpgrp; chdir($work) or die; $before->() });
	my ($running, $output) = start_import($arguments[-1] eq '-' ? $file{a} : '/dev/null', @arguments);
	return ($running, $output, $running->{KIDS}[0]{PID});
}

# Wait for its end.  Returns its exit status, or minus the signal that has ended it.
sub finish
{
	$_[0]->finish;
	return $? & 127 ? -($? & 127) : $? >> 8;
}

my $holder = $node->background_psql('postgres');
$holder->set_query_timer_restart;

# Make the tables empty, as a mode needs them.
sub clear
{
	my ($before) = @_;
	my $make =
	  'DROP TABLE IF EXISTS kills.%1$s, kills.%1$s_rejected; CREATE TABLE kills.%1$s (LIKE kills.any INCLUDING ALL); ';
	ask('DELETE FROM kills.objectid_import; ' . join('', map { sprintf($make, $_) } keys %content) . $before);
}

# Let the holder lock the row of a document
sub hold
{
	my ($table, $n) = @_;
	$holder->query_safe(
		sprintf(
			q{BEGIN; INSERT INTO kills.%s VALUES ('%s', '{}') ON CONFLICT (_id) DO UPDATE SET doc = '{}'},
			$table, hex_id($n)));
}

# What is wrong with the tables of a mode, unless they have all documents once?
sub compare
{
	my ($mode) = @_;
	return map { compare_documents("kills.$_", $content{$_}) || () } split(/ /, $mode->[1]);
}

# Run a load, kill a process at a random moment, run the same command again.  Returns what went wrong.
my %signal = (TERM => 15, INT => 2, KILL => 9);
my $killed = 0;

sub try_kill
{
	my ($mode, $target, $signal) = @_;
	my ($name, $tables, $before, $done, @arguments) = @$mode;
	my $n = 1 + int(rand($many));
	my $table = pick(split(/ /, $tables));

	# nobody waits for a document that is rejected
	$n++ if $n =~ /(?:07|50)$/;

	# the load waits for a document, or to prepare its tables, or has recorded so many documents, or begins
	my $moment = pick(
		qw(document document),
		$name eq 'a pipe'  ? () : qw(record record),
		$target eq 'child' ? () : qw(prepare start));
	$moment = 'record' if $target eq 'child' && $name eq '--drop';

	clear($before);
	hold($table, $table eq 'b' ? $many + $n : $n) if $moment eq 'document';
	$holder->query_safe(q{BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('objectid-import', 0))})
	  if $moment eq 'prepare';
	my ($running, $output, $main) = start($target =~ /foreign|group/ ? \&start_foreign : sub { }, @arguments);
	my @foreign = children($main, 1);
	wait_until(
		  $moment eq 'record' ? "sum(documents) >= $n FROM kills.objectid_import"
		: $moment eq 'start'  ? 'true'
		:                       $waits);
	my ($process) =
	  $target eq 'main' ? $main : $target eq 'group' ? -$main : $target eq 'foreign' ? @foreign : pick(children($main));
	$killed++ if $process && kill($signal, $process);
	$holder->query_safe('ROLLBACK') if $moment =~ /document|prepare/;
	kill('KILL', @foreign);

	my $status = finish($running);
	my @wrong = $status == $done ? compare($mode) : ();
	if ($status != $done)
	{
		# TERM and INT end it at once if no batches are loaded
		my $at_once =
			 $signal eq 'KILL'
		  || $name eq 'a pipe'
		  || $moment =~ /prepare|start/
		  || "$name, $moment" eq '--drop, document';
		push @wrong, 'why?' if $target eq 'foreign';
		push @wrong, 'no signal'
		  if "$target $signal" eq 'child KILL' && $$output !~ /error: child process was terminated by signal 9/;
		push @wrong, 'no error with a hint'
		  if $$output !~ /error: .*hint: .*run the same command/is
		  && !($target =~ /main|group/ && $at_once && -$status == $signal{$signal});
	}
	if (!@wrong && !($name eq 'a pipe' && $status == $done))
	{
		($running, my $more) = start(sub { }, @arguments);
		my $again = finish($running);
		@wrong = ($again == $done ? () : "again: exit status $again", compare($mode));
		$$output .= $$more;
	}
	return @wrong ? join(', ', "at $moment $n: exit status $status", @wrong, $$output) : '';
}

sql("CREATE SCHEMA kills; CREATE TABLE kills.any (_id objectid PRIMARY KEY, doc jsonb NOT NULL)");
import_ok('without a kill', '1200|0', '-n', 'kills', $file{a});
for my $mode ((@modes) x ($long ? 20 : 1))
{
	for my $target (qw(main child foreign group))
	{
		next if $target eq 'child' && $mode->[0] =~ /one file|a pipe/;
		for my $signal (sort keys %signal)
		{
			is(try_kill($mode, $target, $signal), '', "$mode->[0]: $signal to $target") or diag("seed $seed");
		}
	}
}
cmp_ok($killed, '>', 60, 'most of these processes were there to be killed') or diag("seed $seed");

# The end of a foreign child is not the end of a part.  Meanwhile the first of two parts is complete, and the
# load waits for a document of the second part.
my @parts = @{ $modes[1] };
my $user = sql('SELECT current_user');
my @first = ('unshare', qw(--user --map-root-user --pid --fork));
for (
	[ 'TERM to one process', 1, 0 ],
	[ 'another child ends', 0, \&start_foreign ],
	[
		'as process 1, an orphan ends',
		0, 0, @first, 'sh', '-c', "(cat $fifo >/dev/null 2>&1 &); exec \"\$@\" -U '$user'", 'sh'
	],
	[ 'SIGCHLD is ignored', 0, sub { $SIG{CHLD} = 'IGNORE' } ])
{
	my ($name, $expected, $before, @command) = @$_;
  SKIP:
	{
		skip 'no permission to create namespaces', 2
		  if @command && !IPC::Run::run([ @first, 'true' ], '>&', \my $refused);
		local @ImportTest::command = (@command, @ImportTest::command);
		clear('');
		hold('a', 650);
		my ($running, $output, $main) = start($before || sub { }, @parts[ 4 .. $#parts ]);
		wait_until('EXISTS (SELECT FROM kills.objectid_import WHERE part = 0 AND finished IS NOT NULL)');
		wait_until($waits);
		($main) = children($main) if @command;
		my @loading;
		wait_until(sub { (@loading = children($main)) == 1 });
		kill('TERM', @loading) if $expected;

		if ($name =~ /ends/)
		{
			end_foreign();
			sql('SELECT 1');    # a load that is misled has time to end
		}
		$holder->query_safe('ROLLBACK');
		is(finish($running), $expected, "$name: exit status") or diag($$output);

		if ($expected)
		{
			like($$output, qr/error: .*\n.*hint: Run the same command again to resume/, "$name: message and hint");
		}
		else
		{
			is(join('', compare(\@parts)), '', "$name: all documents are there");
		}
	}
}

done_testing();
