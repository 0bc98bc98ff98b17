# objectid-import: the next run resumes an interrupted load, so that every document is
# in the table once; and the memory does not grow with the file.
use strict;
use warnings FATAL => 'all';
use lib qw(testlib import/t);
use ImportTest;

set_up();

my $many = 400_000;
my $documents = documents(60, 1 .. $many);
my $size = length($documents) / $many;
my $big = write_file('big.bson', $documents);

# what is in the table, in the side table, and recorded, if every document is there once
my $state =
  'SELECT count(*), count(DISTINCT _id), (SELECT count(*) FROM big_rejected), (SELECT count(*) FROM objectid_import) FROM big';

sub drop_big { sql('DROP TABLE IF EXISTS big, big_rejected, objectid_import') }

my $hint = 'hint: Run the same command again to resume';

# The load is stopped by a signal where it waits for an id of a later batch that another session holds back.  With two
# jobs, the file is loaded in two parts.  After INT or TERM, each process finishes its batch.
for my $jobs (1, 2)
{
	my $before = 0;
	my $loaded;
	drop_big();
	local $ENV{OBJECTID_IMPORT_WINDOW} = 3_000_000;
	for (
		[ 50_000, 'KILL', 0, qr/^$/ ],
		[ 140_000, 'INT', 130, qr/finishing this batch.*error: interrupted.*$hint/s ],
		[ 170_000, 'TERM', 130, qr/finishing this batch.*error: interrupted.*$hint/s ])
	{
		my ($id, $how, $status, $message) = @$_;
		my ($running, $holder, $output) = start_held($big, $id, '-j', $jobs);
		$running->signal($how);
		wait_for_output($running, $output, qr/finishing/) if $how ne 'KILL';
		is(release_held($running, $holder), $status, "$how, $jobs jobs: exit status");
		like($$output, $message, "$how, $jobs jobs: messages");
		$node->poll_query_until('postgres',
			q{SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'objectid-import'})
		  or die('the processes of an import outlive it');
		(my ($parts, $read), $loaded) =
		  split(/\|/, sql('SELECT count(*), sum(next_offset - start_offset), sum(documents) FROM objectid_import'));
		is($parts, $jobs, "$how, $jobs jobs: parts");
		cmp_ok($read, '>', $before, "$how, $jobs jobs: at document $loaded");
		is(sql('SELECT count(*) FROM big'), $loaded, "$how, $jobs jobs: and that many are in the table");
		is($read, $loaded * $size, "$how, $jobs jobs: the offsets are theirs");
		$before = $read;
	}
	like(
		import_is('the load is resumed with another number of jobs', "$many|0", '-j', 3 - $jobs, $big),
		qr/^objectid-import: big\.bson: continuing run \d+ after $loaded documents$/,
		'where it was interrupted');
	is(sql($state), "$many|$many|0|$jobs", 'every document is there once, none is rejected, in one run');
}

# --restart: from the beginning, so that what was loaded is a duplicate now
sql('DELETE FROM big WHERE _id >= \'' . hex_id(300_000) . q{'; DELETE FROM objectid_import});
kill_held($big, 300_000, '--max-rejected=400000');
cmp_ok(sql('SELECT rejected FROM objectid_import'), '>', 0, 'batches of a restarted load are rejected as duplicates');
import_is('--restart', '100001|299999', qw(--restart --max-rejected 400000), $big);
is(sql($state), "$many|$many|299999|1", 'loses nothing, and forgets what the run before rejected');

# The server stops at once, ten times: commits that are lost take their record with them.
{
	drop_big();
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
	import_is('after ten stops: resumed', "$many|0", $big);
	is(sql($state), "$many|$many|0|1", 'every document is there once');
}

# JSON, and compressed files
sub json
{
	my ($separator, @ids) = @_;
	return join($separator, map { '{' . json_id($_) . ',"pad":"' . 'x' x 60 . '"}' } @ids);
}
my @half = (1 .. 200_000);
for (
	[ 'lines.json', json("\n", @half) ],
	[ 'elements.json', '[' . json(',', @half) . ']' ],
	[ 'zipped.bson.gz', compress(documents(60, @half)) ])
{
	my ($name, $content) = @$_;
	my $table = $name =~ s/\..*//r;
	my $file = write_file($name, $content);
	kill_held($file, 199_000);
	my $there = sql("SELECT documents FROM objectid_import WHERE source = '$name'");
	cmp_ok($there, '>', 0, "$name: interrupted after $there documents");
	is(sql("SELECT count(*) FROM $table"), $there, "$name: which are there");
	import_is("$name: resumed", '200000|0', $file);
	is(sql("SELECT count(*), count(DISTINCT doc->'_id') FROM $table"),
		'200000|200000', "$name: every document is there once");
	unlink $file;
}

# A pipe is loaded in one transaction
{
	sql('CREATE TABLE piped (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(sprintf(q{BEGIN; INSERT INTO piped VALUES ('%s', '{}')}, hex_id(390_000)));
	my ($running) = start_import($big, qw(--format bson -t piped -));
	wait_for_lock(1);

	# which creates a table, but does not hold up a load that creates another one
	my ($beside) = start_import('/dev/null', write_file('beside.bson', bson(id(1))));
	ok( $node->poll_query_until(
			'postgres',
			q{SELECT EXISTS (SELECT FROM objectid_import WHERE target = 'public.beside' AND finished IS NOT NULL)}),
		'a load beside a pipe does not wait for it');
	$running->signal('KILL');
	release_held($running, $holder);
	$beside->finish;
	is( sql(q{SELECT count(*), to_regclass('piped_rejected'), (SELECT count(*) FROM objectid_import WHERE target = 'public.piped') FROM piped}
		),
		'0||0',
		'nothing remains of an interrupted pipe');
}

# A pipe of many batches needs no more locks than one of a few
for my $what ('--upsert', 'row by row')
{
	my $upsert = $what eq '--upsert';
	sql('DROP TABLE IF EXISTS long, long_rejected; CREATE TABLE long (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	my $long = write_file('long.bson', documents(0, (1 .. 3000, $upsert ? () : 1)));
	local $ENV{OBJECTID_IMPORT_WINDOW} = 500;
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(sprintf(q{BEGIN; INSERT INTO long VALUES ('%s', '{}')}, hex_id(2990)));
	sql(sprintf(q{INSERT INTO long VALUES ('%s', '{}')}, hex_id(1))) if !$upsert;
	my ($running, $output) =
	  start_import($long, qw(--format bson -t long), $upsert ? '--upsert' : '--max-rejected=2', '-');
	wait_for_lock(1);
	cmp_ok(
		sql(q{SELECT max(locks) FROM (SELECT count(*) AS locks FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE application_name = 'objectid-import' GROUP BY pid) AS l}
		),
		'<', 150,
		"a pipe of some hundred batches, $what: locks");
	is(release_held($running, $holder), 0, 'and it ends') or diag($$output);
	is(sql('SELECT count(*) FROM long'), 3000, 'with all documents');
}

# Progress
{
	drop_big();
	local $ENV{OBJECTID_IMPORT_WINDOW} = 500_000;
	my ($running, $holder, $output) = start_held($big, 390_000, '-P');
	wait_for_output($running, $output, qr/^loading: /m);
	my $size = int(length($documents) / 1e6);
	like(
		$$output,
		qr/^loading: (9[0-9]|0) % of $size MB, \d+ documents, \d+\.\d MB\/s(, \d+:\d\d left)?$/m,
		'--progress shows lines if there is no terminal');
	$running->signal('KILL');
	release_held($running, $holder);
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
	for my $format (qw(bson json rejected))
	{
		my %peak;
		for my $times (1, 6)
		{
			my $last = $times * 100_000;
			my $content = $format eq 'bson' ? documents(60, 1 .. $last) : json("\n", 1 .. $last);
			$content .= "{}\n" x $last if $format eq 'rejected';
			my $file = write_file("memory_$format$times." . ($format eq 'bson' ? 'bson' : 'json'), $content);
			($peak{$times}, my $status) = peak($file, $last);
			is($status, $format eq 'rejected' ? 3 : 0, "$times times 100,000 documents of $format");
			unlink $file;
		}
		cmp_ok($peak{6}, '<', $peak{1} + 2048,
			"$format: memory does not grow with the file ($peak{1} and $peak{6} kB)");
		cmp_ok($peak{6}, '<', 50_000, "$format: and is not much");
	}

	# nor with the reasons why the server refuses documents
	sql(q{CREATE TABLE refused (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (doc->>'n' = '0'))});
	my ($peak) = peak(write_file('refused.bson', documents(0, 1 .. 100_000, 0)), 0, '--max-rejected=100000');
	cmp_ok($peak, '<', 30_000, "memory with refused documents ($peak kB)");
}

done_testing();
