# objectid-import: every document of a file ends in the table or, with the reason, in the
# side table, once.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ImportTest;

set_up();

# What BSON has, and what of it PostgreSQL can't hold
my $deep = bson();
$deep = bson(element(3, 'd', $deep)) for 1 .. 250;
my $nested = bson(element(3, 'd', bson(element(4, 'a', bson(int32('0', 1), string('1', 'x'))))));
my @good = (
	[ id(1), '{"_id": {"$oid": "500000000000000000000001"}}' ],
	[ id(2) . string('s', qq{"\\/\b\n\x01}), q{{"s": "\"\\\\/\\b\\n\\u0001"}} ],
	[
		id(3) . string('s', "\xc3\xa9\xf0\x9f\x90\x98") . string('', 'empty name'),
		qq{{"": "empty name", "s": "\xc3\xa9\xf0\x9f\x90\x98"}}
	],
	[
		id(4) . int32('i', -2147483648) . element(0x12, 'l', pack('q<', -9223372036854775807 - 1)),
		'{"i": -2147483648, "l": -9223372036854775808}'
	],
	[
		id(5) . element(1, 'a', pack('d<', 0.1)) . element(1, 'b', pack('d<', -3)) . element(1, 'c', pack('d<', 1e20)),
		'{"a": 0.1, "b": -3.0, "c": 100000000000000000000.0}'
	],
	[
		id(6) . element(1, 'a', pack('d<', 9**9**9)) . element(1, 'b', pack('d<', -sin(9**9**9))),
		'{"a": {"$numberDouble": "Infinity"}, "b": {"$numberDouble": "NaN"}}'
	],
	[ id(7) . element(1, 'a', pack('d<', 5e-324)) . element(1, 'b', pack('d<', 1.7976931348623157e308)), undef ],
	[
		id(8) . element(8, 't', "\1") . element(8, 'f', "\0") . element(10, 'n', ''),
		'{"f": false, "n": null, "t": true}'
	],
	[
		id(9)
		  . element(9, 'd', pack('q<', 1700000000123))
		  . element(9, 'old', pack('q<', -1))
		  . element(9, 'first', pack('q<', -9223372036854775807 - 1))
		  . element(9, 'last', pack('q<', 253402300799999))
		  . element(9, 'later', pack('q<', 253402300800000)),
		'{"d": {"$date": "2023-11-14T22:13:20.123Z"}, "old": {"$date": {"$numberLong": "-1"}}, "first": {"$date": {"$numberLong": "-9223372036854775808"}}, '
		  . '"last": {"$date": "9999-12-31T23:59:59.999Z"}, "later": {"$date": {"$numberLong": "253402300800000"}}}'
	],
	[ id(10) . element(5, 'b', pack('VCa*', 3, 0, 'abc')), '{"b": {"$binary": {"base64": "YWJj", "subType": "00"}}}' ],
	[ id(11) . element(0x0b, 'r', "a\"b\0i\0"), '{"r": {"$regularExpression": {"options": "i", "pattern": "a\"b"}}}' ],
	[ id(12) . element(0x11, 't', pack('VV', 1, 2)), '{"t": {"$timestamp": {"i": 1, "t": 2}}}' ],
	[ id(13) . element(0x13, 'd', pack('VVVV', 1, 0, 0, 0x30400000)), '{"d": {"$numberDecimal": "1"}}' ],
	[ id(14) . element(0xff, 'min', '') . element(0x7f, 'max', ''), '{"max": {"$maxKey": 1}, "min": {"$minKey": 1}}' ],
	[ id(15) . element(3, 'n', $nested) . element(4, 'e', bson()), '{"e": [], "n": {"d": {"a": [1, "x"]}}}' ],
	[ int32('before', 1) . id(16), '{"before": 1}' ]);
my @bad = (
	[ int32('a', 1), 'no _id' ],
	[ string('_id', 'x'), '_id is a string, not an ObjectId' ],
	[ int32('_id', 1), '_id is an integer, not an ObjectId' ],
	[ element(10, '_id', ''), '_id is null, not an ObjectId' ],
	[ element(3, '_id', bson(id(1))), '_id is a document, not an ObjectId' ],
	[ element(3, 'n', bson(id(1))), 'no _id' ],
	[ id(50) . string('s', "a\0b"), 'NUL character in a string' ],
	[ id(51) . string('s', "\xff"), 'invalid UTF-8 in a string' ],
	[ id(52) . string('s', "\xed\xa0\x80"), 'invalid UTF-8 in a string' ],
	[ id(53) . string("\xe9", 'latin 1'), 'invalid UTF-8 in a field name' ],
	[ id(54) . element(4, 'a', bson(element(2, '0', pack('V/a*', "\0\0")))), 'NUL character in a string' ],
	[ id(55) . int32('a', 1) . int32('a', 2), 'a field occurs twice' ],
	[ id(56) . join('', map { int32("f$_", 1) } 1 .. 40) . int32('f7', 2), 'a field occurs twice' ],
	[ id(57) . element(3, 'd', $deep), 'nested deeper than 200 levels' ],
	[ id(58) . element(0x0d, 'code', pack('V/a*', "a\0b\0")), 'NUL character in a string' ],
	[ id(1) . int32('again', 1), 'duplicate: the table has this _id already' ]);
my @documents = map { bson($_->[0]) } @good, @bad;
my $all = write_file('all.bson', join('', @documents));

import_ok('every type of BSON', '16|16', '', $all);
like(
	(run_import('', $all))[1],
	qr/^table +loaded +rejected +seconds
public\."all" +16 +16 +\d+\.\d
 +rejected documents: public\.all_rejected$/,
	'the report');
for my $n (1 .. @good)
{
	my $expected = $good[ $n - 1 ][1] // next;
	my $shown = $n == 1 ? 'doc' : "doc - '_id'";
	is( sql(sprintf(q{SELECT %s FROM "all" WHERE _id = '%s'}, $shown, hex_id($n))),
		sql("SELECT \$x\$$expected\$x\$::jsonb"),
		"document $n is $expected");
}
is( sql(q{SELECT (doc->>'a')::float8 = 5e-324, (doc->>'b')::float8 = 1.7976931348623157e308 FROM "all" WHERE _id = '500000000000000000000007'}
	),
	't|t',
	'the smallest and the largest double');
is(sql(q{SELECT bool_and(doc->'_id'->>'$oid' = _id::text) FROM "all"}), 't', '_id is in the document, too');
is( sql('SELECT position, reason FROM all_rejected ORDER BY position'),
	join("\n", map { $_ + 17 . "|$bad[$_][1]" } 0 .. $#bad),
	'rejected documents: position and reason');
is( sql("SELECT string_agg(encode(raw, 'hex'), '' ORDER BY position) FROM all_rejected"),
	unpack('H*', join('', @documents[ 16 .. 31 ])),
	'rejected documents: the very bytes');
is(sql('SELECT DISTINCT file, r.run = i.run FROM all_rejected AS r, objectid_import AS i'),
	'all.bson|t', 'rejected documents: the file and the run');

# JSON: canonical, relaxed, shell white space, an array
my $json = join('',
	map { "$_\n" }
	  '{"_id":{"$oid":"500000000000000000000001"},"n":{"$numberInt":"1"},"l":{"$numberLong":"9007199254740993"},"d":{"$numberDouble":"0.1"}}',
	'{"_id":{"$oid":"500000000000000000000002"},"n":1,"l":9007199254740993,"d":0.1,"w":{"$date":"2023-11-14T22:13:20.123Z"}}',
	"\t{ \"_id\" : { \"\$oid\" : \"500000000000000000000003\" },\r\n  \"s\" : \"\\u00e9 \\\\u0000 \\ud83d\\udc18\" }",
	'{"_id":"text"}',
	'{"_id":{"$oid":"nonsense"}}',
	'{"_id":{"$oid":"500000000000000000000004"},"s":"\u0000"}',
	'{"_id":{"$oid":"500000000000000000000005"},"a\u0000b":1}',
	"{\"_id\":{\"\$oid\":\"500000000000000000000006\"},\"s\":\"\xff\"}",
	'{"_id":{"$oid":"500000000000000000000007"},"a":1,"a":2}',
	'{"_id":{"$oid":"500000000000000000000001"}}',
	'{"_id":{"$oid":"500000000000000000000008"},"x":' . '[' x 500 . ']' x 500 . '}',
	'{"_id":{"$oid":"500000000000000000000009"},"n":123456789012345678901234567890}',
	'{"_id":{"$oid":"50000000000000000000000a"},"s":"\ud800"}',
	'{}');
my $lines = write_file('Lines.of.json', $json);
my $array = '[' . join(",\n", split(/(?<=\})\r?\n(?=\{|\t)/, $json =~ s/\n\z//r)) . "]\n";
is(() = $array =~ /\},\n/g, 13, 'the array has 14 elements');
import_ok('JSON, a document a line', '3|11', '', $lines);
import_ok('JSON, an array', '3|11', $array, '--format=json', '-t', 'in_array', '-');
import_ok('JSON, with a byte order mark', '3|11', "\xef\xbb\xbf$json", '--format', 'json', '-t', 'with_bom', '-');

for my $table ('"Lines.of"', 'in_array', 'with_bom')
{
	(my $rejected = $table) =~ s/(\w)("?)$/$1_rejected$2/;
	is( sql("SELECT doc - '_id' FROM $table ORDER BY _id"),
		qq{{"d": 0.1, "l": 9007199254740993, "n": 1}\n}
		  . qq{{"d": 0.1, "l": 9007199254740993, "n": 1, "w": {"\$date": "2023-11-14T22:13:20.123Z"}}\n}
		  . qq{{"s": "\xc3\xa9 \\\\u0000 \xf0\x9f\x90\x98"}},
		"$table: documents");
	is( sql("SELECT string_agg(position::text, ' ' ORDER BY position) FROM $rejected"),
		'4 5 6 7 8 9 10 11 12 13 14',
		"$table: rejected documents");
	is( sql("SELECT convert_from(raw, 'UTF8'), reason FROM $rejected WHERE position IN (4, 14) ORDER BY position"),
		qq{{"_id":"text"}|_id is a string, not an ObjectId\n{}|no _id},
		"$table: what they are");
}

# The same depth in both formats, with what wraps a value in JSON at the bottom
for my $levels (200, 201)
{
	my $bottom = bson(id(1));
	$bottom = bson(element(3, 'd', $bottom)) for 3 .. $levels;
	my $counts = $levels == 200 ? '1|0' : '0|1';
	import_ok(
		"BSON of $levels levels",
		$counts, bson(id(1) . element(3, 'd', $bottom)),
		'--format', 'bson', '-t', "deep$levels", '-');
	import_ok(
		"JSON of $levels levels",
		$counts, '{' . json_id(2) . ',"d":' . '{"d":' x ($levels - 2) . '{' . json_id(1) . '}' x $levels,
		'--format', 'json', '-t', "deep$levels", '-');
}
is(sql(q{SELECT count(*), count(DISTINCT doc->'d') FROM deep200}), '2|1', 'the two are the same');
is( sql(q{SELECT DISTINCT reason FROM deep201_rejected}),
	'nested deeper than 200 levels',
	'and both are rejected one level deeper');

# What libbson alone would load as another value: 50...0, 0...0, NaN, 1.0
my @wrapped = map { "\$oid\":\"$_" } '50000000000000000000000G', 'z' x 24, '507f1f77bcf86cd7994390-1';
push @wrapped, map { "\$numberDecimal\":\"$_" } 'zz', '';
push @wrapped, map { "\$date\":\"$_" } '2019-02-30T00:00:00Z', '2019-13-01T00:00:00Z', '1900-02-29T00:00:00.5+01:00';
push @wrapped, map { "\$date\":\"$_" } '2019-01-01T24:00:00Z', '2019-01-01T00:60:00Z', '2016-12-31T23:59:60Z',
  '2019-01-01', '2019-01-01T00:00:00', '2019-01-01T00:00:00+02', '2019-01-01T00:00:00.Z', '2019-01-01T00:00:00+02:00Z',
  '19-01-01T00:00:00Z', '2019-1-01T00:00:00Z', '2019-01- 1T00:00:00Z', '2019-01-01T00:00:00+2:00',
  '2019-01-01T00:00:00+24:00';
push @wrapped, map { "\$numberDouble\":\"$_" } '1.0x', '', ' 1', '0x10', '1e', 'nan';
import_ok(
	'values of Extended JSON that are none',
	'1|' . (@wrapped + 1),
	join('', map { sprintf(qq({"_id":{"\$oid":"%s"},"a":{ "%s"}}\n), hex_id($_), $wrapped[$_]) } 0 .. $#wrapped)
	  . qq({"_id":{"\$oid":"z0000000000000000000000z"}}\n)
	  . qq({"_id":{"\$oid":"500000000000000000000099"},"a":{"\$numberDouble" : "-1.5e3"},"b":{"\$numberDecimal":"-Infinity"},"c":"\$oid","d":"\\"\$oid\\":\\"x"}),
	'--format',
	'json',
	'-t',
	'wrapped',
	'-');
is( sql(q{SELECT doc - '_id' FROM wrapped}),
	'{"a": -1500.0, "b": {"$numberDecimal": "-Infinity"}, "c": "$oid", "d": "\"$oid\":\"x"}',
	'only what is one is loaded');
is( sql(q{SELECT count(*), count(*) FILTER (WHERE reason LIKE 'not Extended JSON: bad value of $%') FROM wrapped_rejected}
	),
	join('|', (@wrapped + 1) x 2),
	'the others are rejected');

# Each line has its own reason, and not the next one's; no field is dropped, and no date is guessed
my $pointer = '{"$dbPointer":{"$ref":"r","$id":{"$oid":"500000000000000000000001"}}}';
my @wrong = (
	[ '"a":', 'not JSON at its byte 48' ],
	[ '"a":"\u0000"}', 'NUL character in a string' ],
	[ '"a":[' . '{"b":[' x 99, 'not JSON at its byte ' ],
	[ '"a":{"$code":"x","$scope":{"a":1,"a":2}}}', 'a field occurs twice' ],
	[ '"a":{"$regularExpression":{"pattern":"a","pattern":"b","options":""}}}', 'a field occurs twice' ],
	[ '"a":{"$date":"-999-01-01T00:00:00Z"}}', 'not Extended JSON: ' ],
	[ '"a":{"$date":"999-01-01T00:00:00xZ"}}', 'not Extended JSON: ' ],
	[ '"a":{"$date":"2016-02-30T23:59:60Z"}}', 'not Extended JSON: ' ],
	[ '"a":{"$date":"2016-12-31T23:59:60Z"}}', 'not Extended JSON: bad value of $date' ],
	[ '"a":' . '[' x 199 . $pointer . ']' x 199 . '}' ]);
import_ok(
	'lines that are wrong',
	'1|9', join('', map { '{' . json_id($_) . ",$wrong[$_ - 1][0]\n" } 1 .. @wrong),
	'--format', 'json', '-t', 'wrong', '-');
my @reasons = split(/\n/, sql('SELECT reason FROM wrong_rejected ORDER BY position'));
like($reasons[$_], qr/^\Q$wrong[$_][1]\E/, "the reason of line " . ($_ + 1)) for 0 .. 8;

# Dates in the forms of mongoimport, and doubles out of range
my %dates = (
	'2019-01-31T23:59:59.999Z' => '2019-01-31T23:59:59.999Z',
	'2019-01-31T23:59:59.1Z' => '2019-01-31T23:59:59.100Z',
	'2019-01-31T23:59:59.1239Z' => '2019-01-31T23:59:59.123Z',
	'2019-01-01T00:30:00+02:00' => '2018-12-31T22:30:00Z',
	'2019-01-01T00:30:00+0200' => '2018-12-31T22:30:00Z',
	'2018-12-31T22:30:00.5-01:30' => '2019-01-01T00:00:00.500Z',
	'2020-02-29T12:00Z' => '2020-02-29T12:00:00Z');
my @dates = sort keys %dates;
import_ok(
	'dates',
	@dates . '|0',
	join('', map { sprintf(qq({%s,"a":{"\$date":"%s"}}\n), json_id($_), $dates[$_]) } 0 .. $#dates),
	'--format', 'json', '-t', 'dates', '-');
is(sql(q{SELECT string_agg(doc->'a'->>'$date', ' ' ORDER BY _id) FROM dates}), join(' ', @dates{@dates}), 'are these');
my @doubles = ('1e400', '-1e400', '{"$numberDouble":"1e400"}', '{"$numberDouble":"-1e400"}');
import_ok(
	'doubles out of range',
	'1|4',
	join('', map { sprintf(qq({%s,"a":%s}\n), json_id($_), ('{"$numberDouble":"-Infinity"}', @doubles)[$_]) } 0 .. 4),
	'--format', 'json', '-t', 'doubles', '-');
is( sql('SELECT count(*), min(reason), max(reason) FROM doubles_rejected'),
	'4|not Extended JSON: a double out of range|not Extended JSON: bad value of $numberDouble',
	'the reason');
my $scope = bson(int32('a', 1), int32('a', 2));
import_ok(
	'a field that occurs twice in the scope of BSON code',
	'0|1', bson(id(1), element(0x0f, 'c', pack('V V/a*', 10 + length($scope), "x\0") . $scope)),
	'--format', 'bson', '-t', 'scope', '-');
is(sql('SELECT reason FROM scope_rejected'), 'a field occurs twice', 'is the reason');

import_ok(
	'BSON on standard input',
	'16|16', join('', @documents),
	'--format', 'bson', '-t', 'piped', '--side-table', 'aside', '-');
is(sql('SELECT count(*), (SELECT count(*) FROM aside) FROM piped'), '16|16', 'the same as from a file');
is(sql(q{SELECT count(*) FROM (SELECT doc FROM piped EXCEPT SELECT doc FROM "all") AS x}), '0',
	'document for document');
import_ok('an empty file', '0|0', '', write_file('empty.bson', ''));
import_ok('an empty pipe', '0|0', '', '--format', 'json', '-t', 'empty_pipe', '-');
is(sql('SELECT count(*) FROM empty, empty_pipe'), '0', 'makes an empty table');

# A schema, the extension elsewhere, a table with columns and constraints of its own
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql(
	'other', q{
CREATE SCHEMA extensions; CREATE EXTENSION objectid SCHEMA extensions; CREATE SCHEMA "My data";
CREATE TABLE "My data".kept (loaded timestamptz DEFAULT now(), doc jsonb NOT NULL CHECK (doc->'n' <> '13'), _id extensions.objectid PRIMARY KEY)}
);
my $kept = write_file('kept.bson', join('', map { bson(id($_), int32('n', $_)) } 1 .. 1000));
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', $node->connstr('other'));
	import_ok('into a table that is there', '999|1', '', '-t', '"My data".KEPT', $kept);
	is( $node->safe_psql('other',
			q{SELECT count(*), (SELECT string_agg(position || ' ' || reason, ',') FROM "My data".kept_rejected) FROM "My data".kept}
		) =~ s/ \(Failing row .*//sr,
		'999|13 new row for relation "kept" violates check constraint "kept_doc_check"',
		'a row that the table refuses is rejected alone');
	is((run_import('', '-n', 'My data', $kept))[0], 3, '--schema, without the name of the table');
}

# A database that has not every character
$node->safe_psql('postgres', q{CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0});
$node->safe_psql('latin', 'CREATE EXTENSION objectid');
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', $node->connstr('latin'));
	import_ok(
		'into LATIN1',
		'1|2',
		join('',
			map { qq({"_id":{"\$oid":"50000000000000000000000$_->[0]"},"s":$_->[1]}\n) }[ 1, qq("\xc3\xa9") ],
			[ 2, qq("\xe6\xbc\xa2") ],
			[ 3, qq({"\$numberInt":"\xe6\xbc\xa2"}) ]),
		'--format',
		'json', '-t', 'latin', '-');
	is( $node->safe_psql(
			'latin',
			q{SELECT count(*), (SELECT string_agg(position::text, ' ' ORDER BY position) FROM latin_rejected) FROM latin}
		),
		'1|2 3',
		'what it has is loaded, the rest rejected');
}

# Keys of other types: guessed, and said; those of a different type are rejected
my $uuid = element(5, '_id', pack('VCH*', 16, 4, '00112233445566778899aabbccddeeff'));
my %keys = (
	text => [
		[ string('_id', 'a'), string('_id', "\xc3\xa9"), string('_id', '') ],
		[ int32('_id', 1), id(1) ],
		q{|a|\xc3\xa9}
	],
	bigint => [
		[ int32('_id', -1), element(0x12, '_id', pack('q<', 2**53)), double('_id', 7), double('_id', -0.0) ],
		[ double('_id', 1.5), string('_id', '1'), double('_id', 2**63), double('_id', -1) ],
		'-1|0|7|9007199254740992'
	],
	uuid => [
		[$uuid],
		[
			element(5, '_id', pack('VCH*', 16, 3, '00112233445566778899aabbccddee01')),
			string('_id', '00112233-4455-6677-8899-aabbccddee02')
		],
		'00112233-4455-6677-8899-aabbccddeeff'
	],
	jsonb => [
		[
			element(3, '_id', bson(int32('a', 1), string('b', 'x'))),
			element(8, '_id', "\1"),
			element(9, '_id', pack('q<', 1700000000123)),
			double('_id', 1.5)
		],
		[ double('_id', 1.5), string('x', 'no _id') ],
		'1.5|true|{"$date": "2023-11-14T22:13:20.123Z"}|{"a": 1, "b": "x"}'
	]);
for my $type (sort keys %keys)
{
	my ($good, $bad, $loaded) = @{ $keys{$type} };
	$loaded =~ s/\\x(..)/chr hex $1/ge;

	# most decide
	my @all = map { bson($_) } @$good, $type eq 'jsonb' ? @$bad : $bad->[0];
	my $file = write_file("key_$type.bson", join('', @all));
	my $rejected = @all - @$good;
	my $counts = @$good . "|$rejected";
	@all = map { bson($_) } @$good, @$bad;
	if ($type ne 'uuid')
	{
		like(
			import_is("keys of type $type", $counts, '', $file),
			qr/^objectid-import: key_$type\.bson: the keys of the first documents are of type $type$/,
			"$type is guessed, and said");
	}
	import_ok(
		"--id-type $type", @$good . '|' . @$bad, join('', @all), '--format',
		'bson', '-t', "given_$type", '--id-type',
		$type, '-');
	for my $table ($type eq 'uuid' ? () : "key_$type", "given_$type")
	{
		is( sql("SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = '$table'::regclass AND attname = '_id'"
			),
			$type,
			"$table: the column");
		is(sql(qq{SELECT string_agg(_id::text, '|' ORDER BY _id::text COLLATE "C") FROM $table}),
			$loaded, "$table: the keys");
	}
}
is( sql(q{SELECT string_agg(reason, ',' ORDER BY position) FROM given_bigint_rejected}),
	'_id is a double, not an integer,_id is a string, not an integer,_id is a double, not an integer,duplicate: the table has this _id already',
	'why keys are no integers');
is( sql(q{SELECT string_agg(reason, ',' ORDER BY position) FROM given_uuid_rejected}),
	'_id is a UUID of the old subtype 3, whose byte order is unknown, not a UUID,_id is a string, not a UUID',
	'why keys are no UUIDs');
is( sql(q{SELECT string_agg(reason, ',' ORDER BY position) FROM given_jsonb_rejected}),
	'duplicate: the table has this _id already,no _id',
	'why keys are no jsonb');
is(sql(q{SELECT bool_and(_id = doc->'_id') FROM given_jsonb}), 't', 'the key equals _id of the document');
import_ok(
	'the same keys in JSON',
	'1|1',
	qq({"_id":{"\$binary":{"base64":"ABEiM0RVZneImaq7zN3u/w==","subType":"04"}}}\n{"_id":{"\$uuid":"00112233-4455-6677-8899-aabbccddeeff"}}),
	'--format',
	'json',
	'-t',
	'json_uuid',
	'--id-type',
	'uuid',
	'-');
is(sql('SELECT (SELECT _id FROM json_uuid) = (SELECT _id FROM given_uuid)'), 't', 'the same UUID');
import_ok(
	'integers of JSON',
	'4|1',
	qq({"_id":1}\n{"_id":{"\$numberInt":"2"}}\n{"_id":{"\$numberLong":"3"}}\n{"_id":4.0}\n{"_id":{"\$numberDouble":"4.0"}}\n),
	'--format',
	'json',
	'-t',
	'json_bigint',
	'--id-type',
	'bigint',
	'-');
is(sql('SELECT array_agg(_id ORDER BY _id) FROM json_bigint'), '{1,2,3,4}', 'the same integers');
import_ok(
	'strings of JSON',
	'2|0', qq({"_id":"a\\"\\u00e9"}\n{"_id":"b"}\n),
	'--format', 'json', '-t', 'json_text', '--id-type', 'text', '-');
is(sql(q{SELECT string_agg(_id, ' ' ORDER BY _id) FROM json_text}), "a\"\xc3\xa9 b", 'the same strings');
import_fails(
	'a table whose keys are of a different type',
	qr/table public\.given_text cannot be loaded\n.*detail: Its column "_id" is of type text\.$/,
	'', '-t', 'given_text', '--id-type', 'objectid', $all);
import_ok('the type of the table decides', '1|31', '', '-t', 'given_bigint', '--side-table', 'aside', $all);

# Wrong calls
for (
	[qr/no file or directory is specified\n.*hint: Try/],
	[ qr/more than one file or directory/, 'a.bson', 'b.bson' ],
	[ qr/could not open file ".*none\.bson"/, "$work/none.bson" ],
	[ qr/has no collections to load/, "$work/build" ],
	[ qr/the format of file ".*Makefile" is unknown\n.*hint: Use --format/, 'Makefile' ],
	[ qr/no table is specified for standard input\n.*hint: Use --table\./, '--format=bson', '-' ],
	[ qr/--table, --side-table and --format are for a single file/, '-t', 'x', "$work/build" ],
	[ qr/--table and --schema cannot be used together/, '-t', 'x', '-n', 'y', $all ],
	[ qr/--format must be bson or json/, '--format', 'xml', $all ],
	[ qr/--id-type must be objectid, text, bigint, uuid or jsonb/, '--id-type', 'int', $all ],
	[ qr/--jobs must be from 1 to 64/, '-j', '0', $all ],
	[ qr/--max-rejected must be from 0 to/, '--max-rejected', '-1', $all ],
	[ qr/unrecognized option.*\n.*hint: Try "objectid-import --help"/, '--nonsense', $all ],
	[ qr/connection to server/, '-d', 'host=/nowhere', $all ],
	[ qr/"nobody_there" does not exist/, '-U', 'nobody_there', $all ],
	[ qr/is longer than 63 bytes/, '-t', 'x' x 70, $all ])
{
	my ($message, @arguments) = @$_;
	write_file('Makefile', '');
	import_fails("refused: @arguments", $message, '', @arguments);
}
for my $option (qw(-? --help -V --version))
{
	my ($status, $out, $err) = run_import('', $option);
	is("$status $err", '0 ', $option);
	like($out, $option =~ /V|version/ ? qr/^objectid-import \(objectid\) \d/ : qr/^Usage:\n  objectid-import/m,
		'prints it');
}
{
	local @ImportTest::command =
	  ($ImportTest::command[0], '-h', $node->host, '-p', $node->port, '-d', 'postgres', '-w');
	import_ok('options for the connection', '16|16', '', '-t', 'by_options', $all);
}
is((run_import('', '-q', '-t', 'quiet', $all))[1], '', '-q prints no report');
$node->safe_psql('postgres', 'CREATE DATABASE bare');
import_fails(
	'a database without the extension',
	qr/database "bare" does not have the type objectid\n.*hint: Run CREATE EXTENSION objectid there, /,
	'', '-d', $node->connstr('bare'), $all);

done_testing();
