# objectid-import: every document of a file ends in the table or, with the reason, in the
# side table, once.
use strict;
use warnings FATAL => 'all';
use POSIX qw(setsid);
use ImportTest;

set_up();

# documents_become($name, [ table, side table ], $expected, @arguments) - import documents, and
# check what becomes of each.  Document n has the key hex_id(n).  $expected has, for each document,
# its other fields, or how the reason begins for which it is rejected.
sub documents_become
{
	my ($name, $tables, $expected, @arguments) = @_;
	my $loaded = grep { /^\{/ } @$expected;
	import_ok($name, "$loaded|" . (@$expected - $loaded), @arguments);
	my @found = split(
		/\n/,
		sql(sprintf(
				q{SELECT coalesce(reason, (doc - '_id')::text) FROM generate_series(1, %d) AS n LEFT JOIN %s ON position = n
				LEFT JOIN %s ON _id = ('500000000000000' || lpad(to_hex(n), 9, '0'))::objectid ORDER BY n},
				scalar @$expected, @$tables[ 1, 0 ])));
	is(substr($found[$_], 0, length($expected->[$_])), $expected->[$_], "$name: document " . ($_ + 1))
	  for 0 .. $#$expected;
}

# $levels of documents, with what wraps a value in JSON at the bottom
sub nested_bson
{
	my ($levels) = @_;
	my $nested = bson(id(1));
	$nested = bson(element(3, 'd', $nested)) for 3 .. $levels;
	return element(3, 'd', $nested);
}

sub nested_json
{
	my ($levels) = @_;
	return '"d":' . '{"d":' x ($levels - 2) . '{' . json_id(1) . '}' x $levels;
}
my $nested = '{"d": ' x 199 . '{"_id": {"$oid": "' . hex_id(1) . '"}}';

# values of Extended JSON that are none
sub wrong_values
{
	my ($name, @texts) = @_;
	return [ "not Extended JSON: bad value of \$$name", map { qq({ "\$$name":"$_"}) } @texts ];
}

sub uuid { return element(5, '_id', pack('VCH*', 16, $_[0], $_[1] =~ tr/-//dr)) }
sub date { return element(9, $_[0], pack('q<', $_[1])) }

# What BSON has, and what of it PostgreSQL can't hold.  Document n has the key id(n), unless it has another one.
my $object = bson(element(3, 'd', bson(element(4, 'a', bson(int32('0', 1), string('1', 'x'))))));
my $scope = bson(int32('a', 1), int32('a', 2));
my $dates =
	'{"d": {"$date": "2023-11-14T22:13:20.123Z"}, "old": {"$date": {"$numberLong": "-1"}}, '
  . '"last": {"$date": "9999-12-31T23:59:59.999Z"}, "first": {"$date": {"$numberLong": "-9223372036854775808"}}, '
  . '"later": {"$date": {"$numberLong": "253402300800000"}}}';
my %dates = (
	d => 1700000000123,
	old => -1,
	first => -9223372036854775807 - 1,
	last => 253402300799999,
	later => 253402300800000);
my $elephant = "\xc3\xa9\xf0\x9f\x90\x98";
my @bson = (
	[ '', '{}' ],
	[ string('s', qq{"\\/\b\n\x01}), q{{"s": "\"\\\\/\\b\\n\\u0001"}} ],
	[ string('s', $elephant) . string('', 'empty name'), qq{{"": "empty name", "s": "$elephant"}} ],
	[
		int32('i', -2147483648) . element(0x12, 'l', pack('q<', -9223372036854775807 - 1)),
		'{"i": -2147483648, "l": -9223372036854775808}'
	],
	[ double('a', 0.1) . double('b', -3) . double('c', 1e20), '{"a": 0.1, "b": -3.0, "c": 100000000000000000000.0}' ],
	[
		double('a', 9**9**9) . double('b', -sin(9**9**9)),
		'{"a": {"$numberDouble": "Infinity"}, "b": {"$numberDouble": "NaN"}}'
	],
	[
		double('a', 5e-324) . double('b', 1.7976931348623157e308),
		sprintf('{"a": 0.%s5, "b": 17976931348623157%s.0}', '0' x 323, '0' x 292)
	],
	[ element(8, 't', "\1") . element(8, 'f', "\0") . element(10, 'n', ''), '{"f": false, "n": null, "t": true}' ],
	[ join('', map { date($_, $dates{$_}) } sort keys %dates), $dates ],
	[ element(5, 'b', pack('VCa*', 3, 0, 'abc')), '{"b": {"$binary": {"base64": "YWJj", "subType": "00"}}}' ],
	[ element(0x0b, 'r', "a\"b\0i\0"), '{"r": {"$regularExpression": {"options": "i", "pattern": "a\"b"}}}' ],
	[ element(0x11, 't', pack('VV', 1, 2)), '{"t": {"$timestamp": {"i": 1, "t": 2}}}' ],
	[ element(0x13, 'd', pack('VVVV', 1, 0, 0, 0x30400000)), '{"d": {"$numberDecimal": "1"}}' ],
	[ element(0xff, 'min', '') . element(0x7f, 'max', ''), '{"max": {"$maxKey": 1}, "min": {"$minKey": 1}}' ],
	[ element(3, 'n', $object) . element(4, 'e', bson()), '{"e": [], "n": {"d": {"a": [1, "x"]}}}' ],
	[ int32('before', 1) . id(16), '{"before": 1}' ],
	[ nested_bson(200), $nested ],
	[ nested_bson(201), 'nested deeper than 200 levels' ],
	[ string('s', "a\0b"), 'NUL character in a string' ],
	[ string('s', "\xff"), 'invalid UTF-8 in a string' ],
	[ string('s', "\xed\xa0\x80"), 'invalid UTF-8 in a string' ],
	[ string("\xe9", 'latin 1'), 'invalid UTF-8 in a field name' ],
	[ element(4, 'a', bson(string('0', "\0"))), 'NUL character in a string' ],
	[ int32('a', 1) . int32('a', 2), 'a field occurs twice' ],
	[ join('', map { int32($_, 1) } 'a' .. 'z', 'A' .. 'Z', 'm'), 'a field occurs twice' ],
	[ element(0x0f, 'c', pack('V V/a*', 10 + length($scope), "x\0") . $scope), 'a field occurs twice' ],
	[ element(0x0d, 'code', pack('V/a*', "a\0b\0")), 'NUL character in a string' ]);
$bson[$_][0] = id($_ + 1) . $bson[$_][0] for grep { $_ != 15 } 0 .. $#bson;
push @bson,
  [ '', 'no _id' ],
  [ string('_id', 'x'), '_id is a string, not an ObjectId' ],
  [ int32('_id', 1), '_id is an integer, not an ObjectId' ],
  [ element(10, '_id', ''), '_id is null, not an ObjectId' ],
  [ element(3, '_id', bson(id(1))), '_id is a document, not an ObjectId' ],
  [ element(3, 'n', bson(id(1))), 'no _id' ],
  [ id(1) . int32('again', 1), 'duplicate: the table has this _id already' ];

my $good = grep { $_->[1] =~ /^\{/ } @bson;
my @documents = map { bson($_->[0]) } @bson;
my @expected = map { $_->[1] } @bson;
my $counts = "$good|" . (@bson - $good);
my $all = write_file('all.bson', join('', @documents));

documents_become('every type of BSON', [ '"all"', 'all_rejected' ], \@expected, $all);
is(sql(q{SELECT bool_and(doc->'_id'->>'$oid' = _id::text) FROM "all"}), 't', '_id is in the document, too');
is( sql("SELECT string_agg(encode(raw, 'hex'), '' ORDER BY position) FROM all_rejected"),
	unpack('H*', join('', @documents[ $good .. $#bson ])),
	'rejected documents: the very bytes');
is(sql('SELECT DISTINCT file, r.run = i.run FROM all_rejected AS r, objectid_import AS i'),
	'all.bson|t', 'rejected documents: the file and the run');
# JSON: whole documents, values of a field, and what is wrong.  libbson alone would load many of
# those as other values.
my @json = (
	[
		'"n":{"$numberInt":"1"},"l":{"$numberLong":"9007199254740993"},"d":{"$numberDouble":"0.1"}}',
		'{"d": 0.1, "l": 9007199254740993, "n": 1}'
	],
	[ '"n":1,"l":9007199254740993,"d":0.1}', '{"d": 0.1, "l": 9007199254740993, "n": 1}' ],
	[
		qq(\t{ "_id" : { "\$oid" : "@{[ hex_id(3) ]}" },\r\n  "s" : "\\u00e9 \\\\u0000 \\ud83d\\udc18" }),
		qq({"s": "\xc3\xa9 \\\\u0000 \xf0\x9f\x90\x98"})
	],
	[ nested_json(200), $nested ],
	[ nested_json(201), 'nested deeper than 200 levels' ],
	[ '{}', 'no _id' ],
	[ '{"_id":"text"}', '_id is a string, not an ObjectId' ],
	[ '{"_id":{"$oid":"nonsense"}}', 'not Extended JSON: bad value of $oid' ],
	[ '{' . json_id(1) . '}', 'duplicate: the table has this _id already' ],
	[ '"a\u0000b":1}', 'NUL character in a string' ]);
my $pointer = '{"$dbPointer":{"$ref":"r","$id":{"$oid":"500000000000000000000001"}}}';
my @values = (
	[ '{"$date":"2019-01-31T23:59:59.999Z"}', '{"$date": "2019-01-31T23:59:59.999Z"}' ],
	[ '{"$date":"2019-01-31T23:59:59.1Z"}', '{"$date": "2019-01-31T23:59:59.100Z"}' ],
	[ '{"$date":"2019-01-31T23:59:59.1239Z"}', '{"$date": "2019-01-31T23:59:59.123Z"}' ],
	[ '{"$date":"2019-01-01T00:30:00+02:00"}', '{"$date": "2018-12-31T22:30:00Z"}' ],
	[ '{"$date":"2019-01-01T00:30:00+0200"}', '{"$date": "2018-12-31T22:30:00Z"}' ],
	[ '{"$date":"2018-12-31T22:30:00.5-01:30"}', '{"$date": "2019-01-01T00:00:00.500Z"}' ],
	[ '{"$date":"2020-02-29T12:00Z"}', '{"$date": "2020-02-29T12:00:00Z"}' ],
	[ '{"$numberDouble" : "-1.5e3"}', '-1500.0' ],
	[ '{"$numberDouble":"-Infinity"}', '{"$numberDouble": "-Infinity"}' ],
	[ '{"$numberDecimal":"-Infinity"}', '{"$numberDecimal": "-Infinity"}' ],
	[ '"$oid"', '"$oid"' ],
	[ '"\"$oid\":\"x"', '"\"$oid\":\"x"' ],
	[
		'[' x 199 . $pointer . ']' x 199,
		'[' x 199 . '{"$dbPointer": {"$id": {"$oid": "500000000000000000000001"}, "$ref": "r"}}' . ']' x 199
	]);
my @wrong = (
	[ 'NUL character in a string', '"\u0000"' ],
	[ 'invalid UTF-8 in a string', "\"\xff\"" ],
	[ 'Unicode escape without its other half', '"\ud800"' ],
	[
		'a field occurs twice', '1,"a":2',
		'{"$code":"x","$scope":{"a":1,"a":2}}', '{"$regularExpression":{"pattern":"a","pattern":"b","options":""}}'
	],
	[ 'nested deeper than 200 levels', '[' x 500 . ']' x 500 ],
	[ 'not Extended JSON: an integer of more than 64 bits', '123456789012345678901234567890' ],
	[ 'not Extended JSON: a double out of range', '1e400', '-1e400', '1e-400' ],
	wrong_values('oid', '50000000000000000000000G', 'z' x 24, '507f1f77bcf86cd7994390-1'),
	wrong_values('numberDecimal', '', 'zz'),
	wrong_values('numberDouble', '', ' 1', qw(1.0x 0x10 1e nan 1e400 -1e400)),
	wrong_values(
		'date', qw(2019-02-30T00:00:00Z 2019-13-01T00:00:00Z 1900-02-29T00:00:00.5+01:00 2019-01-01T24:00:00Z
		  2019-01-01T00:60:00Z 2019-01-01T00:00:60Z 2016-12-31T23:59:60Z 2016-02-30T23:59:60Z 2019-01-01
		  2019-01-01T00:00:00 2019-01-01T00:00:00+02 2019-01-01T00:00:00+02:00Z 2019-01-01T00:00:00+24:00
		  2019-01-01T00:00:00+2:00 2019-01-01T00:00:00+00:60 2019-01-01T00:00:00.Z 2019-1-01T00:00:00Z
		  2020-01-01T10:0Z 2020-01-01T10:00:0Z 2020-01-01T10:365Z 19-01-01T00:00:00Z -999-01-01T00:00:00Z 999-01-01T00:00:00xZ),
		'2019-01- 1T00:00:00Z'));
push @json, map { [ qq("a":$_->[0]}), qq({"a": $_->[1]}) ] } @values;
for (@wrong)
{
	my ($reason, @texts) = @$_;
	push @json, map { [ qq("a":$_}), $reason ] } @texts;
}

# with a key in each that has none
sub numbered
{
	my $n = 0;
	return map { $n++; $_->[0] =~ /^[{\t1]/ ? $_->[0] : '{' . json_id($n) . ",$_->[0]" } @_;
}
@expected = map { $_->[1] } @json;
my $lines = join('', map { "$_\n" } numbered(@json));
documents_become('JSON', [ '"Lines.of"', '"Lines.of_rejected"' ], \@expected, write_file('Lines.of.json', $lines));
my @array = ([ 1, 'not a document: it does not begin with {' ], @json[ 5, 6 ]);
import_ok('an array of JSON',
	'0|3', '--id-type=objectid', write_file('in_array.json', '[' . join(",\n", numbered(@array)) . "]\n"));
is( sql(q{SELECT string_agg(reason || ' ' || convert_from(raw, 'UTF8'), E'\n' ORDER BY position) FROM in_array_rejected}
	),
	"$array[0][1] 1\nno _id {}\n_id is a string, not an ObjectId {\"_id\":\"text\"}",
	'rejected elements of an array: reasons, and the very bytes');

import_ok('an empty file', '0|0', write_file('empty.bson', ''));
import_ok('an empty pipe', '0|0', qw(--format json -t empty_pipe -), '');
is(sql('SELECT count(*) FROM empty, empty_pipe'), '0', 'files without documents make empty tables');

# A schema, the extension elsewhere, a table with columns and constraints of its own
sql('CREATE DATABASE other');
$node->safe_psql(
	'other', q{
CREATE EXTENSION objectid; CREATE SCHEMA "My data";
CREATE TABLE "My data".kept (loaded timestamptz DEFAULT now(), doc jsonb NOT NULL CHECK (doc->'n' <> '13'), _id objectid PRIMARY KEY)}
);
my $kept = write_file('kept.bson', join('', map { bson(id($_), int32('n', $_)) } 1 .. 1000));
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', $node->connstr('other'));
	import_ok('into a table that is there', '999|1', '-t', '"My data".KEPT', $kept);
	like(
		$node->safe_psql('other', q{SELECT position, reason FROM "My data".kept_rejected}),
		qr/^13\|new row for relation "kept" violates check constraint "kept_doc_check" \(Failing row /,
		'into a table that is there: a row that it refuses is rejected alone');
	my ($status, $out) = run_import('-n', 'My data', $kept);
	is($status, 3, '--schema, without the name of the table');
	like(
		$out,
		qr/^table +loaded +rejected +seconds\n"My data"\.kept +999 +1 +\d+\.\d\n +rejected documents: "My data"\.kept_rejected$/,
		'the report of a load');
}

# A database that has not every character
$node->safe_psql('postgres', q{CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0});
$node->safe_psql('latin', 'CREATE EXTENSION objectid');
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', $node->connstr('latin'));
	my @texts = map { [qq("s":$_})] } qq("\xc3\xa9"), qq("\xe6\xbc\xa2"), qq({"\$numberInt":"\xe6\xbc\xa2"});
	import_ok('into LATIN1', '1|2', qw(--format json -t latin -), join("\n", numbered(@texts)));
	is($node->safe_psql('latin', q{SELECT string_agg(position::text, ' ' ORDER BY position) FROM latin_rejected}),
		'2 3', 'into LATIN1: characters that it has not are rejected');
}

# Keys of other types: guessed, and said, or given; those of a different type are rejected.  Of
# each type: keys in BSON, what they become, others with the reason, keys in JSON, what they become.
my $uuid = '00112233-4455-6677-8899-aabbccddeeff';
my $zero = '00000000-0000-0000-0000-000000000000';
my $not_integer = '_id is a double, not an integer';
my %keys = (
	text => [
		[ string('_id', 'a'), string('_id', "\xc3\xa9"), string('_id', '') ],
		"|a|\xc3\xa9",
		[ [ int32('_id', 1), '_id is an integer, not a string' ], [ id(1), '_id is an ObjectId, not a string' ] ],
		[ '"a\"\u00e9"', '"b"' ],
		"a\"\xc3\xa9|b"
	],
	bigint => [
		[ int32('_id', -1), element(0x12, '_id', pack('q<', 2**53)), double('_id', 7), double('_id', -0.0) ],
		'-1|0|7|9007199254740992',
		[
			[ double('_id', 1.5), $not_integer ],
			[ double('_id', 2**63), $not_integer ],
			[ string('_id', '1'), '_id is a string, not an integer' ],
			[ double('_id', -1), 'duplicate: the table has this _id already' ]
		],
		[ 1, '{"$numberInt":"2"}', '{"$numberLong":"3"}', '4.0', '{"$numberDouble":"5.0"}' ],
		'1|2|3|4|5'
	],
	uuid => [
		[ uuid(4, $uuid), uuid(4, $zero) ],
		"$zero|$uuid",
		[
			[ uuid(3, $uuid), '_id is a UUID of the old subtype 3, whose byte order is unknown, not a UUID' ],
			[ string('_id', $uuid), '_id is a string, not a UUID' ]
		],
		[ '{"$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}}', qq({"\$uuid":"$zero"}) ],
		"$zero|$uuid"
	],
	jsonb => [
		[
			element(3, '_id', bson(int32('a', 1), string('b', 'x'))),
			element(8, '_id', "\1"),
			date('_id', 1700000000123),
			double('_id', 1.5)
		],
		'1.5|true|{"$date": "2023-11-14T22:13:20.123Z"}|{"a": 1, "b": "x"}',
		[ [ double('_id', 1.5), 'duplicate: the table has this _id already' ], [ string('x', 'y'), 'no _id' ] ],
		[ '"a"', 1, '2' ],
		'"a"|1|2'
	]);
for my $type (sort keys %keys)
{
	my ($good, $loaded, $bad, $json, $loaded_json) = @{ $keys{$type} };
	my $file = write_file("$type.bson", join('', map { bson($_) } @$good, map { $_->[0] } @$bad));
	like(
		import_is("keys of type $type", @$good . '|' . @$bad, '-t', "bson_$type", $file),
		qr/^objectid-import: $type\.bson: the keys of the first documents are of type $type$/,
		"$type is guessed, and said");
	is( sql("SELECT string_agg(reason, E'\\n' ORDER BY position) FROM bson_${type}_rejected"),
		join("\n", map { $_->[1] } @$bad),
		"keys that are not $type: the reasons");
	my @pipe = ('-v', '-P', '--format=json', '-t', "json_$type", "--id-type=$type", '-');
	my $documents = join('', map { qq({"long name":1,"_id":$_,"n":1}) } @$json);
	my $said = import_is("--id-type=$type", @$json . '|0', @pipe, $documents);
	unlike($said, qr/row by row/, 'the server has refused nothing on the way');
	like($said, qr/^reading: 0 MB$/m, 'the progress of the pipe');
	is( sql(qq{SELECT pg_typeof(_id), string_agg(_id::text, '|' ORDER BY _id::text COLLATE "C") FROM $_->[0] GROUP BY 1}
		),
		"$type|$_->[1]",
		"$_->[0]: the keys") for [ "bson_$type", $loaded ], [ "json_$type", $loaded_json ];
}
import_fails(
	'a table whose keys are of a different type',
	qr/table public\.bson_text cannot be loaded\n.*detail: Its column "_id" is of type text\.\n.*hint: Use --drop/,
	'-t', 'bson_text', '--id-type', 'objectid', $all);
import_ok('the type of the table decides', '1|' . $#bson, '-t', 'bson_bigint', $all);

# Several files
{
	write_file("several/$_->[0]", $_->[1])
	  for [ 'b.json', lines_of(qw("n":1 "n":2)) ], [ 'a.bson', documents(0, 1 .. 3) ],
	  [ 'c.json.gz', compress('{"_id":1}') ];
	my @files = map { "several/$_" } qw(c.json.gz a.bson b.json);
	sql('CREATE SCHEMA first; CREATE TABLE first.b (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	local $ENV{PGOPTIONS} = '-c search_path=public,first';
	my ($status, $out, $err) = run_import(@files);
	is( "$status " . join(' ', $out =~ /^(\S+ +\d+) /mg) =~ s/ +/ /gr,
		'0 first.b 2 public.a 3 public.c 1',
		'several files') or diag($err);
	import_is('several files that are loaded already, with jobs', '2|0 3|0 1|0', '-j', 2, @files);
	verify_is('several files', '2|0|0|0|0 3|0|0|0|0 1|0|0|0|0', [], @files);
	import_is('--dry-run', '3|0 2|0 1|0', '--dry-run', @files);
	import_is('a directory and a file', '3|0 2|0 1|0 0|0', '-n', 'first', 'several', 'empty.bson');
	is(join(' ', script_of('--schema-only', @files) =~ /^ALTER TABLE (\S+)/mg), 'first.b public.a', '--schema-only');
	write_file('first/b.json', lines_of('"n":3'));
	import_fails(
		'two for a table that the search path finds',
		qr{files "\S+/b.json" and "\S+/b.json" would go into one table},
		@$_, 'first', 'several/b.json') for [], ['--schema-only'];
}

# Wrong calls
write_file('Makefile', '');
write_file('elsewhere/all.bson', '');
my $one_file = qr/--table, --format and --unpack are for a single file/;
my $unknown = qr/unrecognized option.*\n.*hint: Try "objectid-import --help"/;
my $types = qr/--id-type must be objectid, text, bigint, uuid or jsonb/;
my $directory = qr/--include and --exclude are for a directory, and "all.bson" is a file/;
import_fails("a wrong call: @$_[ 1 .. $#$_ ]", @$_)
  for [qr/no file or directory is specified\n.*hint: Try /],
  [ $one_file, qw(-t a empty.bson all.bson) ],
  [ qr/files "all.bson" and "elsewhere\/all.bson" would go into one table/, qw(all.bson elsewhere/all.bson) ],
  [ $directory, qw(--include=a all.bson) ],
  [ $directory, qw(--exclude=a all.bson) ],
  [ qr/could not open file ".*none\.bson"/, 'none.bson' ],
  [ qr/has no collections to load/, 'build' ],
  [ qr/the format of file ".*Makefile" is unknown\n.*hint: Use --format/, 'Makefile' ],
  [ qr/--table and --format are for a single file/, qw(-t x build) ],
  [ qr/--table and --schema cannot be used together/, qw(-t x -n y all.bson) ],
  [ qr/--format must be bson or json/, qw(--format xml all.bson) ],
  [ $types, qw(--id-type int all.bson) ],
  [ qr/--jobs must be in range 1\.\.64/, qw(-j 0 all.bson) ],
  [ qr/--max-rejected must be in range 0\.\./, qw(--max-rejected -1 all.bson) ],
  [ $unknown, qw(--nonsense all.bson) ],
  [ qr/connection to server/, qw(-d host=/nowhere all.bson) ],
  [ qr/"nobody_there" does not exist/, qw(-U nobody_there all.bson) ];
import_fails('no table', qr/no table is specified for standard input\n.*hint: Use --table\./, '--format=bson', '-', '');

for my $name ('x' x 70, 'a-b', '1abc', 'a.b.c', '"a', 'a.', '')
{
	import_fails("refused: @$_ $name", qr/is not the name of a table\n.*hint: .*at most 63 bytes/, @$_, $name, $all)
	  for ['-t'], [ '--schema-only', '-t' ];
}
for my $option (qw(-? --help -V --version))
{
	my ($status, $out, $err) = run_import($option);
	is("$status $err", '0 ', $option);
	like(
		$out,
		$option =~ /V|version/ ? qr/^objectid-import \(objectid\) \d/ : qr/^Usage:\n  objectid-import/m,
		"$option: what it prints");
}
{
	local @ImportTest::command =
	  ($ImportTest::command[0], '-h', $node->host, '-p', $node->port, '-d', 'postgres', '-w');
	import_ok('options for the connection', $counts, '-t', 'by_options', $all);
}
is((run_import('-q', '-t', 'quiet', $all))[1], '', '-q prints no report');

# A password is asked for once, for all connections
sql(q{CREATE ROLE regress_objectid_keeper LOGIN PASSWORD 'secret'; GRANT ALL ON objectid_import TO PUBLIC});
sql('GRANT CREATE ON SCHEMA public TO regress_objectid_keeper');
my $rules = $node->data_dir . '/pg_hba.conf';
my $before = slurp_file($rules);
unlink($rules);
append_to_file($rules, "local all regress_objectid_keeper scram-sha-256\n$before");
$node->reload;

for ([ 0, 'secret' ], [ 0, 'secret', '-W' ], [ 1, 'wrong' ], [ 1, '', '-w' ])
{
	my ($status, $password, @options) = @$_;
	my ($output, @arguments) = ('', @options, '-U', 'regress_objectid_keeper', '-t', 'kept' . @options, $kept);
	my $input = $password eq '' ? '' : "$password\n";
	IPC::Run::run([ @ImportTest::command, @arguments ], '<', \$input, '>&', \$output, init => sub { setsid() });
	is($? >> 8, $status, "a password, @options: exit status") or diag($output);
	is(() = $output =~ /Password: /g, $password eq '' ? 0 : 1, "a password, @options: how often it is asked for");
}

done_testing();
