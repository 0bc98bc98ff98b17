# objectid-import: every document of a file ends in the table or, with the reason, in the
# side table, once.
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

like(
	import_ok('every type of BSON', '', $all),
	qr/^"public"\."all": 16 documents loaded, 16 rejected into "public"\."all_rejected"/,
	'and a summary');
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
is(sql('SELECT count(*) FROM objectid_import'), '0', 'nothing is left in the bookkeeping table');

# Again: all of it is there
import_ok('the same file once more', '', $all);
is(sql(q{SELECT count(*) FROM "all"}), '16', 'adds nothing');
is(sql(q{SELECT count(*) FROM all_rejected WHERE reason LIKE 'duplicate%'}), '18', 'duplicates are rejected');

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
import_ok('JSON, a document a line', '', $lines);
import_ok('JSON, an array', $array, '--format=json', '-t', 'in_array', '-');
import_ok('JSON, with a byte order mark', "\xef\xbb\xbf$json", '--format', 'json', '-t', 'with_bom', '-');

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
# What libbson alone would load as another value: 50...0, 0...0, NaN, 1.0
my @wrapped = map { "\$oid\":\"$_" } '50000000000000000000000G', 'z' x 24, '507f1f77bcf86cd7994390-1';
push @wrapped, map { "\$numberDecimal\":\"$_" } 'zz', '';
push @wrapped, map { "\$numberDouble\":\"$_" } '1.0x', '', ' 1', '0x10', '1e', 'nan';
import_ok(
	'values of Extended JSON that are none',
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

import_ok(
	'BSON on standard input',
	join('', @documents),
	'--format', 'bson', '-t', 'piped', '--side-table', 'aside', '-');
is(sql('SELECT count(*), (SELECT count(*) FROM aside) FROM piped'), '16|16', 'the same as from a file');
is(sql(q{SELECT count(*) FROM (SELECT doc FROM piped EXCEPT SELECT doc FROM "all") AS x}), '0',
	'document for document');
import_ok('an empty file', '', write_file('empty.bson', ''));
is(sql('SELECT count(*) FROM empty'), '0', 'makes an empty table');

# A schema, the extension elsewhere, a table with columns and constraints of its own
$node->safe_psql('postgres', 'CREATE DATABASE other');
$node->safe_psql(
	'other', q{
CREATE SCHEMA extensions; CREATE EXTENSION objectid SCHEMA extensions; CREATE SCHEMA "My data";
CREATE TABLE "My data".kept (_id extensions.objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (doc->'n' <> '13'), loaded timestamptz DEFAULT now());
CREATE TABLE public.wrong (_id text PRIMARY KEY, doc jsonb)});
my $kept = write_file('kept.bson', join('', map { bson(id($_), int32('n', $_)) } 1 .. 1000));
{
	local @ImportTest::command = ("$work/objectid-import", '-d', $node->connstr('other'));
	import_ok('into a table that is there', '', '-t', '"My data".KEPT', $kept);
	is( $node->safe_psql(
			'other',
			q{SELECT count(*), (SELECT string_agg(position || ' ' || reason, ',') FROM "My data".kept_rejected) FROM "My data".kept}
		),
		'999|13 new row for relation "kept" violates check constraint "kept_doc_check"',
		'a row that the table refuses is rejected alone');
	$node->safe_psql(
		'other', q{
CREATE ROLE loader LOGIN; GRANT USAGE ON SCHEMA "My data", extensions TO loader;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "My data" TO loader; TRUNCATE "My data".kept, "My data".kept_rejected}
	);
	import_ok(
		'by a role that may fill tables, and make none',
		'', '-d', $node->connstr('other') . ' user=loader',
		'-t', '"My data".kept', $kept);
	is($node->safe_psql('other', 'SELECT count(*) FROM "My data".kept'), '999', 'it fills them');
	my ($status, undef, $err) = run_import('', '-t', 'wrong', $kept);
	is($status, 1, 'a table of another form is refused');
	like($err, qr/"public"\."wrong" is there, but has no columns/, 'with a message');
}

# A database that has not every character
$node->safe_psql('postgres', q{CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0});
$node->safe_psql('latin', 'CREATE EXTENSION objectid');
{
	local @ImportTest::command = ("$work/objectid-import", '-d', $node->connstr('latin'));
	import_ok(
		'into LATIN1',
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

# A table that refuses many rows, among duplicates and what PostgreSQL can't hold
sql(q{CREATE TABLE picky (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK ((doc->>'n')::int % 3 <> 0))});
import_ok(
	'into a table that refuses every third row',
	join('',
		map { bson(id($_ % 7 == 0 ? $_ - 2 : $_), int32('n', $_), $_ % 11 == 0 ? string('s', "\0") : ()) } 1 .. 2000),
	'--format',
	'bson', '-t', 'picky', '-');
is( sql(q{
WITH expected AS (
	SELECT n, CASE WHEN n % 11 = 0 THEN 'NUL' WHEN n % 3 = 0 THEN 'new' WHEN n % 7 = 0 AND (n - 2) % 3 <> 0 AND (n - 2) % 11 <> 0 THEN 'dup' END AS reason
	FROM generate_series(1, 2000) AS n),
found AS (
	SELECT (doc->>'n')::bigint AS n, NULL AS reason FROM picky UNION ALL SELECT position, left(reason, 3) FROM picky_rejected)
SELECT count(*), count(*) FILTER (WHERE e.reason IS DISTINCT FROM f.reason), (SELECT count(*) FROM found) FROM expected AS e LEFT JOIN found AS f USING (n)}
	),
	'2000|0|2000',
	'each document is where it belongs');

# Wrong calls
for (
	[ 2, qr/usage/ ],
	[ 2, qr/usage/, 'a.bson', 'b.bson' ],
	[ 1, qr/could not open/, "$work/none.bson" ],
	[ 1, qr/bson or json/, "$work" ],
	[ 1, qr/into which table/, '--format=bson', '-' ],
	[ 1, qr/could not read/, '-t', 'x', '--format', 'bson', '/' ],
	[ 1, qr/connection to server/, '-d', 'host=/nowhere', $all ])
{
	my ($expected, $message, @arguments) = @$_;
	my ($status, $out, $err) = run_import('', @arguments);
	is("$status $out", "$expected ", "refused: @arguments");
	like($err, $message, 'with a message');
}

done_testing();
