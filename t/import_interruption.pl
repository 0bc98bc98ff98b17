# objectid-import: the next run resumes an interrupted load, so that every document is
# in the table once; and the memory does not grow with the file.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ImportTest;

set_up();

my $many = 400_000;
my $pad = 'x' x 60;
my $documents = join('', map { bson(id($_), string('pad', $pad)) } 1 .. $many);

# kill -9 during a load.  Another session holds back an id of a later batch, so that
# we know where the load stands.
my $big = write_file('big.bson', $documents);

sub kill_import
{
	my ($running) = @_;
	$running->signal('KILL');
	$running->finish;
}

# Start a load and stop it, by a signal or by terminating its session, where it waits for $id
sub interrupt
{
	my ($id, $how) = @_;
	my ($running, $holder, $output) = start_held($big, $id);
	if ($how eq 'terminate')
	{
		sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'objectid-import'});
		$running->finish;
	}
	elsif ($how eq 'KILL')
	{
		kill_import($running);
	}
	else
	{
		# it finishes the batch
		$running->signal($how);
		$holder->query_safe('ROLLBACK');
		$running->finish;
	}
	my $status = $? >> 8;
	$holder->quit;
	return ($status, $$output);
}
my $hint = qr/^objectid-import: hint: Run the same command again/m;
my $offset = 0;
for (
	[ 150_000, 'KILL' ],
	[ 200_000, 'terminate', 1, qr/error: .*(?:terminating connection|connection was lost)/ ],
	[ 250_000, 'INT', 130, qr/finishing this batch.*error: interrupted/s ],
	[ 300_000, 'TERM', 130, qr/finishing this batch.*error: interrupted/s ])
{
	my ($id, $how, $expected, $message) = @$_;
	my ($status, $output) = interrupt($id, $how);
	if (defined $expected)
	{
		is($status, $expected, "$how: exit status");
		like($output, $message, "$how: message");
		like($output, $hint, "$how: hint");
	}
	my ($at, $loaded) = split(/\|/, sql('SELECT next_offset, documents FROM objectid_import'));
	cmp_ok($at, '>', $offset, "$how: at document $loaded");
	is(sql('SELECT count(*) FROM big'), $loaded, "$how: and that many are in the table");
	is($at, $loaded * length($documents) / $many, "$how: the offset is theirs");
	$offset = $at;
}
my $loaded = $offset / length($documents) * $many;
like(
	import_is('the load is resumed', "$many|0", '', $big),
	qr/^objectid-import: big\.bson: continuing run \d+ after $loaded documents$/,
	'where it was interrupted');
is( sql('SELECT count(*), count(DISTINCT _id), (SELECT count(*) FROM big_rejected), (SELECT count(*) FROM objectid_import) FROM big'
	),
	"$many|$many|0|1",
	'every document is there once, none is rejected, in one run');

# A file that becomes shorter during a load, by whole documents, is not at its end
{
	my $shrinking = write_file('shrinking.bson', $documents);
	my ($running, $holder, $output) = start_held($shrinking, 1);
	truncate($shrinking, length($documents) / 2) or die "$shrinking: $!";
	$holder->query_safe('ROLLBACK');
	$running->finish;
	is($? >> 8, 1, 'a file that is cut short during its load is refused');
	like(
		$$output,
		qr/error: file ".*shrinking\.bson" is damaged at byte \d+: the file has become shorter/,
		'with a message');
	$holder->quit;
	is(sql(q{SELECT finished FROM objectid_import WHERE source = 'shrinking.bson'}),
		'', 'and is not recorded as complete');
	sql('DROP TABLE shrinking, shrinking_rejected');
}

# --restart: from the beginning, so that what was loaded is a duplicate now
sql('DELETE FROM big WHERE _id >= \'' . hex_id(300_000) . q{'; DELETE FROM objectid_import});
interrupt(300_000, 'KILL');
my $rejected = sql('SELECT rejected FROM objectid_import');
cmp_ok($rejected, '>', 0, 'batches of a restarted load are rejected as duplicates');
import_is('--restart', 100_001 . '|' . 299_999, '', '--restart', $big);
is( sql("SELECT count(*), count(DISTINCT _id), (SELECT count(*) FROM big_rejected), (SELECT count(*) FROM objectid_import) FROM big"
	),
	"$many|$many|299999|1",
	'loses nothing, and forgets what the run before rejected');

# A large file in parts: kill -9, and another number of jobs for the rest
for my $jobs (1, 3)
{
	sql('DROP TABLE big, big_rejected, objectid_import');
	my ($running, $holder) = start_held($big, 390_000, '-j', 2);
	$node->poll_query_until('postgres', 'SELECT count(*) = 1 FROM objectid_import WHERE finished IS NOT NULL')
	  or BAIL_OUT('the first part does not end');
	kill_import($running);
	$holder->quit;
	my ($parts, $there) = split(/\|/, sql('SELECT count(*), sum(documents) FROM objectid_import'));
	is($parts, 2, '--jobs=2 loads a file in two parts');
	$node->poll_query_until('postgres',
		q{SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'objectid-import'})
	  or BAIL_OUT('the processes of an import outlive it');
	is(sql('SELECT count(*) FROM big'), $there, 'kill -9 of the first process ends all');
	like(
		import_is("--jobs=$jobs loads the rest", "$many|0", '', '-j', $jobs, $big),
		qr/continuing run \d+ after $there documents/,
		'and says so');
	is(sql('SELECT count(*), count(DISTINCT _id), (SELECT count(*) FROM big_rejected) FROM big'),
		"$many|$many|0", 'every document is there once');
}

# Ctrl-C, and a signal to the first process alone, when several are at work
{
	sql('DROP TABLE big, big_rejected, objectid_import');
	my ($running, $holder, $output) = start_held($big, 1, '-j', 2);
	$running->signal('INT');
	wait_for_output($running, $output, qr/finishing/);
	$holder->query_safe('ROLLBACK');
	$running->finish;
	is($? >> 8, 130, 'INT to one of several processes: exit status');
	like($$output, $hint, 'INT to one of several processes: hint');
	$holder->quit;
	is(sql('SELECT (SELECT count(*) FROM big) = sum(documents), sum(documents) < 400000 FROM objectid_import'),
		't|t', 'ends all after their batches');
	import_is('and is resumed', "$many|0", '', '-j', 2, $big);
}

# The processes that this one has started
sub children
{
	my ($parent) = @_;
	my @found;
	for my $stat (glob('/proc/[0-9]*/stat'))
	{
		open(my $file, '<', $stat) or next;
		push @found, $1 if (<$file> // '') =~ /^(\d+) \(.*\) \S $parent /;
	}
	return @found;
}

# A process that is killed is not passed over
SKIP:
{
	skip 'no /proc to find processes in', 4 unless -r '/proc/self/stat';
	sql('DROP TABLE big, big_rejected, objectid_import');
	my ($running, $holder, $output) = start_held($big, 390_000, '-j', 2);
	kill('KILL', children($running->{KIDS}[0]{PID})) or BAIL_OUT('there are no other processes');
	$running->finish;
	is($? >> 8, 1, 'KILL to the other processes: exit status');
	$holder->quit;
	like(
		$$output,
		qr/error: child process was terminated by signal 9.*\n.*hint: Run the same command again to resume/,
		'KILL to the other processes: message');
	import_is('KILL to the other processes: resumed', "$many|0", '', '-j', 2, $big);
}

# The server stops at once, ten times: commits that are lost take their record with them.
{
	sql('DROP TABLE big, big_rejected, objectid_import');
	local $ENV{OBJECTID_IMPORT_WINDOW} = 500_000;
	my (@wrong, @progress);
	for my $round (1 .. 10)
	{
		my ($running, $holder) = start_held($big, 38_000 * $round);
		$node->stop('immediate');
		$running->finish;
		push @wrong, "round $round: exit status $?" if $? >> 8 != 1;
		eval { $holder->quit };
		$node->start;
		push @progress, sql('SELECT documents FROM objectid_import');
		my $rows = sql('SELECT count(*) FROM big');
		push @wrong, "round $round: $rows rows, $progress[-1] recorded" if $rows != $progress[-1];
	}
	is("@wrong", '', 'after each stop, the record matches the rows');
	cmp_ok($progress[-1], '>', 0, "the loads come to document $progress[-1]");
	import_is('after ten stops: resumed', "$many|0", '', $big);
	is(sql('SELECT count(*), count(DISTINCT _id) FROM big'), "$many|$many", 'every document is there once');
}

# JSON, and compressed files
my @others = (
	[ 'lines.json', join('', map { '{' . json_id($_) . qq(,"pad":"$pad"}\n) } 1 .. 200_000) ],
	[ 'elements.json', '[' . join(',', map { '{' . json_id($_) . qq(,"pad":"$pad"}) } 1 .. 200_000) . ']' ],
	[ 'zipped.bson.gz', compress(substr($documents, 0, length($documents) / 2)) ]);
for (@others)
{
	my ($name, $content) = @$_;
	my $table = $name =~ s/\..*//r;
	my $file = write_file($name, $content);
	my ($running, $holder) = start_held($file, 199_000);
	kill_import($running);
	$holder->quit;
	my $there = sql("SELECT documents FROM objectid_import WHERE source = '$name'");
	cmp_ok($there, '>', 0, "$name: interrupted after $there documents");
	is(sql("SELECT count(*) FROM $table"), $there, "$name: which are there");
	import_is("$name: resumed", '200000|0', '', $file);
	is(sql("SELECT count(*), count(DISTINCT doc->'_id') FROM $table"),
		'200000|200000', "$name: every document is there once");
	unlink $file;
}

# A pipe is loaded in one transaction
{
	sql('CREATE TABLE piped (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(sprintf(q{BEGIN; INSERT INTO piped VALUES ('%s', '{}')}, hex_id(390_000)));
	my $running =
	  IPC::Run::start([ @ImportTest::command, '--format', 'bson', '-t', 'piped', '-' ], '<', $big, '>&', \my $output);
	wait_for_lock(1);

	# which creates a table, but does not hold up a load that creates another one
	my ($beside) = start_import(write_file('beside.bson', bson(id(1))));
	ok( $node->poll_query_until(
			'postgres',
			q{SELECT EXISTS (SELECT FROM objectid_import WHERE target = 'public.beside' AND finished IS NOT NULL)}),
		'a load beside a pipe does not wait for it');
	kill_import($running);
	$beside->finish;
	$holder->quit;
	is( sql(q{SELECT count(*), to_regclass('piped_rejected'), (SELECT count(*) FROM objectid_import WHERE target = 'public.piped') FROM piped}
		),
		'0||0',
		'nothing remains of an interrupted pipe');
}

# Progress
{
	sql('DROP TABLE big, big_rejected, objectid_import');
	my ($running, $holder, $output) = start_held($big, 390_000, '-P');
	wait_for_output($running, $output, qr/^loading: [1-9]/m);
	like($$output, qr/^loading: \d+ documents, \d+ MB$/m, '--progress shows lines if there is no terminal');
	kill_import($running);
	$holder->quit;
}

# Memory does not grow with the file
SKIP:
{
	skip 'no /proc to read the memory from', 13 unless -r '/proc/self/status';
	for my $format (qw(bson json rejected))
	{
		my %peak;
		for my $times (1, 6)
		{
			my $file = write_file("memory_$format$times." . ($format eq 'bson' ? 'bson' : 'json'), '');
			open(my $handle, '>:raw', $file) or die;
			for my $n (1 .. $times)
			{
				my @ids = ($n - 1) * 100_000 + 1 .. $n * 100_000;
				print $handle "x\n" x 100_000 if $format eq 'rejected';
				print $handle $format eq 'bson'
				  ? map { bson(id($_), string('pad', $pad)) } @ids
				  : map { '{' . json_id($_) . qq(,"pad":"$pad"}\n) } @ids;
			}
			close($handle);

			# it waits for the id of the last document
			my ($running, $holder) = start_held($file, $times * 100_000);
			($peak{$times}) = slurp_file("/proc/$running->{KIDS}[0]{PID}/status") =~ /VmHWM:\s+(\d+) kB/;
			$holder->query_safe('ROLLBACK');
			$running->finish;
			is($? >> 8, $format eq 'rejected' ? 3 : 0, "$times times 100,000 documents of $format");
			$holder->quit;
			unlink $file;
		}
		cmp_ok($peak{6}, '<', $peak{1} + 2048,
			"$format: memory does not grow with the file ($peak{1} and $peak{6} kB)");
		cmp_ok($peak{6}, '<', 50_000, "$format: and is not much");
	}

	# nor with the reasons why the server refuses documents
	sql('CREATE TABLE refused (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (NOT doc ? \'pad\'))');
	my $file = write_file('refused.bson', join('', map({ bson(id($_), string('pad', '')) } 1 .. 100_000), bson(id(0))));
	my ($running, $holder) = start_held($file, 0);
	my ($peak) = slurp_file("/proc/$running->{KIDS}[0]{PID}/status") =~ /VmHWM:\s+(\d+) kB/;
	cmp_ok($peak, '<', 30_000, "memory with refused documents ($peak kB)");
	kill_import($running);
	$holder->quit;
}

done_testing();
