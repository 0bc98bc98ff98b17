# objectid-import: an import that is interrupted is continued, so that every document is
# in the table once; and its memory does not grow with the file.
use lib 't';
use ImportTest;

set_up();

my $many = 400_000;
my $pad = 'x' x 60;
my $documents = join('', map { bson(id($_), string('pad', $pad)) } 1 .. $many);

# kill -9 in mid-load.  Another session holds back an id of a later batch, so that
# we know where the import stands.
my $big = write_file('big.bson', $documents);

# Start an import and stop it, by a signal or by its connection's end, where it waits for $id
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
		$running->kill_kill(grace => 0);
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
my $offset = 0;
for (
	[ 150_000, 'KILL' ],
	[ 200_000, 'terminate', 1, qr/connection was lost.*\nRun the same command again/ ],
	[ 250_000, 'INT', 130, qr/interrupted at byte \d+; run the same command again/ ],
	[ 380_000, 'KILL' ])
{
	my ($id, $how, $expected, $message) = @$_;
	my ($status, $err) = interrupt($id, $how);
	is($status, $expected, "$how: exit status") if defined $expected;
	like($err, $message, "$how: message") if defined $message;
	my ($at, $loaded) = split(/\|/, sql('SELECT byte_offset, documents FROM objectid_import'));
	ok($at > $offset && $loaded < $many, "$how: stands at document $loaded");
	is(sql('SELECT count(*) FROM big'), $loaded, "$how: and that many are in the table");
	is($at, $loaded * length($documents) / $many, "$how: the offset is theirs");
	$offset = $at;
}

# another file of that name is no continuation
write_file('big.bson', substr($documents, 0, length($documents) / 2));
my ($status, undef, $err) = run_import('', $big);
is($status, 1, 'another file of that name is refused');
like($err, qr/another big\.bson \(\d+ bytes\) into "public"\."big" was interrupted/, 'with a message');
my $flipped = $documents;
substr($flipped, -10, 1) = 'y';
write_file('big.bson', $flipped);
is((run_import('', $big))[0], 1, 'even if it differs in one byte near its end');
write_file('big.bson', $documents);

my ($continued, $out, $notice) = run_import('', $big);
is($continued, 0, 'the import is continued');
like($notice, qr/continuing at byte $offset/, 'from where it stood');
is( sql('SELECT count(*), count(DISTINCT _id), (SELECT count(*) FROM big_rejected), (SELECT count(*) FROM objectid_import) FROM big'
	),
	"$many|$many|0|0",
	'every document is there once, none is rejected');

# A file that becomes shorter in mid-load, by whole documents, is not at its end
{
	my $shrinking = write_file('shrinking.bson', $documents);
	my ($running, $holder, $output) = start_held($shrinking, 1);
	truncate($shrinking, length($documents) / 2) or die "$shrinking: $!";
	$holder->query_safe('ROLLBACK');
	$running->finish;
	is($? >> 8, 1, 'a file that is cut short in mid-load is refused');
	like($$output, qr/shrinking\.bson was changed while it was being loaded/, 'with a message');
	$holder->quit;
	is(sql(q{SELECT count(*) FROM objectid_import WHERE source = 'shrinking.bson'}), 1, 'and known to be unfinished');
	sql(q{DELETE FROM objectid_import WHERE source = 'shrinking.bson'});
}

# --restart: from the beginning, so that what was loaded is a duplicate now
sql('DELETE FROM big WHERE _id >= \'' . hex_id(300_000) . q{'});
interrupt(300_000, 'KILL');
my $before = sql('SELECT documents FROM objectid_import');
($status) = run_import('', '--restart', $big);
is($status, 0, '--restart');
is(sql('SELECT count(*), count(DISTINCT _id), (SELECT count(*) > ' . $many . ' FROM big_rejected) FROM big'),
	"$many|$many|t", 'loses nothing');
cmp_ok($before, '>', 0, 'though batches had been loaded');

# Memory does not grow with the file
SKIP:
{
	skip 'no /proc to read the memory from', 4 unless -r '/proc/self/status';
	my %peak;
	for my $times (1, 10)
	{
		my $file = write_file("memory$times.bson", '');
		open(my $handle, '>:raw', $file) or die;
		print $handle map { bson(id($_), string('pad', $pad)) } ($_ - 1) * 100_000 + 1 .. $_ * 100_000 for 1 .. $times;
		close($handle);

		# it waits for the id of the last document
		my ($running, $holder) = start_held($file, $times * 100_000);
		($peak{$times}) = slurp_file("/proc/$running->{KIDS}[0]{PID}/status") =~ /VmHWM:\s+(\d+) kB/;
		$holder->query_safe('ROLLBACK');
		ok($running->finish, "$times times 100,000 documents");
		$holder->quit;
		unlink $file;
	}
	cmp_ok($peak{10}, '<', $peak{1} + 2048, "memory does not grow with the file ($peak{1} and $peak{10} kB)");
	cmp_ok($peak{10}, '<', 50_000, 'and is not much');
}

done_testing();
