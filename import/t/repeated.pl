# objectid-import: what was loaded before is known, as long as it is still there; and
# several imports at a time wait for each other.
use strict;
use warnings FATAL => 'all';
use lib qw(testlib import/t);
use ImportTest;

set_up();

# state($table) - what is there of a table, to see that nothing has changed
sub state
{
	my ($table) = @_;
	return join("\n",
		map { sql("SELECT count(*), min(_::text), max(_::text), sum(hashtext(_::text)) FROM $_ AS _") } $table,
		"${table}_rejected", 'objectid_import');
}
my $file = write_file('file.bson', documents(0, 1 .. 100, 1));

# A file that has been loaded
import_ok('a file', '100|1', $file);
my $before = state('file');
for my $path ($file, write_file('elsewhere/file.bson', documents(0, 1 .. 100, 1)))
{
	like(
		import_is("the same file, $path", '100|1', $path),
		qr/^objectid-import: file\.bson: already loaded on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S* \(run 1\)$/,
		'is said to be loaded');
	is(state('file'), $before, 'and nothing is changed');
}
write_file('elsewhere/file.bson', documents(0, 1 .. 101));
run_cases(<<'END');
a different file of that name | 1|100 | elsewhere/file.bson
is a run of its own, of which the side table knows the documents | 1|1|file.bson\n2|100|file.bson
	| SELECT run, count(*), min(file) FROM file_rejected GROUP BY run ORDER BY run
both are recorded | 1|101|1|t\n2|101|100|t
	| SELECT run, documents, rejected, finished IS NOT NULL FROM objectid_import ORDER BY run
the same file into a different table | =100|1 | -t different file.bson
--restart | 0|101 | --restart file.bson
forgets what was loaded | 1 | SELECT count(*) FROM objectid_import WHERE target = 'public.file'
END
import_ok('a pipe is loaded each time', '0|101', qw(--format bson -t file -), documents(0, 1 .. 100, 1)) for 1, 2;

# --truncate empties all tables in one statement, whatever refers to what, and their rejected documents
{
	write_file("shop/shop/$_.bson", documents(0, 1 .. 3) . bson(int32('n', 1))) for qw(orders parts);
	run_cases(<<'END');
a dump | 3|1 3|1 | shop
DELETE FROM shop.orders;
	INSERT INTO shop.parts SELECT overlay(_id::text PLACING $$6$$ FROM 1 FOR 1)::objectid, doc FROM shop.parts
ALTER TABLE shop.orders ADD FOREIGN KEY (_id) REFERENCES shop.parts;
	CREATE TABLE shop.stock (part objectid REFERENCES shop.parts)
--truncate, and a reference
	| ! cannot truncate a table referenced.*\n.*"stock" references "parts".*\n.*hint: Drop the foreign key | --truncate shop
changes nothing | 6 | SELECT count(*) FROM shop.parts
DROP TABLE shop.stock; ALTER TABLE shop.orders DISABLE TRIGGER ALL
--truncate | 3|1 3|1 | --truncate shop
--verify | verify 3|0|0|0|1 3|0|0|0|1 | shop
rejected documents are those of the last load | 1 | SELECT count(*) FROM shop.orders_rejected
so is the record | 2 | SELECT count(*) FROM shop.objectid_import
--drop --truncate | ! exclude each other | --drop --truncate shop
END
	my @pipe = (qw(--truncate --format bson -t shop.orders -), documents(0, 1 .. 2));
	import_fails('--truncate with a damaged pipe', qr/damaged/, @pipe[ 0 .. 5 ], "$pipe[6]x");
	is(sql('SELECT count(*) FROM shop.orders'), 3, 'changes nothing');
	import_ok('--truncate with a pipe', '2|0', @pipe);
}

# Documents without _id: --generate-id gives them one, the same each time
{
	my $seeds = write_file('seeds.json', join('', map { qq({"n":$_}\n) } 1 .. 300) . "{}\n");
	my ($status, $out) = run_import($seeds);
	like("$status$out", qr/^3.* 0 +301 .*: --generate-id$/ms, 'documents without _id: the report says what to do');
	local $ENV{OBJECTID_IMPORT_WINDOW} = 100;
	my $time = (stat $seeds)[9];
	import_ok('--generate-id', '301|0', '--generate-id', $seeds);
	is( sql(q{SELECT count(DISTINCT _id), bool_and(doc->'_id'->>'$oid' = _id::text),
			string_agg(doc->>'n', ' ' ORDER BY _id) = (SELECT string_agg(n::text, ' ') FROM generate_series(1, 300) AS n),
			(SELECT count(*) FROM seeds_rejected) FROM seeds}),
		'301|t|t|0',
		'ids are in order');
	verify_is('--verify --generate-id', '301|0|0|0|0', [], '--generate-id', $seeds);
	import_is('again', '301|0', '--generate-id', $seeds);
	utime(0, 1e9, $seeds);
	import_fails('a new time', qr/hint: If only the file's time is new, set it back/, '--generate-id', $seeds);
	utime(0, $time, $seeds);
	import_is('--restart doubles none', '0|301', '--generate-id', '--restart', $seeds);
	my $mixed = write_file('mixed.bson', join('', map { bson($_ % 2 ? id($_) : (), int32('n', $_)) } 1 .. 100));
	import_ok('some have one', '100|0', '--generate-id', '-j', 3, $mixed);
	is(sql(q{SELECT count(*) FROM mixed WHERE _id < '600000000000000000000000'}), 50, 'which they keep');
	import_ok("a pipe, $_", '1|0', qw(--generate-id -t seeds --format json -), '{}') for 1, 2;
}

# Two files in a table that is then emptied: the one that is loaded again does not stand for the other
write_file("$_->[0].bson", documents(0, $_->[1] + 1 .. $_->[1] + 100)) for [ 'one', 0 ], [ 'other', 100 ];
run_cases(<<'END');
one of two files | =100|0 | -t two one.bson
the other of two files | =100|0 | -t two other.bson
TRUNCATE two
one again | =100|0 | --restart -t two one.bson
the other | ! lost documents .* "other\.bson"\n.*100 documents of the file are neither in the table nor rejected
	| -t two other.bson
END

# Tables that lose documents, after a load and during its interruption
my $many = 60_000;
my $big = write_file('big.bson', documents(400, 1 .. $many));
for my $when (qw(interrupted finished))
{
	for (
		[
			'partly replaced',
			q{UPDATE big SET _id = overlay(_id::text PLACING '6' FROM 1 FOR 1)::objectid
			WHERE _id IN (SELECT _id FROM big ORDER BY _id LIMIT 1000)}
		],
		[ 'truncated', 'TRUNCATE big' ],
		[ 'dropped', 'DROP TABLE big' ],
		[ 'dropped with all', 'DROP TABLE big, big_rejected' ])
	{
		my ($loss, $statement) = @$_;
		sql('DROP TABLE IF EXISTS big, big_rejected; DELETE FROM objectid_import');
		$when eq 'interrupted' ? kill_held($big, $many - 1000) : import_ok('a load', "$many|0", $big);
		my $documents = sql('SELECT documents FROM objectid_import');
		cmp_ok($documents, '>', 0, "$when: $documents documents were loaded");
		sql($statement);
		my $dropped = $loss =~ /dropped/;
		my $there = $dropped ? 0 : sql('SELECT count(*) FROM big');
		my $lost = $loss =~ /partly/ ? 1000 : $documents;
		import_fails(
			"$when, and then $loss",
			qr/error: table public\.big has lost documents that were loaded from "big\.bson"\n.*detail: $lost documents of the file are neither in the table nor rejected.*\n.*hint: Use --restart/,
			$big);
		is( sql($dropped ? q{SELECT to_regclass('big')} : 'SELECT count(*) FROM big'),
			$dropped ? '' : $there,
			'nothing is changed');
	}
}
import_is('--restart loads what is missing', "$many|0", '--restart', $big);
sql('DELETE FROM objectid_import; TRUNCATE big, big_rejected');

# A run that has loaded nothing blocks nothing; one that has blocks a different file of the name
kill_held($big, 1);
is(sql('SELECT next_offset, documents FROM objectid_import'), '0|0', 'a run that has loaded nothing');
my $elsewhere = write_file('elsewhere/big.bson', documents(0, 1 .. 10));
import_ok('does not block a different file', '10|0', $elsewhere);
is(sql('SELECT count(*), min(documents) FROM objectid_import'), '1|10', 'and its record is gone');
kill_held($big, $many - 1000);
$before = state('big');
my $flipped = documents(400, 1 .. $many);
substr($flipped, -10, 1) = 'y';

for ([ 'half of it', substr($flipped, 0, length($flipped) / 2) ], [ 'a file that differs in one byte', $flipped ])
{
	my ($what, $content) = @$_;
	write_file('elsewhere/big.bson', $content);
	import_fails(
		"$what, while one is unfinished",
		qr/error: the load of a different file "big\.bson" into table public\.big was interrupted\n.*detail: That file has \d+ bytes.*\n.*hint: .*--restart/,
		$elsewhere);
	is(state('big'), $before, 'nothing is changed');
}
import_is('the file itself is resumed', $many - 10 . '|10', $big);

# Records that are not what they were during a load
{
	sql('DELETE FROM objectid_import; TRUNCATE big');
	my ($running, $holder, $output) = start_held($big, $many - 1000);
	sql('DELETE FROM objectid_import');
	is(release_held($running, $holder), 1, 'a record that goes missing ends the load') or diag($$output);
	like($$output, qr/record in table public\.objectid_import is missing/, 'with a message');
}

my $shared = write_file('shared.bson', documents(400, 1 .. 40_000));
my $backwards = write_file('backwards.bson', documents(400, reverse 20_001 .. 60_000));
my $one = write_file('one.bson', documents(400, 60_001 .. 80_000));
my $two = write_file('two.bson', documents(400, reverse 60_001 .. 80_000));
my $counts = 'SELECT count(*), (SELECT count(*) FROM shared_rejected) FROM shared';

# together($lock, [ arguments ], ...) - run several imports at a time, with $two as standard
# input.  Another session holds a lock until all of them wait.  Their exit statuses, sorted,
# and what they print.
sub together
{
	my ($lock, @imports) = @_;
	my $holder = $node->background_psql('postgres');
	$holder->query_safe("BEGIN; $lock");
	my @running;
	for (@imports)
	{
		push @running, [ start_import($two, @$_) ];
		wait_for_lock(scalar @running);
	}
	$holder->query_safe('ROLLBACK');
	$holder->quit;
	my @statuses = sort map { $_->[0]->finish; $? >> 8 } @running;
	return ("@statuses", join('', map { ${ $_->[1] } } @running));
}

sub hold { return sprintf(q{INSERT INTO shared VALUES ('%s', '{}')}, hex_id($_[0])) }

sql('CREATE TABLE shared (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
my ($statuses, $output) = together(hold(30_000), [$shared], [$shared]);
is($statuses, '0 0', 'two imports of one file: exit status') or diag($output);
like(
	$output,
	qr/waiting for another import into table public\.shared to end\n.*already loaded/s,
	'one waits, and finds it loaded');
is(sql($counts), '40000|0', 'once');

sql('TRUNCATE shared; DELETE FROM objectid_import');
($statuses, $output) = together(hold(30_000), [$shared], [ '-t', 'shared', $backwards ]);
is($statuses, '0 3', 'two files with common ids into one table: exit status') or diag($output);
is(sql("$counts WHERE NOT EXISTS (SELECT FROM shared_rejected WHERE reason NOT LIKE 'duplicate%')"),
	'60000|20000', 'every document is in the table or in the side table');
my @all = ('--max-rejected=20000', '-t', 'shared');
($statuses, $output) = together(hold(70_000), [ '-j', 2, @all, $one ], [ @all, $two ]);
is($statuses, '0 0', 'with jobs: exit status') or diag($output);
is(sql($counts), '80000|40000', 'every document is there');

# A file and standard input into a new table
my @imports = ([ @all, $one ], [ qw(--format bson), @all, '-' ]);
for (\@imports, [ reverse @imports ])
{
	sql('DROP TABLE shared, shared_rejected, objectid_import');
	($statuses, $output) =
	  together(q{SELECT pg_advisory_xact_lock(hashtextextended('objectid-import public.shared', 0))}, @$_);
	is($statuses, '0 0', 'a file and standard input into a new table: exit status') or diag($output);
	is(sql($counts), '20000|20000', 'every document is there');
}

# Two into different new tables, whose records go into one table that is new as well
sql('DROP TABLE objectid_import');
my @running = map { [ start_import($two, '-t', "fresh$_", $one) ] } 1, 2;
is(join(' ', map { $_->[0]->finish; $? >> 8 } @running),
	'0 0', 'two imports that create a table of records: exit status')
  or diag(map { ${ $_->[1] } } @running);
is( sql('SELECT (SELECT count(*) FROM fresh1) + (SELECT count(*) FROM fresh2), (SELECT count(*) FROM objectid_import)'),
	'40000|2', 'both are loaded');

# Tables of two schemas, whose runs have the same numbers, share a table of rejected documents
my $bad = write_file('bad.bson', documents(0, 1) . bson(id(2), string('s', "\0")));
my $rejected = q{SELECT string_agg(target || run, ' ' ORDER BY target) FROM side};
sql('CREATE SCHEMA a; CREATE SCHEMA b');
run_cases(<<'END' =~ s/\bSIDE\b/--side-table=public.side bad.bson/gr =~ s/\bREJECTED\b/$rejected/gr);
a load into schema a | 1|1 | --table=a.bad SIDE
a load into schema b | 1|1 | --table=b.bad SIDE
both are there | a.bad1 b.bad1 | REJECTED
--restart | 0|2 | --restart --table=a.bad SIDE
forgets those of its own table only | a.bad2 a.bad2 b.bad1 | REJECTED
--drop | 1|1 | --drop --table=a.bad SIDE
so does --drop | a.bad3 b.bad1 | REJECTED
--drop of the other | 1|1 | --drop --table=b.bad SIDE
likewise | a.bad3 b.bad2 | REJECTED
END

# Two pipes into a new one
sql('DROP TABLE side; CREATE TABLE a.piped (_id objectid PRIMARY KEY, doc jsonb NOT NULL); ');
{
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(sprintf(q{BEGIN; INSERT INTO a.piped VALUES ('%s', '{}')}, hex_id(1)));
	my @pipes;
	for my $schema (qw(a b))
	{
		push @pipes, [ start_import($bad, qw(--format bson --side-table public.side -t), "$schema.piped", '-') ];
		wait_for_lock(scalar @pipes);
	}
	release_held($pipes[0][0], $holder);
	$_->[0]->finish for @pipes;
	is(join(' ', map { $_->[0]->result(0) } @pipes), '3 3', 'two pipes into one new table of rejected documents')
	  or diag(map { ${ $_->[1] } } @pipes);
	is(sql('SELECT count(*), count(DISTINCT target) FROM side'), '2|2', 'both are there');
}

# A publication of all tables asks for the identity of rows that change
run_cases(<<'END' =~ s/\bSIDE\b/--side-table=public.side bad.bson/gr);
CREATE PUBLICATION everything FOR ALL TABLES
with a publication of all tables | 0|2 | --restart --table=a.bad SIDE
--upsert | 0|0|1|1 | --restart --upsert --table=a.bad SIDE
--drop | 1|1 | --drop --table=a.bad SIDE
DROP PUBLICATION everything
END

# A dump and a file of its schema wait for each other
write_file('public/dumped.bson', documents(0, 1));
write_file('public/other.bson', documents(0, 1));
sql('CREATE TABLE dumped (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
for ([ "$work/public", 'beside.bson', 'schema' ], [ 'beside.bson', "$work/public", 'schema' ])
{
	my ($first, $second, $what) = map { /^beside/ ? write_file($_, documents(0, 1)) : $_ } @$_;
	sql('TRUNCATE dumped; DROP TABLE IF EXISTS beside; DELETE FROM objectid_import');
	sql('CREATE TABLE beside (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	my $insert = sprintf(q{INSERT INTO %%s VALUES ('%s', '{}')}, hex_id(1));
	($statuses, $output) = together(join(';', map { sprintf($insert, $_) } qw(beside dumped)), [$first], [$second]);
	like($output, qr/waiting for another import into schema public to end/, 'a dump and a file: one waits');
}

done_testing();
