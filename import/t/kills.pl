# objectid-import: if one of its processes is killed, at any moment, or the server stops, the exit status says
# whether all documents are in the table, and the same command again loads the others.  And memory does not grow
# with the file.
# Takes long.
use strict;
use warnings FATAL => 'all';
use POSIX ();
use ImportTest;

set_up();
set_seed($long ? undef : 44);

# The server stops at once: commits that are lost take their record with them.  --progress shows lines, because
# there is no terminal.
{
	my $documents = documents(60, 1 .. 100_000);
	my $big = write_file('big.bson', $documents);
	local $ENV{OBJECTID_IMPORT_WINDOW} = 200_000;
	my ($running, $holder, $output) = start_held($big, 65_000, '-P');
	wait_for_output($running, $output, qr/^loading: /m);
	$node->stop('immediate');
	$running->finish;
	is($? >> 8, 1, 'the server stops: exit status');
	like(
		$$output,
		qr/^loading: (6\d|0) % of 9 MB, \d+ documents, \d+\.\d MB\/s(, \d+:\d\d left)?$/m,
		'--progress without a terminal');
	eval { $holder->quit };
	$node->start;
	my ($rows, $recorded) = split(/\|/, sql('SELECT (SELECT count(*) FROM big), documents FROM objectid_import'));
	is($rows, $recorded, 'the server stops: the record matches the rows');
	cmp_ok($recorded, '>', 0, "the server stops: the load comes to document $recorded");
	import_is('the server stops: the load is resumed', '100000|0', $big);
	is(compare_documents('big', $documents), '', 'the server stops: every document is there once');
}

# small batches, so that small files have many, and two parts
local $ENV{OBJECTID_IMPORT_WINDOW} = 4000;
my $many = 1200;
my %content = (
	a => documents(60, 1 .. $many),
	b => documents(60, $many + 1 .. 2 * $many),
	mixed =>
	  join('', map { bson(id($_), int32('n', $_), string('s', $_ % 100 == 7 ? "\0" : 'x' x ($_ % 97))) } 1 .. $many));
my $json = json_documents(60, 1 .. $many);
my $broken = $json =~ s/(07,"pad":)"/$1/gr;    # which is rejected
my %file = map { $_ => write_file("dump/kills/$_.bson", $content{$_}) } qw(a b);
$file{lines} = write_file('lines/a.json', $broken);
$file{array} = write_file('array/a.json', '[' . $json =~ s/\n(?!\z)/,/gr . ']');
$file{zipped} = write_file('zipped/a.bson.gz', compress($content{a}));
$file{mixed} = write_file('mixed.bson', $content{mixed});

# Each mode: its tables, statements to run before, the exit status if all documents are loaded, the arguments
my $row = q{INSERT INTO kills.a SELECT ('500000000000000' || lpad(to_hex(i), 9, '0'))::objectid, '{"n":0}'};
my @modes = (
	[ 'one file', 'a', '', 0, '-n', 'kills', $file{a} ],
	[ 'two parts', 'a', '', 0, qw(-j 2 -n kills), $file{a} ],
	[ 'two collections', 'a b', '', 0, qw(-j 2), "$work/dump" ],
	[ '--progress', 'a', '', 0, qw(-P -n kills), $file{a} ],
	[ '--upsert', 'a', "$row FROM generate_series(1, 600) AS i", 0, qw(-j 2 --upsert -n kills), $file{a} ],
	map({ [ $_, 'a', "$row FROM generate_series(9999, 9999) AS i", 0, qw(-j 2), $_, qw(-n kills), $file{a} ] }
		qw(--drop --truncate)),
	map({ [ "one file: $_", 'a', '', $_ eq 'lines' ? 3 : 0, '-n', 'kills', $file{$_} ] } qw(lines array zipped)),
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

# Start a load
sub start
{
	my ($before, @arguments) = @_;
	local @ImportTest::there = (init => sub { chdir($work) or die; $before->() });
	my ($running, $output) = start_import('/dev/null', @arguments);
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

my $nobody_loads = q{NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'objectid-import')};

# Make the tables empty, as a mode needs them.  A session of the load before may hold its locks for a while after its end, and
# the next load would wait for these.
sub clear
{
	my ($before) = @_;
	wait_until($nobody_loads);
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
	my $moment = pick(qw(document document record record), $target eq 'child' ? () : qw(prepare start));
	$moment = 'record' if $target eq 'child' && $name =~ /--drop|--truncate/;

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
		  || $moment =~ /prepare|start/
		  || "$name, $moment" =~ /--(?:drop|truncate), document/;
		push @wrong, 'why?' if $target eq 'foreign';
		push @wrong, 'no signal'
		  if "$target $signal" eq 'child KILL' && $$output !~ /error: child process was terminated by signal 9/;
		push @wrong, 'no error with a hint'
		  if $$output !~ /error: .*hint: .*run the same command/is
		  && !($target =~ /main|group/ && $at_once && -$status == $signal{$signal});
	}
	if (!@wrong)
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

# What is recorded is what is loaded.  After INT or TERM, each process finishes its batch.  The next run goes on,
# with another number of jobs, too.
my $finishing = qr/finishing this batch.*error: interrupted.*hint: Run the same command again to resume/s;
for my $jobs (1, 2)
{
	my ($before, $loaded) = (0);
	clear('');
	for ([ 300, 'KILL', -9, qr/^$/ ], [ 450, 'INT', 130, $finishing ], [ 550, 'TERM', 130, $finishing ])
	{
		my ($n, $signal, $expected, $message) = @$_;
		my $what = "$signal, $jobs jobs";
		hold('a', $n);
		my ($running, $output, $main) = start(sub { }, '-j', $jobs, qw(-n kills), $file{a});
		wait_until($waits);
		kill($signal, $main);
		wait_for_output($running, $output, qr/finishing/) if $signal ne 'KILL';

		# its children have the same output, and end with it; else they could go on
		my $status = $signal eq 'KILL' && $^O eq 'linux' ? finish($running) : undef;
		$holder->query_safe('ROLLBACK');
		is($status // finish($running), $expected, "$what: exit status");
		like($$output, $message, "$what: messages");
		wait_until($nobody_loads);
		(my ($parts, $rows, $read), $loaded) = split(
			/\|/,
			ask('SELECT count(*), (SELECT count(*) FROM kills.a), sum(next_offset - start_offset), sum(documents) FROM kills.objectid_import'
			));
		is("$parts $rows $read", "$jobs $loaded " . $loaded * length($content{a}) / $many, "$what: the record");
		cmp_ok($read, '>', $before, "$what: at document $loaded");
		$before = $read;
	}
	my $resumed = import_is("a load with $jobs jobs is resumed", "$many|0", '-j', 3 - $jobs, '-n', 'kills', $file{a});
	like(
		$resumed,
		qr/^objectid-import: a\.bson: continuing run \d+ after $loaded documents$/,
		"a load with $jobs jobs is resumed: message");
	is(compare_documents('kills.a', $content{a}), '', "a load with $jobs jobs: every document is there once");
}

# peak($file, $id) - the memory of the process that loads, in kB, before it loads the document
# with this id; its exit status
sub peak
{
	my ($running, $holder) = start_held(@_);
	my $process = $running->{KIDS}[0]{PID};
	my ($peak) = slurp_file("/proc/$process/status") =~ /VmHWM:\s+(\d+) kB/;
	return ($peak, release_held($running, $holder));
}

# Memory does not grow with the file
SKIP:
{
	skip 'no /proc to read the memory from, or sanitizers, which need more', 13
	  if !-r '/proc/self/status' || $ENV{IMPORT_COPT};
	local $ENV{OBJECTID_IMPORT_WINDOW} = 1_000_000;
	for my $format (qw(bson json rejected))
	{
		my %peak;
		for my $times (1, 3)
		{
			my $last = $times * 60_000;
			my $content = $format eq 'bson' ? documents(60, 1 .. $last) : json_documents(60, 1 .. $last);
			$content .= "{}\n" x (2 * $last) if $format eq 'rejected';    # more than a batch has
			my $file = write_file("memory_$format$times." . ($format eq 'bson' ? 'bson' : 'json'), $content);
			($peak{$times}, my $status) = peak($file, $last);
			is($status, $format eq 'rejected' ? 3 : 0, "$times times 60,000 documents of $format");
			unlink $file;
		}
		cmp_ok($peak{3}, '<', $peak{1} + 1024,
			"$format: memory does not grow with the file ($peak{1} and $peak{3} kB)");
		cmp_ok($peak{3}, '<', 30_000, "$format: memory is not much");
	}

	# nor with the reasons why the server refuses documents
	sql(q{CREATE TABLE refused (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (doc->>'n' = '0'))});
	my ($peak) = peak(write_file('refused.bson', documents(0, 1 .. 30_000, 0)), 0, '--max-rejected=30000');
	cmp_ok($peak, '<', 30_000, "memory with refused documents ($peak kB)");
}

# What follows finds processes
if (!-r "/proc/$$/task/$$/children")
{
  SKIP: { skip 'no /proc to find processes', 60 }
	done_testing();
	exit;
}
for my $mode ((@modes) x ($long ? 20 : 1))
{
	for my $target (qw(main child foreign group))
	{
		next if $target eq 'child' && $mode->[0] =~ /one file/;
		next if $target ne 'main' && $mode->[0] =~ /one file: /;
		for my $signal (sort keys %signal)
		{
			is(try_kill($mode, $target, $signal), '', "$mode->[0]: $signal to $target");
		}
	}
}
cmp_ok($killed, '>', 60, 'most of these processes were there to be killed');

# The end of a foreign child is not the end of a part.  Meanwhile the first of two parts is complete, and the
# load waits for a document of the second part.
my $user = sql('SELECT current_user');
my @first = ('unshare', qw(--user --map-root-user --pid --fork));
for (
	[ 'another child ends', \&start_foreign ],
	[
		'as process 1, an orphan ends',
		sub { }, @first, 'sh', '-c', "(cat $fifo >/dev/null 2>&1 &); exec \"\$@\" -U '$user'", 'sh'
	],
	[ 'SIGCHLD is ignored', sub { $SIG{CHLD} = 'IGNORE' } ])
{
	my ($name, $before, @command) = @$_;
  SKIP:
	{
		skip 'no permission to create namespaces', 2
		  if @command && !IPC::Run::run([ @first, 'true' ], '>&', \my $refused);
		local @ImportTest::command = (@command, @ImportTest::command);
		clear('');
		hold('a', 650);
		my ($running, $output, $main) = start($before, qw(-j 2 -n kills), $file{a});
		wait_until('EXISTS (SELECT FROM kills.objectid_import WHERE part = 0 AND finished IS NOT NULL)');
		wait_until($waits);
		($main) = children($main) if @command;
		wait_until(sub { (() = children($main)) == 1 });

		if ($name =~ /ends/)
		{
			end_foreign();
			sql('SELECT 1');    # a load that is misled has time to end
		}
		$holder->query_safe('ROLLBACK');
		is(finish($running), 0, "$name: exit status") or diag($$output);
		is(compare_documents('kills.a', $content{a}), '', "$name: all documents are there");
	}
}

done_testing();
