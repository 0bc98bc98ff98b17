# objectid-import: the file, the tables, the role or the schema change before, during or after a load, it
# meets a deadlock, or others load at the same time.  It does not crash, its exit status is 0 only if all
# documents are in the table, and the next run, as its hint says, loads the others.
# Takes long.
use strict;
use warnings FATAL => 'all';
use IO::Compress::Gzip qw(gzip);
use ImportTest;

set_up();
local $ENV{OBJECTID_IMPORT_WINDOW} = 8000;
my ($holder, $other) = map { $node->background_psql('postgres') } 1, 2;
for ($holder, $other)
{
	$_->set_query_timer_restart;
	$_->query_safe('SET client_min_messages = error');

	# of a deadlock, the load is the victim
	$_->query_safe(q{SET deadlock_timeout = '1h'});
}

# Start a load, and wait until it waits for the lock that the holder takes by this statement.
sub start_waiting
{
	my ($lock, @arguments) = @_;
	$holder->query_safe("BEGIN; $lock");
	my ($running, $output) = start_import('/dev/null', @arguments);
	wait_until($waits);
	return ($running, $output);
}
my $preparation = q{SELECT pg_advisory_xact_lock(hashtextextended('objectid-import', 0))};

sub row
{
	my ($table, $n) = @_;
	return sprintf(q{INSERT INTO %s VALUES ('%s', '{}')}, $table, hex_id($n));
}

# Let it go on.  Returns its exit status.
sub finish
{
	my ($running, $statement) = @_;
	$holder->query_safe($statement // 'ROLLBACK');
	$running->finish;
	return $? & 127 ? 'signal ' . ($? & 127) : $? >> 8;
}

# Which documents of a file are not in the table?
sub not_loaded
{
	return grep { /missing/ } split(/, (?=\d+ too)/, compare_documents(@_));
}

# Load, again with --restart if that is the hint.  Returns what is wrong: it fails, or documents are missing.
sub complete
{
	my ($table, $content, @arguments) = @_;
	my ($status, $out, $err) = run_import(@arguments);
	($status, $out, $err) = run_import('--restart', @arguments) if $status eq '1' && $err =~ /hint: .*--restart/;
	return join(', ', $status =~ /^[03]$/ ? () : "exit status $status, $err", not_loaded($table, $content));
}

sub store
{
	my ($content) = @_;
	gzip(\$content => \my $compressed, -Level => 0) or die;
	return $compressed;
}
my @old = (1001 .. 1800);
my @new = (3001 .. 3800);
my %form = (
	'file.bson' => sub { documents(60, @_) },
	'file.json' => sub { json_documents(60, @_) },
	'file.bson.gz' => sub { store(documents(1200, @_)) });

# The file changes after its check, or during its load.
sub change
{
	my ($path, $content, $how) = @_;
	return rename(write_file('new', $content), $path) || die if $how eq 'replaced';
	open(my $file, '+<:raw', $path) or die;
	print $file $content;
	truncate($file, length($content));
	close($file) or die;
}

for my $name (sort keys %form)
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 80_000 if $name =~ /gz/;
	for ([ 'replaced', @new ], [ 'overwritten', @new ], [ 'grown', @old, 4000 ], [ 'shortened', @old[ 0 .. 399 ] ])
	{
		my ($how, @ids) = @$_;
		next if $name ne 'file.bson' && $how ne 'overwritten';
		for my $moment ('before', 'during')
		{
			my ($old, $new) = map { $form{$name}->(@$_) } \@old, \@ids;
			my $path = write_file($name, $old);
			my $what = "$name is $how $moment its load";
			ask('DROP TABLE IF EXISTS file, file_rejected, objectid_import; CREATE TABLE file (_id objectid PRIMARY KEY, doc jsonb NOT NULL)'
			);
			my ($running, $output) = start_waiting($moment eq 'before' ? $preparation : row('file', 1200), $path);
			change($path, $new, $how);
			like(
				finish($running) . ": $$output",
				qr/^1: .*error: file ".*" has changed/s,
				"$what: exit status and message");
			unlike(compare_documents('file', $old), qr/too many/, "$what: no other document is loaded with it");
			is(complete('file', $new, $path), '', "$what: then the new file is loaded");
			change($path, $old, $how);
			is(complete('file', $old, $path), '', "$what: then the old file is loaded");
		}
	}
}

# One file of a dump
{
	my @contents = map { documents(60, @$_) } \@old, \@new;
	my @paths = map { write_file("public/$_.bson", $contents[0]) } qw(one two);
	my ($running, $output) = start_waiting($preparation, '-j', 2, "$work/public");
	change($paths[1], $contents[1], 'replaced');
	like(
		finish($running) . ": $$output",
		qr/^1: .*error: file "\Q$paths[1]\E" has changed/s,
		'one file of a dump is replaced');
	is(compare_documents('one', $contents[0]), '', 'one file of a dump is replaced: the other one is loaded');
	is(complete('two', $contents[1], $paths[1]), '', 'one file of a dump is replaced: the next run loads it');
}

# The tables, the rights, the role or the schema change.  Every 50th document is rejected.
my @ids = (1 .. 800);
my $content = join('', map { bson(id($_), int32('n', $_), string('s', $_ % 50 ? 'x' x 60 : "\0")) } @ids);
my $file = write_file('t.bson', $content);
my $role = 'regress_objectid_loader';
my $grant = "CREATE SCHEMA IF NOT EXISTS s; GRANT ALL ON SCHEMA s TO $role";
sql("CREATE ROLE $role LOGIN");

sub clear
{
	ask("DROP SCHEMA IF EXISTS s CASCADE; $grant; CREATE TABLE s.t (_id objectid PRIMARY KEY, doc jsonb NOT NULL); GRANT ALL ON s.t TO $role"
	);
}

# Change something while a load waits before it prepares its tables, or in a batch.  A change
# that needs a lock which the batch has comes right after it.
sub start_change
{
	my ($statement) = @_;
	$other->query_safe('SET application_name = changing');
	$other->{stdin} .= "$statement;\nSET application_name = changed;\n";
	$other->{run}->pump_nb while length($other->{stdin});
	wait_until(
		q{EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'changed' OR application_name = 'changing' AND wait_event_type = 'Lock')}
	);
}

# Each change; how a load ends if the change comes before it, and during it; what undoes the change
my @scenarios = (
	{ change => 'DROP TABLE s.t', before => qr/^3: /, during => qr/^1: .*relation "s\.t" does not exist/s },
	{ change => 'TRUNCATE s.t', before => qr/^3: /, during => qr/^1: (?!.*Run the same).*--restart/s },
	{
		change => 'ALTER TABLE s.t DROP doc',
		before => qr/^1: .*It has no column "doc"/s,
		during => qr/^1: .*column "doc"/s,
		undo => 'DROP TABLE s.t'
	},
	{
		change => q{ALTER TABLE s.t DROP doc, ADD doc jsonb NOT NULL DEFAULT '{}'},
		during => qr/^1: .*table s\.t, or its column "doc", was replaced during the load\n.*hint: Use --truncate/s,
		undo => 'TRUNCATE s.t'
	},
	{
		change => 'CREATE RULE r AS ON INSERT TO s.t DO INSTEAD NOTHING',
		before => qr/^1: .*It has a rule/s,
		during => qr/^1: .*It has a rule/s,
		undo => 'DROP RULE r ON s.t'
	},
	{
		change => 'ALTER TABLE s.t ALTER _id TYPE text USING _id::text',
		before => qr/^3: /,
		during => qr/^1: .*--restart/s,
		undo => 'DROP TABLE s.t'
	},
	{
		change => 'ALTER TABLE s.t DROP CONSTRAINT t_pkey',
		before => qr/^1: .*cannot be loaded/s,
		during => qr/^3: /,
		undo => 'ALTER TABLE s.t ADD PRIMARY KEY (_id)'
	},
	{ change => q{ALTER TABLE s.t ADD CHECK (doc->>'n' !~ '7$') NOT VALID}, before => qr/^3: /, during => qr/^3: / },
	{
		change => 'ALTER TABLE s.t ENABLE ROW LEVEL SECURITY',
		before => qr/^1: .*Row-level security/s,
		during => qr/^1: .*row-level security/s,
		undo => 'ALTER TABLE s.t DISABLE ROW LEVEL SECURITY'
	},
	{ change => 'DROP TABLE s.objectid_import', during => qr/^1: .*objectid_import/s },
	{ change => 'DELETE FROM s.objectid_import', during => qr/^1: .*record in table s\.objectid_import is missing/s },
	{ change => 'DROP TABLE s.t_rejected', during => qr/^1: .*t_rejected/s },
	{
		change => "REVOKE SELECT ON s.t FROM $role",
		before => qr/^1: .*permission denied for table t/s,
		undo => "GRANT ALL ON s.t TO $role"
	},
	{
		change => "REVOKE INSERT ON s.t FROM $role",
		before => qr/^1: .*permission denied for table t/s,
		during => qr/^1: .*permission denied for table t/s,
		undo => "GRANT ALL ON s.t TO $role"
	},
	{
		change => "REVOKE CREATE ON SCHEMA s FROM $role",
		before => qr/^1: .*permission denied for schema s/s,
		during => qr/^3: /,
		undo => $grant
	},
	{
		change => "ALTER ROLE $role NOLOGIN",
		before => qr/^1: .*not permitted to log in/s,
		during => qr/^1: .*not permitted to log in/s,
		undo => "ALTER ROLE $role LOGIN"
	},
	{
		change => 'DROP SCHEMA s CASCADE',
		before => qr/^1: .*permission denied/s,
		during => qr/^1: .*schema "s" does not exist/s,
		undo => $grant
	});

# run_change($moment, $lock, %scenario) - the change comes before the load or during it, when the load waits for a lock
sub run_change
{
	my ($moment, $lock, %scenario) = @_;
	my $what = "$scenario{change} $moment the load";
	my @load = ('-U', $role, qw(-j 2 -t s.t), $file);
	clear();
	my ($running, $output) = start_waiting($lock, @load);
	wait_until('EXISTS (SELECT FROM s.objectid_import WHERE part = 0 AND finished IS NOT NULL)')
	  if $moment eq 'during';
	start_change($scenario{change});
	my $status = finish($running);
	like("$status: $$output", $scenario{$moment}, "$what: exit status and message");
	$other->query_safe('SELECT 1');
	is(join('', not_loaded('s.t', $content)), '', "$what: all documents are there") if $status eq 3;
	ask($scenario{undo}) if $scenario{undo};

	# what has been rejected has gone with its table
	unshift @load, '--restart' if $scenario{change} =~ /t_rejected$/;
	is(complete('s.t', $content, @load), '', "$what: the next run loads all documents");
	return;
}
for my $scenario (@scenarios)
{
	run_change('before', $preparation, %$scenario) if $scenario->{before};
	run_change('during', row('s.t', 610), %$scenario) if $scenario->{during};
}

# --drop creates the new tables in the transaction that drops the old ones
clear();
write_file("dump/$_/t.bson", $content) for 's', 'r';
write_file('keys/t.bson', bson(string('_id', 'x')));
my $there = 'SELECT count(*), (SELECT count(*) FROM t_rejected), (SELECT min(run) FROM objectid_import) FROM t';
my $there_in_s = $there =~ s/ (?=t\b|t_|objectid_)/ s./gr;
my @drop = (run => "-U $role -j 2 --drop -t s.t t.bson");
run_scenarios(
	{
		name => 'a load that creates its table',
		sql => 'DROP TABLE s.t',
		run => "-U $role -j 2 -t s.t t.bson",
		loads => '784|16'
	},
	{
		name => '--drop without the right to create',
		sql => "REVOKE CREATE ON SCHEMA s FROM $role",
		@drop,
		fails_like => qr/permission denied for schema s/,
		gives => [ $there_in_s => '784|16|1' ]
	},
	{ name => '--drop', sql => "GRANT CREATE ON SCHEMA s TO $role", @drop, loads => '784|16' },
	{
		name => '--drop of two collections',
		sql => "CREATE SCHEMA r; GRANT ALL ON SCHEMA r TO $role",
		run => "--drop -U $role dump",
		loads => '784|16 784|16'
	},
	{
		name => '--drop without the right to create one of two',
		sql => "REVOKE CREATE ON SCHEMA s FROM $role",
		run => "--drop -U $role dump",
		fails_like => qr/permission denied for schema s/,
		gives => [ $there_in_s => '784|16|3' ]
	});
is(compare_documents('r.t', $content), '', '--drop without the right to create one of two loads the other one');
sql('CREATE DATABASE bare');
connect_to('bare');
run_scenarios(
	{ name => 'a database without the type objectid', run => '--drop -t t keys/t.bson', loads => '1|0' },
	{
		name => '--drop with keys of a type that is not there',
		run => '--drop -t t t.bson',
		fails_like => qr/does not have the type objectid/,
		gives => [ $there => '1|0|1' ]
	});
connect_to('postgres');

# processes that cannot connect, here two of four, leave the work to the others
write_file("many/s/c$_.bson", $content) for 1 .. 40;
ask("GRANT CREATE ON SCHEMA s TO $role; ALTER ROLE $role CONNECTION LIMIT 3");
my ($status, undef, $errors) = run_import('-U', $role, qw(-j 4), 'many');
is($status, $errors =~ /too many connections/ ? 1 : 3, 'fewer connections than processes');
is(join('', map { compare_documents("s.c$_", $content) } 1 .. 40),
	'', 'fewer connections than processes: all documents are loaded');
ask("ALTER ROLE $role CONNECTION LIMIT -1");

# A deadlock with an application: what that does while the load waits for a document
my $batch = q{SELECT pg_advisory_xact_lock(hashtextextended('objectid-import batch s.t', 0))};
write_file('t.bson',
	$content = join('', map { bson(id($_), int32('n', $_), string('s', /^(409|411)$/ ? "\0" : 'x' x 60)) } @ids));
for (
	[ 'at the copy of rejected documents', '10ms', 'BEGIN; LOCK s.t_rejected; LOCK s.t; COMMIT' ],
	[ 'at the record', '10ms', 'BEGIN; LOCK s.objectid_import; LOCK s.t; COMMIT' ],
	[
		'at the start of a copy',
		'2s',
		'BEGIN; LOCK s.t; DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = \'s.t\'::regclass) LOOP PERFORM pg_sleep(0.01); END LOOP; END $$; '
		  . "$batch; COMMIT"
	],
	[ 'at the rows', '10ms', join('; ', 'BEGIN', row('s.t', 412), row('s.t', 408), 'ROLLBACK') ])
{
	my ($what, $timeout, $statements) = @$_;
	my $log = -s $node->logfile;
	clear();
	local $ENV{PGOPTIONS} = "-c deadlock_timeout=$timeout";
	local $ENV{OBJECTID_IMPORT_WINDOW} = 1_000_000 if $what =~ /rows/;
	my ($running, $output) = start_waiting(row('s.t', 410), '-t', 's.t', $file);
	start_change($statements);
	is(finish($running), 3, "a deadlock $what: the load goes on") or diag($$output);
	$other->query_safe('SELECT 1');
	is(compare_documents('s.t', $content), '', "a deadlock $what: all documents are there");
	like(slurp_file($node->logfile, $log), qr/deadlock detected/, "a deadlock $what: there was one");
}

# A table is dropped while a load waits for a lock.  The query that inspects the table reads pg_rewrite.
for (
	[ 'LOCK pg_rewrite', 'DROP TABLE s.t' ],
	[ 'LOCK s.t', 'DROP TABLE s.t' ],
	[ 'LOCK s.objectid_import', 'DROP TABLE s.objectid_import' ])
{
	my ($lock, $drop) = @$_;
	for my $option ('--upsert', '--drop')
	{
		clear();
		run_import('-t', 's.t', $file);

		# new sessions may need pg_rewrite, too
		$other->query_safe("BEGIN; $preparation");
		my ($running, $output) = start_import('/dev/null', $option, '-t', 's.t', $file);
		wait_until($waits);
		$holder->query_safe("BEGIN; $lock");
		$other->query_safe('ROLLBACK');
		wait_until(
			q{EXISTS (SELECT FROM pg_stat_get_activity(NULL) WHERE application_name = 'objectid-import' AND wait_event = 'relation')}
		);
		my $status = finish($running, "$drop; COMMIT");
		like("$status: $$output", qr/^(3|1: .*error: )/s, "$option waits for $lock, then $drop");
		is(join('', not_loaded('s.t', $content)), '', "$option, $drop: all documents are there") if $status eq 3;
		is(complete('s.t', $content, '-t', 's.t', $file), '', "$option, $drop: the next run loads all");
	}
}

# Tables that lose documents, after a load and during its interruption
my $big = write_file('big.bson', documents(60, 1 .. 1200));
for my $when (qw(interrupted finished))
{
	for my $loss (q{UPDATE big SET _id = overlay(_id::text PLACING '6' FROM 1 FOR 1)::objectid WHERE doc->'n' < '101'},
		'TRUNCATE big', 'DROP TABLE big, big_rejected')
	{
		sql('DROP TABLE IF EXISTS big, big_rejected, objectid_import');
		$when eq 'interrupted' ? kill_held($big, 1100) : import_ok('a load', '1200|0', $big);
		my $lost = $loss =~ /^UPDATE/ ? 100 : sql('SELECT documents FROM objectid_import');
		sql($loss);
		my $there = ask('SELECT count(*) FROM big');    # or nothing
		import_fails(
			"$when, and then $loss",
			qr/error: table public\.big has lost documents that were loaded from "big\.bson"\n.*detail: $lost documents of the file are neither in the table nor rejected.*\n.*hint: Use --restart/,
			$big);
		is(ask('SELECT count(*) FROM big'), $there, "$when, and then $loss: nothing is changed");
	}
}
import_is('--restart loads what is missing', '1200|0', '--restart', $big);
sql('DELETE FROM objectid_import; TRUNCATE big, big_rejected');

# A run that has loaded nothing blocks nothing; one that has blocks a different file of the name
kill_held($big, 1);
write_file('elsewhere/big.bson', documents(0, 1 .. 10));
is(sql('SELECT next_offset, documents FROM objectid_import'), '0|0', 'a run that has loaded nothing');
run_scenarios(
	{
		name => 'a different file of the name of a run that has loaded nothing',
		run => 'elsewhere/big.bson',
		loads => '10|0',
		gives => [ 'SELECT count(*), min(documents) FROM objectid_import' => '1|10' ]
	});
kill_held($big, 1100);
my $state = 'SELECT count(*), (SELECT string_agg(i::text, E\'\n\') FROM objectid_import AS i) FROM big';
my $before = sql($state);

for ([ 'half of it', documents(60, 1 .. 600) ], [ 'a file that differs in one byte', documents(60, 1 .. 1199, 1201) ])
{
	my ($what, $different) = @$_;
	import_fails(
		"$what, while one is unfinished",
		qr/error: the load of a different file "big\.bson" into table public\.big was interrupted\n.*detail: That file has \d+ bytes.*\n.*hint: .*--truncate, or --restart/,
		write_file('elsewhere/big.bson', $different));
	is(sql($state), $before, "$what, while one is unfinished: nothing is changed");
}
import_is('the file itself is resumed', '1190|10', $big);

# Several imports at a time, in many batches
my $shared = write_file('shared.bson', documents(400, 1 .. 400));
my $backwards = write_file('backwards.bson', documents(400, reverse 201 .. 600));
my $one = write_file('one.bson', documents(400, 601 .. 800));
my $two = write_file('two.bson', documents(400, reverse 601 .. 800) . bson(id(801), string('s', "\0")));
my $counts = 'SELECT count(*), (SELECT count(*) FROM shared_rejected) FROM shared';

# together($lock, [ arguments ], ...) - run several imports at a time, with $two as standard
# input.  Another session holds a lock until all of them wait.  Their exit statuses, sorted,
# and what they print.
sub together
{
	my ($lock, @imports) = @_;
	$holder->query_safe("BEGIN; $lock");
	my @running;
	for (@imports)
	{
		push @running, [ start_import($two, @$_) ];
		wait_for_lock(scalar @running);
	}
	$holder->query_safe('ROLLBACK');
	my @statuses = sort map { $_->[0]->finish; $? >> 8 } @running;
	return ("@statuses", join('', map { ${ $_->[1] } } @running));
}

sql('CREATE TABLE shared (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
my ($statuses, $output) = together(row('shared', 300), [$shared], [$shared]);
is($statuses, '0 0', 'two imports of one file: exit status') or diag($output);
like(
	$output,
	qr/waiting for another import into table public\.shared to end\n.*already loaded/s,
	'two imports of one file: one waits, and finds it loaded');
is(sql($counts), '400|0', 'two imports of one file: it is loaded once');

sql('TRUNCATE shared; DELETE FROM objectid_import');
($statuses, $output) = together(row('shared', 300), [$shared], [ '-t', 'shared', $backwards ]);
is($statuses, '0 3', 'two files with common ids into one table: exit status') or diag($output);
is(sql("$counts WHERE NOT EXISTS (SELECT FROM shared_rejected WHERE reason NOT LIKE 'duplicate%')"),
	'600|200', 'two files with common ids: every document is in the table or in the side table');
my @all = ('--max-rejected=300', '-t', 'shared');
($statuses, $output) = together(row('shared', 700), [ '-j', 2, @all, $one ], [ @all, $two ]);
is($statuses, '0 0', 'two files with common ids, with jobs: exit status') or diag($output);
is(sql($counts), '800|401', 'two files with common ids, with jobs: every document is there');

# A file and standard input into a new table
my @imports = ([ @all, $one ], [ qw(--format bson), @all, '-' ]);
for (\@imports, [ reverse @imports ])
{
	sql('DROP TABLE shared, shared_rejected, objectid_import');
	($statuses, $output) =
	  together(q{SELECT pg_advisory_xact_lock(hashtextextended('objectid-import public.shared', 0))}, @$_);
	is($statuses, '0 0', 'a file and standard input into a new table: exit status') or diag($output);
	is(sql($counts), '200|201', 'a file and standard input into a new table: every document is there');
}

# Two into different new tables, whose records go into one table that is new as well
sql('DROP TABLE objectid_import');
my @running = map { [ start_import($two, '-t', "fresh$_", $one) ] } 1, 2;
is(join(' ', map { $_->[0]->finish; $? >> 8 } @running),
	'0 0', 'two imports that create a table of records: exit status')
  or diag(map { ${ $_->[1] } } @running);
is( sql('SELECT (SELECT count(*) FROM fresh1) + (SELECT count(*) FROM fresh2), (SELECT count(*) FROM objectid_import)'),
	'400|2', 'two imports that create a table of records: both are loaded');

# A dump and a file of its schema wait for each other
write_file("later/public/$_.bson", documents(0, 1)) for qw(dumped other);
my @both = (["$work/later/public"], [ write_file('beside.bson', documents(0, 1)) ]);
for (\@both, [ reverse @both ])
{
	sql('DROP TABLE IF EXISTS beside, dumped, other; DELETE FROM objectid_import');
	sql("CREATE TABLE $_ (_id objectid PRIMARY KEY, doc jsonb NOT NULL)") for qw(beside dumped);
	($statuses, $output) = together(join(';', map { row($_, 1) } qw(beside dumped)), @$_);
	like($output, qr/waiting for another import into schema public to end/, 'a dump and a file: one waits');
}

# The table is emptied right after a load, and a signal ends the comparison that finds this out
{
	my $path = write_file('emptied.bson', documents(60, 1 .. 9));
	import_is('a load', '9|0', $path);
	sql(q{
CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END';
CREATE TRIGGER wait_here AFTER UPDATE ON objectid_import FOR EACH ROW EXECUTE FUNCTION wait_here()});
	my ($running, $output) = start_waiting('SELECT pg_advisory_xact_lock(1)', qw(--restart --upsert), $path);
	$other->query_until(qr//, "BEGIN; LOCK TABLE objectid_import;\n");
	wait_until(q{EXISTS (SELECT FROM pg_locks WHERE relation = 'objectid_import'::regclass AND NOT granted)});
	$holder->query_safe('ROLLBACK');
	$other->query_safe('TRUNCATE emptied');
	wait_until($waits);
	$running->signal('INT');
	wait_for_output($running, $output, qr/finishing this batch/);
	$other->query_safe('COMMIT');
	$running->finish;
	like(
		($? >> 8) . ": $$output",
		qr/^1: .*error: not all of "emptied\.bson" could be compared/s,
		'a table is emptied after a load, and the comparison interrupted');
}

done_testing();
