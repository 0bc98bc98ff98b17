# objectid-import: what was loaded before is known, as long as it is still there; --restart, --truncate and
# --generate-id; standard input; and --upsert: documents whose keys are in the table replace those there, if they
# differ, and the report counts inserted, changed, equal and rejected ones.
use strict;
use warnings FATAL => 'all';
use lib qw(testlib import/t);
use ImportTest;

set_up();

my $file = write_file('file.bson', documents(0, 1 .. 100, 1));

# A file that has been loaded
import_ok('a file', '100|1', $file);
my $state =
  'SELECT '
  . join(', ', map { "(SELECT string_agg(x::text, '') FROM $_ AS x)" } qw(file file_rejected objectid_import));
my $before = sql($state);
for my $path ($file, write_file('elsewhere/file.bson', documents(0, 1 .. 100, 1)))
{
	like(
		import_is("the same file, $path", '100|1', $path),
		qr/^objectid-import: file\.bson: already loaded on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S* \(run 1\)$/,
		'is said to be loaded');
	is(sql($state), $before, 'and nothing is changed');
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
and what was rejected | 101 | SELECT count(*) FROM file_rejected
END
like(import_is("standard input, $_->[0]", '0|101', qw(--format bson -t file -), documents(0, 1 .. 100, 1)),
	$_->[1], "standard input, $_->[0]: message")
  for [ 'once', qr/^$/ ], [ 'again', qr/^objectid-import: -: already loaded on/ ];

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
	my @pipe = (qw(--generate-id -t piped --format json -), '{}');
	import_ok('standard input', '1|0', @pipe);
	sql(q{UPDATE objectid_import SET started = '2020-01-01Z' WHERE target = 'public.piped';
		UPDATE piped SET _id = overlay(_id::text PLACING '5e0be100' FROM 1 FOR 8)::objectid});
	import_is('standard input again, whose ids are of the time of the first load', '1|0', @pipe);
	import_fails(
		'--generate-id --upsert',
		qr/error: --upsert and --generate-id exclude each other\n.*hint: .*--truncate/,
		qw(--generate-id --upsert), $seeds);
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

# A publication of all tables asks for the identity of rows that change
write_file('bad.bson', documents(0, 1) . bson(id(2), string('s', "\0")));
run_cases(<<'END');
CREATE PUBLICATION everything FOR ALL TABLES
with a publication of all tables | 1|1 | bad.bson
--restart | 0|2 | --restart bad.bson
--upsert | 0|0|1|1 | --restart --upsert bad.bson
--drop | 1|1 | --drop bad.bson
DROP PUBLICATION everything
END

# Standard input that is a pipe becomes a temporary file, which nobody sees
{
	my $content = documents(60, 1 .. 1200);
	write_file('pipe.bson', $content);
	mkdir("$work/temporary");
	my ($program, @options) = @ImportTest::command;
	my @pipe = (qw(--format bson -t pipe -));
	local $ENV{TMPDIR} = "$work/temporary";
	local $ENV{OBJECTID_IMPORT_WINDOW} = 8000;
	local @ImportTest::command = ('sh', '-c', 'cat pipe.bson | "$@"', 'sh', $program, @options);
	sql('CREATE TABLE pipe (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	my $killer = sprintf(q{BEGIN; INSERT INTO pipe VALUES ('%s', '{}')}, hex_id(1100));
	my $holder = $node->background_psql('postgres');
	$holder->query_safe($killer);
	my ($running, $output) = start_import('/dev/null', '-j', 2, @pipe);
	wait_for_lock(1);
	is(join(' ', glob("$work/temporary/*")), '', 'the file has no name');
	sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'objectid-import'});
	$running->finish;
	$holder->query_safe('ROLLBACK');
	$holder->quit;
	like(
		$$output,
		qr/the connection was lost: .*hint: Run the same command again to resume the load\.$/ms,
		'a pipe, and a lost connection');
	like(
		import_is('the same command', '1200|0', '-j', 2, @pipe),
		qr/^\S+ -: continuing run \d+ after \d+ documents$/,
		'resumes it');
	is(sql(q{SELECT count(*) FROM objectid_import WHERE target = 'public.pipe'}), 2, 'in two parts');
	is(compare_documents('pipe', $content), '', 'each document is there once');
	verify_is('--verify of a pipe', '1200|0|0|0|0', [], '-j', 2, @pipe);
	import_is('--dry-run of a pipe', '1200|0', '--dry-run', @pipe);

	# a pipe and a file with a name
	@ImportTest::command[2] = 'mkfifo named.bson; cat pipe.bson >named.bson & "$@"';
	import_ok('a named pipe', '1200|0', '-t', 'named', 'named.bson');
	local $ENV{TMPDIR} = "$work/nowhere";
	@ImportTest::command[2] = 'cat pipe.bson | "$@"';
	import_fails('no directory for the file',
		qr{error: could not create temporary file "\Q$work\E/nowhere/.*": No such .*\n.*hint: .*TMPDIR}, @pipe);
	$ENV{TMPDIR} = $work;
	@ImportTest::command[2] = 'trap "" XFSZ; ulimit -f 10; cat pipe.bson | "$@"';
	import_fails('no room for the file',
		qr{error: could not write standard input to temporary file "\Q$work\E/.*": File too large\n.*hint: .*TMPDIR},
		@pipe);
	@ImportTest::command[2] = '"$@" <&-';
	import_fails('standard input is closed', qr/error: could not read standard input: Bad file descriptor/, @pipe);

	# what of a file has been read is not
	@ImportTest::command[2] = '(head -c 4 >/dev/null; "$@") <rest.json';
	write_file('rest.json', qq({}\n\n{"_id":1}\n));
	import_is('the rest of a file', '1|0', qw(--format json -t rest -));
}

sub key { return element($_[0], '_id', $_[1]) }
sub doc { return bson($_[0], int32('n', $_[1])) }

# The next day's file: of 20,000 documents, 100 have changed, 50 are new, one is invalid
my $days = write_file('day1/days.bson', join('', map { doc(id($_), 0) } 1 .. 20_000));
import_ok('the first day', '20000|0', $days);
import_ok('the same file, with --upsert', '0|0|20000|0', '--upsert', $days);
sql('CREATE TABLE before AS SELECT _id, ctid AS place FROM days');
my $next = write_file('day2/days.bson',
	join('', (map { doc(id($_), $_ % 200 == 0 ? 1 : 0) } 1 .. 20_050), bson(id(7), string('s', "\0"))));
for my $again (0, 1)
{
	unlike(import_is('the second day', '50|100|19900|1', '-v', '--upsert', $next), qr/row by row/, 'by batches');
}
is( sql(q{SELECT count(*), sum((doc->'n')::int), (SELECT count(*) FROM days AS d JOIN before USING (_id) WHERE d.ctid = place) FROM days}
	),
	'20050|100|19900',
	'the documents are those of the second day, and equal ones were not written');
is(sql('SELECT position, reason FROM days_rejected'), '20051|NUL character in a string', 'the invalid one is rejected');
import_fails('without --upsert', qr/the first 10000 documents .* are all rejected\n.*\n.*hint: Use --upsert/, $next);
import_is('with jobs, and from the beginning', '0|0|20050|1', '-j', 2, '--restart', '--upsert', $next);
import_is('a pipe', '0|2|1|0', qw(--upsert --format bson -t days -),
	join('', map { doc(id($_), 2 * ($_ < 3)) } 1 .. 3));

# Every type of key; a number that becomes a double has changed
my $uuid = pack('VCa16', 16, 4, 'x' x 16);
for ([ 'text', 2, pack('V/a*', "a'\0") ], [ 'bigint', 16, pack('V', 7) ], [ 'uuid', 5, $uuid ], [ 'jsonb', 8, "\1" ])
{
	my ($type, @key) = @$_;
	my @arguments = ('--upsert', '--format', 'bson', '-t', $type, '-');
	import_is("$type: new", '1|0|0|0', @arguments, doc(key(@key), 1));
	import_is("$type: changed, equal, the same key twice in a file",
		'0|1|1|0', @arguments, bson(key(@key), double('n', 1)) x 2);
	is(sql("SELECT pg_typeof(_id), doc->>'n' FROM $type"), "$type|1.0", "$type: the last one stays");
}
import_is('twice in a file, and new', '1|1|0|0', qw(--upsert --format bson -t twice -), doc(id(1), 1) . doc(id(1), 2));
is(sql(q{SELECT doc->'n' FROM twice}), 2, 'the last one stays');

# Keys that MongoDB tells apart by the order of their fields, and jsonb does not
sub ordered
{
	my ($n, @names) = @_;
	return doc(element(3, '_id', bson(map { int32(split(/=/)) } @names)), $n);
}
write_file('ordered.bson', ordered(0, 'b=2', 'a=1') . ordered(1, 'a=1', 'b=2') . ordered(0, 'b=2', 'a=3'));
run_cases(<<'END');
two orders of a key | 2|1 | ordered.bson
the second is a duplicate | 2 duplicate: the table has this _id already | SELECT position || ' ' || reason FROM ordered_rejected
two orders of a key, --upsert | 0|1|2|0 | --upsert ordered.bson
the last one stays | 1 | SELECT doc->'n' FROM ordered WHERE _id->'a' = '1'
END

# What MongoDB takes for equal is one row: 1, 1.0 and -0.0; what it does not is two
my @numbers = (doc(int32('_id', 1), 1), map { doc(double('_id', $_->[0]), $_->[1]) }[ 1, 2 ], [ 0, 1 ], [ -0.0, 2 ]);
write_file('numbers.bson', join('', @numbers));
write_file('strings.bson', join('', map { doc(string('_id', $_), 1) } "e\xcc\x81", "\xc3\xa9", 'a', 'a '));
write_file("a$_.bson", doc(string('_id', 'a'), $_)) for 1, 2;
run_cases(<<'END');
numbers | 2|2|0|0 | --upsert --id-type jsonb numbers.bson
strings | 4|0|0|0 | --upsert --id-type text strings.bson
CREATE TABLE collated (_id text COLLATE "POSIX" PRIMARY KEY, doc jsonb NOT NULL)
a table with a collation | 1|0|0|0 ~ \A(?!(?s:.*)row by row) | -v --upsert -t collated a1.bson
a table with a collation, again | 0|1|0|0 ~ \A(?!(?s:.*)row by row) | -v --upsert -t collated a2.bson
END
SKIP:
{
	my $collation = q{CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false)};
	skip 'this server has no ICU', 2 if $node->psql('postgres', $collation) != 0;
	sql('CREATE TABLE blind (_id text COLLATE blind PRIMARY KEY, doc jsonb NOT NULL)');
	run_cases('takes keys for equal | ! --upsert would replace other documents | --upsert -t blind a1.bson');
}

# What the server refuses or does not keep
sql(q{
CREATE FUNCTION discard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN CASE WHEN NEW.doc->>'n' <> '3' THEN NEW END; END$$;
CREATE TABLE picky (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (doc->>'n' <> '2'),
	parent objectid GENERATED ALWAYS AS ((doc->>'parent')::objectid) STORED REFERENCES picky);
CREATE TRIGGER t BEFORE INSERT OR UPDATE ON picky FOR EACH ROW EXECUTE FUNCTION discard()});
import_ok('into a table that refuses some',
	'4|0', '-t', 'picky', write_file('picky.bson', join('', map { doc(id($_), 0) } 1 .. 4)));
my @picky = map { doc(id($_->[0]), $_->[1]) }[ 1, 0 ], [ 2, 1 ], [ 3, 2 ], [ 4, 3 ], [ 5, 2 ], [ 6, 3 ];
my @family = (bson(id(7), int32('n', 0), string('parent', hex_id(8))), doc(id(8), 0));
my $picky = write_file('picky2.bson', join('', @picky, @family));
import_is('refused and discarded rows', '2|1|1|4', '--upsert', '-t', 'picky', $picky);
is( sql(q{SELECT string_agg(position || substr(reason, 1, 30), E'\n' ORDER BY position) FROM picky_rejected}),
	join("\n",
		'3new row for relation "picky" v',
		'4the server did not keep the ro',
		'5new row for relation "picky" v',
		'6the server did not keep the ro'),
	'are rejected, each with its reason, and the others are there');
is(sql(q{SELECT string_agg(doc->>'n', '' ORDER BY _id) FROM picky}),
	'010000', 'those rejected have not changed the table');

import_is('a row that is discarded', '0|0|0|1', qw(--upsert --format bson -t picky -), doc(id(4), 3));

# An interrupted load is resumed, and its counts are those of all of it
local $ENV{OBJECTID_IMPORT_WINDOW} = 8000;
my $big = write_file('big.bson', documents(60, 1 .. 1200));
sql(sprintf(q{CREATE TABLE big (_id objectid PRIMARY KEY, doc jsonb NOT NULL); INSERT INTO big VALUES ('%s', '{}')},
		hex_id(1)));
kill_held($big, 1100, '--upsert');
like(import_is('resumed', '1199|1|0|0', '--upsert', $big), qr/continuing run/, 'an interrupted load');
like(import_is('again', '1199|1|0|0', '--upsert', $big), qr/already loaded/, 'is known');

# Rows of rejected documents have the number of their run, also after the ninth
my $lines = write_file('tenth.json', qq({"_id":1}\n{"_id":"x"}\n));
run_import('-q', '--restart', $lines) for 1 .. 10;
is(sql('SELECT run > 9 FROM tenth_rejected JOIN objectid_import USING (run)'), 't', 'the tenth run');

# Going back to an earlier file
my ($monday, $tuesday) = map { write_file("$_/back.json", qq({"_id":1,"day":"$_"}\n)) } qw(monday tuesday);
import_is("back: $_->[0]", $_->[1], '--upsert', $_->[0])
  for [ $monday, '1|0|0|0' ], [ $tuesday, '0|1|0|0' ], [ $monday, '0|1|0|0' ];
is(sql(q{SELECT doc->>'day' FROM back}), 'monday', 'the earlier document is back');
sql('CREATE RULE away AS ON UPDATE TO back DO INSTEAD NOTHING');
import_fails('a rule for UPDATE', qr/rule for INSERT, or, with --upsert, for UPDATE/, '--upsert', $tuesday);

done_testing();
