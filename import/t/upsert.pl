# objectid-import --upsert: documents whose keys are in the table replace those there, if they
# differ, and the report counts inserted, changed, equal and rejected ones.
use strict;
use warnings FATAL => 'all';
use lib qw(testlib import/t);
use ImportTest;

set_up();

sub key { return element($_[0], '_id', $_[1]) }
sub doc { return bson($_[0], int32('n', $_[1])) }

# The next day's file: of 20,000 documents, 100 have changed, 50 are new, one is invalid
my $file = write_file('day1/days.bson', join('', map { doc(id($_), 0) } 1 .. 20_000));
import_ok('the first day', '20000|0', $file);
import_ok('the same file, with --upsert', '0|0|20000|0', '--upsert', $file);
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

# MongoDB tells keys apart by the order of their fields, which jsonb does not keep
sub ordered
{
	my ($n, @names) = @_;
	return doc(element(3, '_id', bson(map { int32(split(/=/)) } @names)), $n);
}

sub nested
{
	return doc(element(3, '_id', bson(element(4, 'a', bson(element(3, '0', bson(map { int32($_, 1) } @_)))))), 0);
}
my @pairs = (
	[ 'other', ordered(0, 'a=1', 'b=2'), ordered(1, 'b=2', 'a=1') ],
	[ 'reverse', ordered(0, 'b=2', 'a=1'), ordered(1, 'a=1', 'b=2') ],
	[ 'longer', ordered(0, 'bb=1', 'c=2'), ordered(1, 'c=2', 'bb=1') ],
	[ 'deep', nested('a', 'b'), nested('b', 'a') ]);
for (@pairs)
{
	my ($table, $first, $second) = @$_;
	my @arguments = ('--upsert', '--format', 'bson', '-t', $table, '-');
	import_is("$table: two orders in a file", '1|0|0|1', @arguments, $first . $second);
	is( sql("SELECT raw = '\\x" . unpack('H*', $second) . "', reason FROM ${table}_rejected"),
		't|duplicate: another document of the file has this _id',
		"$table: the second is rejected");
	import_is("$table: in another file", $table eq 'deep' ? '0|0|1|1' : '0|1|0|1', @arguments, $second . $first);
}
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 1000;
	my @keys = map { ordered(0, "a=$_", 'b=2') } 1 .. 500;
	my $many = write_file('many.bson', join('', @keys, ordered(1, 'b=2', 'a=1')));
	import_is("two orders far from each other, $_->[0]", $_->[1], @$_[ 2 .. 3 ], '--upsert', $many)
	  for [ 'new', '500|0|0|1', '-j', 3 ], [ 'again', '0|0|500|1', '--restart', '-v' ];
	my @alike = ([ int32('a', 1), string('b', '1.0') ], [ string('b', '1.0'), double('a', 1) ]);
	push @alike, [ int32('a', 1), string('b', '1') ];
	my $alike = write_file('alike.bson', join('', map { bson(element(3, '_id', bson(@$_))) } @alike));
	import_is('the same numbers, and other strings', '2|0|0|1', '--upsert', $alike);
}
for (
	[ 'the order need not be that of jsonb', '2|0|0|0', 'b=2 a=1', 'b=2 a=3' ],
	[ 'and its documents are replaced', '1|1|0|0', 'b=2 a=1', 'b=5 a=3' ],
	[ 'without --upsert, only a duplicate is rejected', '2|1', 'b=2 a=1', 'a=1 b=2', 'a=2 b=2' ])
{
	my ($what, $counts, @keys) = @$_;
	my @table = $counts =~ /\|.*\|/ ? qw(--upsert -t other2) : qw(-t both);
	my $n = $what =~ /replaced/ ? 1 : 0;
	import_is($what, $counts, @table, qw(--format bson -), join('', map { ordered($n, split(/ /)) } @keys));
}

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
my $many = 60_000;
my $big = write_file('big.bson', documents(400, 1 .. $many));
sql(sprintf(q{CREATE TABLE big (_id objectid PRIMARY KEY, doc jsonb NOT NULL); INSERT INTO big VALUES ('%s', '{}')},
		hex_id(1)));
kill_held($big, $many - 1000, '--upsert');
like(import_is('resumed', $many - 1 . '|1|0|0', '--upsert', $big), qr/continuing run/, 'an interrupted load');
like(import_is('again', $many - 1 . '|1|0|0', '--upsert', $big), qr/already loaded/, 'is known');

# Going back to an earlier file
my ($monday, $tuesday) = map { write_file("$_/back.json", qq({"_id":1,"day":"$_"}\n)) } qw(monday tuesday);
import_is("back: $_->[0]", $_->[1], '--upsert', $_->[0])
  for [ $monday, '1|0|0|0' ], [ $tuesday, '0|1|0|0' ], [ $monday, '0|1|0|0' ];
is(sql(q{SELECT doc->>'day' FROM back}), 'monday', 'the earlier document is back');
sql('CREATE RULE away AS ON UPDATE TO back DO INSTEAD NOTHING');
import_fails('a rule for UPDATE', qr/rule for INSERT, or, with --upsert, for UPDATE/, '--upsert', $tuesday);

done_testing();
