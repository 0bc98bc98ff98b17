# objectid-import: the file, the tables, the role or the schema change before or during a load, it
# meets a deadlock, or loses its session.  It does not crash, its exit status is 0 only if all
# documents are in the table, and the next run, as its hint says, loads the others.
use strict;
use warnings FATAL => 'all';
use IO::Compress::Gzip qw(gzip);
use lib                qw(testlib import/t);
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
	my ($running, $output) = start_import($arguments[-1] eq '-' ? "$work/t.bson" : '/dev/null', @arguments);
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

# The file changes after its check, or during its load.
sub json_lines
{
	return join('', map { '{' . json_id($_) . qq(,"n":$_,"pad":") . 'x' x 60 . "\"}\n" } @_);
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
	'file.json' => \&json_lines,
	'file.bson.gz' => sub { store(documents(1200, @_)) });

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
			is(complete('file', $old, $path), '', "$what: and then the old one");
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
	is(compare_documents('one', $contents[0]), '', 'the other one is loaded');
	is(complete('two', $contents[1], $paths[1]), '', 'and this one by the next run');
}

# The tables, the rights, the role or the schema change.  Every 50th document is rejected.
my @ids = (1 .. 800);
my $content = join('', map { bson(id($_), int32('n', $_), string('s', $_ % 50 ? 'x' x 60 : "\0")) } @ids);
my $file = write_file('t.bson', $content);
my $role = 'regress_objectid_loader';
my $grant = "CREATE SCHEMA IF NOT EXISTS s; GRANT ALL ON SCHEMA s TO $role";
sql(qq{
CREATE ROLE $role LOGIN;
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN RETURN CASE WHEN NEW.doc->>'n' !~ '7\$' THEN NEW END; END \$\$}
);

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

# Each change; the exit status and the message of a load if the change comes before it, and during
# it; what undoes the change; an option
for (split(/\n/, <<"END"))
DROP TABLE s.t | 3 | 1 relation "s.t" does not exist
ALTER TABLE s.t RENAME TO u | 3 | 1 relation "s.t" does not exist
TRUNCATE s.t | 3 | 1 --restart
ALTER TABLE s.t ADD c int NOT NULL DEFAULT 1 | 3 | 3
ALTER TABLE s.t DROP doc | 1 It has no column "doc" | 1 column "doc" | DROP TABLE s.t
ALTER TABLE s.t ALTER _id TYPE text USING _id::text | 3 | 1 --restart | DROP TABLE s.t
ALTER TABLE s.t DROP CONSTRAINT t_pkey | 1 cannot be loaded | 3 | ALTER TABLE s.t ADD PRIMARY KEY (_id)
ALTER TABLE s.t ADD CHECK (doc->>'n' !~ '7\$') NOT VALID | 3 | 3
ALTER TABLE s.t ENABLE ROW LEVEL SECURITY | 1 Row-level security | 1 row-level security | ALTER TABLE s.t DISABLE ROW LEVEL SECURITY
CREATE TRIGGER keep BEFORE INSERT ON s.t FOR EACH ROW EXECUTE FUNCTION keep() | 3 | 3
DROP TABLE s.objectid_import | | 1 objectid_import
DELETE FROM s.objectid_import | | 1 objectid_import
DROP TABLE s.t_rejected | | 1 t_rejected
DROP TABLE s.objectid_import, s.t | | 1 objectid_import
REVOKE INSERT ON s.t FROM $role | 1 permission denied for table t | 1 permission denied for table t | GRANT ALL ON s.t TO $role
REVOKE UPDATE ON s.t FROM $role | 1 permission denied for table t | 3 | GRANT ALL ON s.t TO $role | --upsert
REVOKE INSERT ON s.t_rejected FROM $role | | 1 permission denied for table t_rejected | GRANT ALL ON s.t_rejected TO $role
REVOKE UPDATE ON s.objectid_import FROM $role | | 1 permission denied for table objectid_import | GRANT ALL ON s.objectid_import TO $role
REVOKE DELETE ON s.objectid_import FROM $role | 1 permission denied for table objectid_import | | GRANT ALL ON s.objectid_import TO $role | --restart
REVOKE CREATE ON SCHEMA s FROM $role | 1 permission denied for schema s | 3 | $grant
REVOKE ALL ON SCHEMA s FROM $role | 1 permission denied for schema s | 1 permission denied for schema s | $grant
ALTER ROLE $role NOLOGIN | 1 not permitted to log in | 1 not permitted to log in | ALTER ROLE $role LOGIN
ALTER ROLE $role CONNECTION LIMIT 0 | 1 too many connections | 1 too many connections | ALTER ROLE $role CONNECTION LIMIT -1
ALTER SCHEMA s RENAME TO r | 1 permission denied | 1 schema "s" does not exist | ALTER SCHEMA r RENAME TO s
DROP SCHEMA s CASCADE | 1 permission denied | 1 schema "s" does not exist | $grant
END
{
	my ($change, $before, $during, $undo, @options) = split(/ *\| */);
	for ([ 'before', $before, $preparation ], [ 'during', $during, row('s.t', 610) ])
	{
		my ($moment, $expected, $lock) = @$_;
		my ($status, $message) = $expected =~ /(\d) ?(.*)/ or next;
		my @load = ('-U', $role, qw(-j 2 -t s.t), @options, $file);
		my $what = "$change $moment the load";
		clear();
		run_import(@load) if $change =~ /DELETE ON/;
		my ($running, $output) = start_waiting($lock, @load);
		wait_until('EXISTS (SELECT FROM s.objectid_import WHERE part = 0 AND finished IS NOT NULL)')
		  if $moment eq 'during';
		start_change($change);
		like(finish($running) . ": $$output", qr/^$status: .*\Q$message\E/s, "$what: exit status and message");
		$other->query_safe('SELECT 1');
		is(join('', not_loaded('s.t', $content)), '', "$what: all documents are there") if $status eq 3;
		ask($undo) if $undo;
		# what has been rejected has gone with its table
		unshift @load, '--restart' if $change =~ /t_rejected$/;
		is(complete('s.t', $content, @load), '', "$what: the next run loads all documents");
	}
}

# --drop creates the new tables in the transaction that drops the old ones
my $there =
  'SELECT (SELECT count(*) FROM s.t), (SELECT count(*) FROM s.t_rejected), (SELECT count(*) FROM s.objectid_import)';
{
	clear();
	ask('DROP TABLE s.t');
	my @load = ('-U', $role, qw(-j 2 -t s.t), $file);
	import_is('a load that creates its table', '784|16', @load);
	ask("REVOKE CREATE ON SCHEMA s FROM $role");
	my $before = ask($there);
	import_fails('--drop without the right to create', qr/permission denied for schema s/, '--drop', @load);
	is(ask($there), $before, 'has dropped nothing');
	ask("GRANT CREATE ON SCHEMA s TO $role");
	import_is('with the right', '784|16', '--drop', @load);

	# one of two collections
	write_file("dump/$_/t.bson", $content) for 's', 'r';
	ask("CREATE SCHEMA r; GRANT ALL ON SCHEMA r TO $role");
	import_is('two collections', '784|16 784|16', '--drop', '-U', $role, "$work/dump");
	ask("REVOKE CREATE ON SCHEMA s FROM $role");
	$before = ask($there);
	my ($status, $out, $err) = run_import('--drop', '-U', $role, "$work/dump");
	like("$status: $err", qr/^1: .*permission denied for schema s/s, '--drop without the right to create one of two');
	is(ask($there), $before, 'has dropped nothing of this one');
	is(compare_documents('r.t', $content), '', 'and has loaded the other one');

	sql('CREATE DATABASE bare');
	local @ImportTest::command = ($ImportTest::command[0], '-d', $node->connstr('bare'));
	import_is('a database without the type objectid',
		'1|0', '--drop', '-t', 't', write_file('t2/t.bson', bson(string('_id', 'x'))));
	import_fails('--drop with keys of that type', qr/does not have the type objectid/, '--drop', '-t', 't', $file);
	my ($failed, $rows) = $node->psql('bare', $there =~ s/\bs\.//gr);
	is($rows, '1|0|1', 'has dropped nothing');
}

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
	[ 'at the rows', '10ms', join('; ', 'BEGIN', row('s.t', 412), row('s.t', 408), 'ROLLBACK') ],
	[
		'at the rows of a pipe',
		'10ms',
		join('; ', 'BEGIN', row('s.t', 412), row('s.t', 408), 'ROLLBACK'),
		qw(--format bson -)
	])
{
	my ($what, $timeout, $statements, @options) = @$_;
	my $log = -s $node->logfile;
	clear();
	local $ENV{PGOPTIONS} = "-c deadlock_timeout=$timeout";
	local $ENV{OBJECTID_IMPORT_WINDOW} = 1_000_000 if $what =~ /rows/;
	my ($running, $output) = start_waiting(row('s.t', 410), '-t', 's.t', @options ? @options : $file);
	start_change($statements);
	is(finish($running), 3, "a deadlock $what: the load goes on") or diag($$output);
	$other->query_safe('SELECT 1');
	is(compare_documents('s.t', $content), '', 'all documents are there');
	like(slurp_file($node->logfile, $log), qr/deadlock detected/, 'there was one');
}

# The session of a load ends while it waits for a lock
for (
	[ 'the lock of the table', q{SELECT pg_advisory_xact_lock(hashtextextended('objectid-import s.t', 0))} ],
	[ 'the preparation', $preparation ],
	[ 'the lock of batches', $batch ],
	[ '--drop', 'LOCK s.t', '', '--drop' ],
	[ 'the table', 'LOCK s.t IN SHARE MODE' ],
	[ 'the table of rejected documents', 'LOCK s.t_rejected IN SHARE MODE' ],
	[ 'the record', 'LOCK s.objectid_import IN SHARE MODE' ],
	[ 'a document', row('s.t', 410) ],
	[ 'a document of a pipe', row('s.t', 410), '', qw(--format bson -) ],
	[ 'rejected documents', row('s.t', 410), 'LOCK s.t_rejected' ],
	[ 'the record of a batch', row('s.t', 410), 'LOCK s.objectid_import' ],
	[ 'ANALYZE', 'LOCK s.t IN SHARE UPDATE EXCLUSIVE MODE' ])
{
	my ($what, $lock, $next, @options) = @$_;
	my @load = ('-t', 's.t', @options, $what =~ /pipe/ ? () : $file);
	clear();
	run_import('-t', 's.t', write_file('first.bson', bson(id(5000), int32('n', 5000))));
	my ($running, $output) = start_waiting($lock, @load);
	if ($next)
	{
		$other->query_safe("BEGIN; $next");
		$holder->query_safe('ROLLBACK');
		wait_until(
			qq{EXISTS (SELECT FROM pg_locks AS l JOIN pg_stat_activity USING (pid) WHERE application_name = 'objectid-import' AND NOT granted AND l.relation = '}
			  . ($next =~ s/LOCK //r)
			  . q{'::regclass)});
	}
	ask(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'objectid-import' AND wait_event_type = 'Lock'}
	);
	$other->query_safe('ROLLBACK') if $next;
	my $status = finish($running);
	if ($what eq 'ANALYZE')
	{
		like("$status: $$output", qr/^3: .*warning: /s, "$what: a session that ends is a warning");
	}
	else
	{
		like(
			"$status: $$output",
			qr/^1: .*error: .*connection.*hint: .*run the same command/is,
			"$what: a session that ends is an error");
	}
	is(complete('s.t', $content, $what =~ /pipe/ ? (@load, $content) : @load),
		'', "$what: the next run loads all documents");
}

# A table is dropped while a load waits for a lock.  The query that inspects the table reads pg_rewrite.
for (
	[ 'LOCK pg_rewrite', 'DROP TABLE s.t' ],
	[ 'LOCK s.t', 'DROP TABLE s.t' ],
	[ 'LOCK s.t', 'DROP TABLE s.objectid_import' ],
	[ 'LOCK s.t', 'DROP SCHEMA s CASCADE' ],
	[ 'LOCK s.t_rejected', 'DROP TABLE s.t_rejected' ],
	[ 'LOCK s.objectid_import', 'DROP TABLE s.objectid_import' ])
{
	my ($lock, $drop) = @$_;
	for my $option ('--upsert', '--drop')
	{
		# a deadlock, of which either can be the victim
		next if "$option $lock" eq '--drop LOCK s.t' && $drop ne 'DROP TABLE s.t';
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
		is(join('', not_loaded('s.t', $content)), '', 'all documents are there') if $status eq 3;
		is(complete('s.t', $content, '-t', 's.t', $file), '', 'or after the next run') if $drop !~ /rejected/;
	}
}

done_testing();
