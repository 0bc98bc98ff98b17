# objectid-import: what was loaded before is known, as long as it is still there; --restart, --truncate and
# --generate-id; standard input; and --upsert: documents whose keys are in the table replace those there, if they
# differ, and the report counts inserted, changed, equal and rejected ones.
use strict;
use warnings FATAL => 'all';
use ImportTest;

set_up();

my $file = write_file('file.bson', documents(0, 1 .. 100, 1));

# A file that has been loaded
write_file('elsewhere/file.bson', documents(0, 1 .. 100, 1));
write_file('different/file.bson', documents(0, 1 .. 101));
my $known = qr/\Aobjectid-import: file\.bson: already loaded on \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S* \(run 1\)\n\z/;
my $state =
  q{SELECT count(*), md5(string_agg(x::text, '' ORDER BY _id)), (SELECT count(*) FROM file_rejected), (SELECT count(*) FROM objectid_import) FROM file AS x};
my $pipe = '--format bson -t file';
import_ok('a file', '100|1', $file);
my @unchanged = (gives => [ $state => sql($state) ]);
run_scenarios(
	{ name => 'a file that is loaded already', run => 'file.bson', loads => '100|1', says => $known, @unchanged },
	{ name => 'a copy of a file', run => 'elsewhere/file.bson', loads => '100|1', says => $known, @unchanged },
	{
		name => 'a different file of the same name',
		run => 'different/file.bson',
		loads => '1|100',
		gives => [
			'SELECT run, count(*), min(file) FROM file_rejected GROUP BY run ORDER BY run' =>
			  "1|1|file.bson\n2|100|file.bson",
			'SELECT run, documents, rejected, finished IS NOT NULL FROM objectid_import ORDER BY run' =>
			  "1|101|1|t\n2|101|100|t"
		]
	},
	{ name => 'a file into a second table', run => '-t second file.bson', loads => '100|1' },
	{
		name => 'a file with --restart',
		run => '--restart file.bson',
		loads => '0|101',
		gives => [
			q{SELECT count(*), (SELECT count(*) FROM file_rejected) FROM objectid_import WHERE target = 'public.file'}
			  => '1|101'
		]
	},
	{ name => 'standard input', run => $pipe, input => 'file.bson', loads => '0|101' },
	{
		name => 'standard input that is loaded already',
		run => $pipe,
		input => 'file.bson',
		loads => '0|101',
		says => qr/^objectid-import: -: already loaded on/
	});

# A document that the table has lost, and that another file had rejected
write_file('overlap.bson', documents(0, 100, 101));
run_scenarios(
	{ name => 'a file', run => '-t both different/file.bson', loads => '101|0' },
	{ name => 'a file with two documents of another file', run => '-t both overlap.bson', loads => '0|2' },
	{
		name => 'a document of two files is lost',
		sql => sprintf(q{DELETE FROM "both" WHERE _id = '%s'}, hex_id(101)),
		run => '-t both different/file.bson',
		fails_like => qr/has lost documents that were loaded from "file\.bson"\n.*detail: 1 documents/
	});

# A record that somebody has changed: "loaded" is what the table has of the whole file
write_file('planted.bson', documents(0, 1 .. 20));
run_scenarios(
	{ name => 'a file', run => 'planted.bson', loads => '20|0' },
	{
		name => 'a record that says that half of it was all',
		sql => q{DELETE FROM planted WHERE doc->'n' > '10';
			UPDATE objectid_import SET next_offset = next_offset / 2 WHERE target = 'public.planted'},
		run => 'planted.bson',
		fails_like => qr/has lost documents that were loaded from "planted\.bson"\n.*detail: 10 documents/
	},
	{
		name => 'a record that lacks a part',
		sql => q{UPDATE objectid_import SET end_offset = next_offset WHERE target = 'public.planted'},
		run => 'planted.bson',
		fails_like => qr/error: table public\.objectid_import has not all parts of run \d+\n.*hint: Use --restart/
	},
	{ name => 'a record that lacks a part, as the hint says', run => '--restart planted.bson', loads => '10|10' },
	{
		name => 'a record that lacks a part, of a --restart that was interrupted',
		sql => q{UPDATE objectid_import SET finished = NULL, end_offset = 0 WHERE target = 'public.planted'},
		run => '--restart planted.bson',
		fails_like => qr/has not all parts of run \d+\n.*hint: Use --truncate/
	},
	{ name => 'the same, as the hint says', run => '--truncate planted.bson', loads => '20|0' });

# --truncate empties all tables in one statement, whatever refers to what, and their rejected documents
write_file("shop/shop/$_.bson", documents(0, 1 .. 3) . bson(int32('n', 1))) for qw(orders parts);
write_file('damaged.bson', documents(0, 1 .. 2) . 'x');
write_file('two.bson', documents(0, 1 .. 2));
$pipe = '--truncate --format bson -t shop.orders';
run_scenarios(
	{ name => 'a dump', run => 'shop', loads => '3|1 3|1' },
	{
		name => '--truncate of a table that another one refers to',
		sql => q{DELETE FROM shop.orders;
			INSERT INTO shop.parts SELECT overlay(_id::text PLACING '6' FROM 1 FOR 1)::objectid, doc FROM shop.parts;
			ALTER TABLE shop.orders ADD FOREIGN KEY (_id) REFERENCES shop.parts;
			CREATE TABLE shop.stock (part objectid REFERENCES shop.parts)},
		run => '--truncate shop',
		fails_like =>
		  qr/cannot truncate a table referenced.*\n.*"stock" references "parts".*\n.*hint: Drop the foreign key.*--exclude/,
		gives => [ 'SELECT count(*) FROM shop.parts' => 6 ]
	},
	{
		name => '--truncate of tables that refer to each other',
		sql => 'DROP TABLE shop.stock; ALTER TABLE shop.orders DISABLE TRIGGER ALL',
		run => '--truncate shop',
		loads => '3|1 3|1',
		gives => [ 'SELECT count(*), (SELECT count(*) FROM shop.orders_rejected) FROM shop.objectid_import' => '2|1' ]
	},
	{ name => '--verify after --truncate', run => 'shop', verifies => '3|0|0|0|1 3|0|0|0|1' },
	{ name => '--drop with --truncate', run => '--drop --truncate shop', fails_like => qr/exclude each other/ },
	{
		name => '--truncate with a damaged pipe',
		run => $pipe,
		input => 'damaged.bson',
		fails_like => qr/damaged/,
		gives => [ 'SELECT count(*) FROM shop.orders' => 3 ]
	},
	{ name => '--truncate with a pipe', run => $pipe, input => 'two.bson', loads => '2|0' });

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
	import_is('--generate-id, a file that is loaded already', '301|0', '--generate-id', $seeds);
	utime(0, 1e9, $seeds);
	import_fails(
		'--generate-id, the same file with a new time',
		qr/hint: If only the file's time is new, set it back: .* Else use --truncate/,
		'--generate-id', $seeds);
	import_ok('--generate-id --truncate, as the hint says', '301|0', '--generate-id', '--truncate', $seeds);
	utime(0, $time, $seeds);
	import_ok('--generate-id --truncate, with the old time', '301|0', '--generate-id', '--truncate', $seeds);
	import_is('--generate-id --restart doubles no document', '0|301', '--generate-id', '--restart', $seeds);
	my $mixed = write_file('mixed.bson', join('', map { bson($_ % 2 ? id($_) : (), int32('n', $_)) } 1 .. 100));
	import_ok('--generate-id, documents of which some have an id', '100|0', '--generate-id', '-j', 3, $mixed);
	is(sql(q{SELECT count(*) FROM mixed WHERE _id < '600000000000000000000000'}), 50, 'documents keep their ids');
	my @pipe = (qw(--generate-id -t piped --format json -), '{}');
	import_ok('--generate-id, standard input', '1|0', @pipe);
	sql(q{UPDATE objectid_import SET started = '2020-01-01Z' WHERE target = 'public.piped';
		UPDATE piped SET _id = overlay(_id::text PLACING '5e0be100' FROM 1 FOR 8)::objectid});
	import_is('--generate-id, standard input again, whose ids are of the time of the first load', '1|0', @pipe);
	import_fails(
		'--generate-id --upsert',
		qr/error: --upsert and --generate-id exclude each other\n.*hint: .*--truncate/,
		qw(--generate-id --upsert), $seeds);
}

# A publication of all tables asks for the identity of rows that change
write_file('bad.bson', documents(0, 1) . bson(id(2), string('s', "\0")));
run_scenarios(
	{
		name => 'a publication of all tables',
		sql => 'CREATE PUBLICATION everything FOR ALL TABLES',
		run => 'bad.bson',
		loads => '1|1'
	},
	{ name => 'a publication, --restart', run => '--restart bad.bson', loads => '0|2' },
	{ name => 'a publication, --upsert', run => '--restart --upsert bad.bson', loads => '0|0|1|1' },
	{ name => 'a publication, --drop', run => '--drop bad.bson', loads => '1|1' });
sql('DROP PUBLICATION everything');

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
	my @held = start_held("$work/pipe.bson", 1100, '-j', 2, @pipe);
	is(join(' ', glob("$work/temporary/*")), '', 'a pipe: its temporary file has no name');
	like(
		disconnect(@held),
		qr/the connection was lost: .*hint: Run the same command again to resume the load\.$/ms,
		'a pipe, and a lost connection');
	like(
		import_is('a pipe, the same command', '1200|0', '-j', 2, @pipe),
		qr/^\S+ -: continuing run \d+ after \d+ documents$/,
		'a pipe, the same command resumes it');
	is(sql(q{SELECT count(*) FROM objectid_import WHERE target = 'public.pipe'}), 2, 'a pipe, with -j 2, in two parts');
	is(compare_documents('pipe', $content), '', 'a pipe that is resumed: each document is there once');
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
import_ok('the first day, with --upsert', '0|0|20000|0', '--upsert', $days);
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
import_fails('the second day, without --upsert',
	qr/the first 10000 documents .* are all rejected\n.*\n.*hint: Use --upsert/, $next);
import_is('the second day, --restart --upsert -j 2', '0|0|20050|1', '-j', 2, '--restart', '--upsert', $next);
import_is(
	'--upsert of a pipe',
	'0|2|1|0',
	qw(--upsert --format bson -t days -),
	join('', map { doc(id($_), 2 * ($_ < 3)) } 1 .. 3));

# Every type of key; a number that becomes a double has changed
my $uuid = pack('VCa16', 16, 4, 'x' x 16);
for ([ 'text', 2, pack('V/a*', "a'\0") ], [ 'bigint', 16, pack('V', 7) ], [ 'uuid', 5, $uuid ], [ 'jsonb', 8, "\1" ])
{
	my ($type, @key) = @$_;
	my @arguments = ('--upsert', '--format', 'bson', '-t', $type, '-');
	import_is("--upsert, $type: new", '1|0|0|0', @arguments, doc(key(@key), 1));
	import_is("--upsert, $type: changed, equal, the same key twice in a file",
		'0|1|1|0', @arguments, bson(key(@key), double('n', 1)) x 2);
	is(sql("SELECT pg_typeof(_id), doc->>'n' FROM $type"), "$type|1.0", "--upsert, $type: the last one stays");
}

# Keys that MongoDB tells apart by the order of their fields, and jsonb does not; and what MongoDB takes for equal is
# one row: 1, 1.0 and -0.0
sub ordered
{
	my ($n, @names) = @_;
	return doc(element(3, '_id', bson(map { int32(split(/=/)) } @names)), $n);
}
my @numbers = (doc(int32('_id', 1), 1), map { doc(double('_id', $_->[0]), $_->[1]) }[ 1, 2 ], [ 0, 1 ], [ -0.0, 2 ]);
write_file('ordered.bson', ordered(0, 'b=2', 'a=1') . ordered(1, 'a=1', 'b=2') . ordered(0, 'b=2', 'a=3'));
write_file('equal.bson',
	join('', map { doc(element(3, '_id', bson($_->[0])), $_->[1]) }[ int32('a', 1), 1 ], [ double('a', 1), 2 ]));
write_file('twice.bson', doc(id(1), 1) . doc(id(1), 2));
write_file('numbers.bson', join('', @numbers));
write_file('strings.bson', join('', map { doc(string('_id', $_), 1) } "e\xcc\x81", "\xc3\xa9", 'a', 'a '));
write_file("a$_.bson", doc(string('_id', 'a'), $_)) for 1, 2;
my $guessed = qr/the keys of the first documents are of type \w+\n\z/;
my $batches = qr/\A(?!.*row by row)/s;
run_scenarios(
	{
		name => '--upsert of a key that is new, and twice in a file',
		run => '--upsert twice.bson',
		loads => '1|1|0|0',
		gives => [ q{SELECT doc->'n' FROM twice} => 2 ]
	},
	{
		name => 'two orders of a key',
		run => 'ordered.bson',
		loads => '2|1',
		says => $guessed,
		gives => [
			q{SELECT position || ' ' || reason FROM ordered_rejected} => '2 duplicate: the table has this _id already'
		]
	},
	{
		name => 'two orders of a key, --upsert',
		run => '--upsert ordered.bson',
		loads => '0|1|2|0',
		gives => [ q{SELECT doc->'n' FROM ordered WHERE _id->'a' = '1'} => 1 ]
	},
	{
		name => 'two documents as keys that jsonb takes for equal',
		run => 'equal.bson',
		loads => '1|1',
		says => $guessed,
		gives => [
			q{SELECT concat(doc->'n', ' ', reason) FROM equal, equal_rejected} =>
			  '1 duplicate: the table has this _id already'
		]
	},
	{
		name => 'two documents as keys that jsonb takes for equal, --upsert',
		run => '--upsert equal.bson',
		loads => '0|1|1|0',
		gives => [ q{SELECT doc->'n' FROM equal} => 2 ]
	},
	{ name => '--upsert of equal numbers', run => '--upsert --id-type jsonb numbers.bson', loads => '2|2|0|0' },
	{ name => '--upsert of similar texts', run => '--upsert --id-type text strings.bson', loads => '4|0|0|0' },
	{
		name => '--upsert into a table with a collation',
		sql => 'CREATE TABLE collated (_id text COLLATE "POSIX" PRIMARY KEY, doc jsonb NOT NULL)',
		run => '-v --upsert -t collated a1.bson',
		loads => '1|0|0|0',
		says => $batches
	},
	{
		name => '--upsert of a row of a table with a collation',
		run => '-v --upsert -t collated a2.bson',
		loads => '0|1|0|0',
		says => $batches
	});
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 1000;
	my @copies = map { doc(id($_ % 500), $_ < 500 ? 1 : 2) } 0 .. 999;
	my $copies = write_file('copies.bson', join('', @copies));
	import_ok('--upsert -j 2 of keys that are twice in a large file', '500|500|0|0', qw(--upsert -j 2), $copies);
	is(sql(q{SELECT min(doc->>'n') FROM copies}), 2, '--upsert -j 2: the last ones stay');
}
SKIP:
{
	my $collation = q{CREATE COLLATION blind (provider = icu, locale = 'und-u-ks-level1', deterministic = false)};
	skip 'this server has no ICU', 1 if $node->psql('postgres', $collation) != 0;
	sql('CREATE TABLE blind (_id text COLLATE blind PRIMARY KEY, doc jsonb NOT NULL)');
	import_fails(
		'--upsert, if keys that differ are equal',
		qr/--upsert would replace other documents/,
		qw(--upsert -t blind a1.bson));
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
	'refused and discarded rows are rejected, each with its reason');
is(sql(q{SELECT string_agg(doc->>'n', '' ORDER BY _id) FROM picky}),
	'010000', 'rows that are rejected have not changed the table');

import_is('a row that is discarded', '0|0|0|1', qw(--upsert --format bson -t picky -), doc(id(4), 3));

# An interrupted load is resumed, and its counts are those of all of it
local $ENV{OBJECTID_IMPORT_WINDOW} = 8000;
my $big = write_file('big.bson', documents(60, 1 .. 1200));
sql(sprintf(q{CREATE TABLE big (_id objectid PRIMARY KEY, doc jsonb NOT NULL); INSERT INTO big VALUES ('%s', '{}')},
		hex_id(1)));
kill_held($big, 1100, '--upsert');
like(import_is("--upsert, $_->[0]", '1199|1|0|0', '--upsert', $big), $_->[1], "--upsert, $_->[0]: message")
  for [ 'resumed', qr/continuing run/ ], [ 'complete', qr/already loaded/ ];

# Rows of rejected documents have the number of their run, also after the ninth
my $lines = write_file('tenth.json', qq({"_id":1}\n{"_id":"x"}\n));
run_import('-q', '--restart', $lines) for 1 .. 10;
is(sql('SELECT count(*), min(run) > 9 FROM tenth_rejected JOIN objectid_import USING (run)'),
	'2|t', 'the tenth run of a table: both rejected documents have its number');

# Going back to an earlier file
my ($monday, $tuesday) = map { write_file("$_/back.json", qq({"_id":1,"day":"$_"}\n)) } qw(monday tuesday);
import_is("back: $_->[0]", $_->[1], '--upsert', $_->[0])
  for [ $monday, '1|0|0|0' ], [ $tuesday, '0|1|0|0' ], [ $monday, '0|1|0|0' ];
is(sql(q{SELECT doc->>'day' FROM back}), 'monday', 'the earlier document is back');
sql('CREATE RULE away AS ON UPDATE TO back DO INSTEAD NOTHING');
import_fails('a rule for UPDATE', qr/rule for INSERT, or, with --upsert, for UPDATE/, '--upsert', $tuesday);

done_testing();
