# objectid-import --schema-only: what it prints for each kind of file and for special documents: names, mixed
# types, references, very many fields; and what the functions of ejson.sql return.
# Takes long.
use strict;
use warnings FATAL => 'all';
use ImportTest;

set_up();

# made_of($what, $counts, $name, $documents) - run the script, load documents, and print the script again: nothing is
# missing, and its views have rows.  Returns it.
sub made_of
{
	my ($what, $counts, $name, $documents) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $file = write_file("$name.json", $documents);
	my $script = make_schema($file);
	import_ok($what, $counts, $file);
	is(statements(script_of('--schema-only', $file)), '', "$what: nothing is missing");
	run_script(script_of('--section=post-data', $file));
	is(sql("SELECT count(*) FROM $_") > 0, 1, "$what: $_ has rows") for $script =~ /^CREATE VIEW (\S+)/mg;
	return $script;
}

# has($what, $script, @lines) - has it these lines?
sub has
{
	my ($what, $script, @lines) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	like($script, qr/^\Q$_\E$/m, "$what: $_") for @lines;
}

# Each kind of file
my @names = qw(a b);
my $lines = lines_of(map { qq("n":$_,"list":["x"],"in":[{"s":"y"}]) } 1 .. 3);
my $array = '[' . join(',', split(/\n/, $lines)) . ']';
my $bson = join(
	'',
	map {
		bson(
			id($_),
			int32('n', $_),
			element(4, 'list', bson(string('0', 'x'))),
			element(4, 'in', bson(element(3, '0', bson(string('s', 'y'))))))
	} 1 .. 3);
my $whole = schema_of('-t', 'film.movies', write_file('films.json', $lines));
for (
	[ 'an array', write_file('array.json', $array) ],
	[ 'BSON', write_file('films.bson', $bson) ],
	[ 'standard input', '--format=json', '-', $lines ],
	[ 'BSON, gzip, from standard input', '--format=bson', '-', compress($bson) ])
{
	my ($what, @arguments) = @$_;
	is(schema_of('-t', 'film.movies', @arguments), $whole, $what);
}
write_file("dump/film/$_.json", $lines) for qw(movies actors);
is(schema_of('--include=movies', "$work/dump"), $whole, '--include');
is(schema_of('--include=movies', '-n', 'other', "$work/dump"), $whole =~ s/\bfilm\b/other/gr, '--schema');
like(schema_of('--id-type=text', "$work/dump"), qr/^  _id text,$/m, '--id-type');
is(schema_of('--section=pre-data', "$work/dump"), schema_of("$work/dump"), '--section=pre-data');
like($whole, qr/^-- film\.movies: 3 documents\n/m, 'counts');

for my $damaged (substr($bson, 0, -1), $bson . "\x05\0\0\0\x01")
{
	write_file('dump/film/damaged.bson', $damaged);
	local @ImportTest::command = ($ImportTest::command[0], '-d', 'host=/nowhere');
	my ($status, $out, $err) = run_import('--schema-only', '--offline', "$work/dump");
	is("$status$out", 1, 'a damaged file: no script');
	like($err, qr/damaged\.bson" is damaged at byte/, 'a damaged file: message');
}

# In the place of an array, an object is an element, but not the object that another value is written as
my @written = map { qq({"\$$_}) } 'oid":"507f1f77bcf86cd799439011"', 'numberDecimal":"1.5"', 'numberDouble":"NaN"',
  'date":"2020-01-01T00:00:00Z"', 'date":{"$numberLong":"-1"}', 'binary":{"base64":"","subType":"00"}',
  'regularExpression":{"pattern":"a","options":""}', 'timestamp":{"t":1,"i":2}', 'code":"f"', 'code":"f","$scope":{}',
  'symbol":"s"', 'dbPointer":{"$ref":"a","$id":{"$oid":"507f1f77bcf86cd799439011"}}', 'minKey":1', 'maxKey":1',
  'undefined":true';
my @places = (@written, '{"n":"object"}', '[{"n":"element"}]', '{"$ref":"a","$id":1,"n":"reference"}', '1');
made_of(
	'values in the place of an array',
	@places . '|0',
	'places', join('', map { qq({"_id":$_,"x":$places[$_]}\n) } 0 .. $#places));
is( sql("SELECT string_agg(coalesce(n, 'NULL'), ' ' ORDER BY places_id) FROM places_x"),
	'object element reference',
	'an object in the place of an array is an element, another value is none');

# Keys of each type, also in views
my %keys = (
	bigint => [ map { qq({"\$numberLong":"$_"}) } -1, '9223372036854775807' ],
	text => [ '"a"', '""' ],
	uuid => [
		map { qq({"\$binary":{"base64":"$_","subType":"04"}}) } 'AAECAwQFBgcICQoLDA0ODw==', 'AQECAwQFBgcICQoLDA0ODw=='
	],
	jsonb => [ '{"a":1}', '{"a":2}' ]);
for my $type (sort keys %keys)
{
	my $script =
	  made_of("keys, $type", '2|0', "k_$type", join('', map { qq({"_id":$_,"a":[{"b":[[1]]}]}\n) } @{ $keys{$type} }));
	like($script, qr/^  _id $type,$/m, "keys, $type");
	is(sql("SELECT count(DISTINCT k_${type}_id) FROM k_${type}_a_b"), 2, "keys, $type, of views");
}
my $script = schema_of(write_file('several.json', qq({"_id":1}\n{"_id":"a"}\n)));
has('keys of several types', $script, '-- _id: 1 integer, 1 text: the type of keys is jsonb');
like($script, qr/several \(\n  _id jsonb,/, 'keys of several types are jsonb');

# Names: those that need no change first, others with a checksum; nothing but nulls; many keys; DBRefs
my @refs = map {
	qq("firstName":"a","first_name":1,"HTTPServer":true,"id":5,"2nd":1,"order":1,"nothing":null,"empty":[],"nulls":[null],
"map":{"k$_":1},"ref":{"\$ref":"names","\$id":{"\$oid":"@{[ hex_id(1) ]}"}},"refs":[{"\$ref":"names","\$id":{"\$oid":"@{[ hex_id($_) ]}"}}],"ids":[{"\$oid":"@{[ hex_id($_) ]}"}],
"other":{"\$ref":"o$_","\$id":{"\$oid":"@{[ hex_id(500 + $_) ]}"}}) =~ s/\n//gr
} 1 .. 120;
$script = made_of('names', '120|0', 'names', lines_of(@refs));
for (
	[ 'first_name', 'bigint', 'first_name' ],
	[ 'first_name_[0-9a-f]{8}', 'text', 'firstName' ],
	[ 'http_server', 'boolean', 'HTTPServer' ],
	[ 'id', 'bigint', 'id' ],
	[ '_2nd', 'bigint', '2nd' ],
	[ '"order"', 'bigint', 'order' ],
	[ 'map', 'jsonb', 'map' ],
	[ 'ref_id', 'objectid', 'ref\'->\'\$id' ],
	[ 'other_ref', 'text', 'other\'->>\'\$ref' ])
{
	my ($column, $type, $path) = @$_;
	like($script, qr/^  $column $type GENERATED ALWAYS AS \(.*?$path'[,)]/m, "the column of $path");
}
has('fields without values',
	$script,
	'-- nothing: 120 nulls: always null',
	map { "-- $_: 120 arrays: no value in an array" } qw(empty nulls));
unlike($script, qr/ map_k/, 'no columns of many keys');
my $keys = q{SELECT string_agg(conname, ' ' ORDER BY conname) FROM pg_constraint WHERE contype = 'f'};
is(sql($keys), 'names_ref_id_fkey', 'foreign keys');
run_script(script_of('--to-tables', '-t', 'names'));
run_script(script_of('--section=post-data', "$work/names.json"));
is( sql($keys),
	'names_ids_names_id_fkey names_ids_value_fkey names_ref_id_fkey names_refs_id_fkey names_refs_names_id_fkey',
	'foreign keys of elements');

# Mixed types: a choice of columns, each of which can be taken
my @mixed = map { qq("m":$_->[0],"in":[$_->[0]],"n":$_->[1]) }[ '"x"', 1 ], [ '7', 1.5 ], [ '{"a":1}', 2 ];
$script = made_of('mixed types', '3|0', 'mixed', lines_of(@mixed));
my @choice = $script =~ /^--  (m .*) STORED, -- 1 object, 1 integer, 1 text/mg;
is(@choice, 2, 'mixed types: a choice of two') or diag($script);
sql("ALTER TABLE mixed ADD $_ STORED; ALTER TABLE mixed DROP m") for @choice;
like($script, qr/^    nullif\(a1\.element, 'null'\) AS value,?$/m, 'mixed types in a view: jsonb');
like($script, qr/^  n numeric /m, 'numbers of several kinds');
like($script, qr/^  m_a bigint /m, 'what is in the object');

# Very many fields: the rarest are comments, and each document is loaded
sub fields
{
	return join(',', map { qq("f$_":) . ($_[1] =~ s/%/$_/r) } 1 .. $_[0]);
}
for ([ '1,200 doubles', 'doubles', 1200, '%.5', 900, 1200 ], [ '3,000 texts', 'texts', 3000, '"%"', 200, 1500 ])
{
	my ($what, $name, $count, $value, $least, $most) = @$_;
	my @many = map { qq("always":1,"in":[{"a":1}],) . fields($_, $value) } $count, 10, 10;
	$script = made_of($what, '3|0', $name, lines_of(@many));
	my $columns = () = $script =~ /^  \S+ \S.* GENERATED/mg;
	ok($columns >= $least && $columns <= $most, "$what: $columns columns");
	like($script, qr/^  always /m, "$what: what is frequent has one");
	like($script, qr/no place for more columns$/m, "$what: others are comments");
}
my @inside = ('"in":[{' . fields(300, '"%"') . '}]') x 2;
$script = made_of('many fields in an array', '2|0', 'inside', lines_of(@inside));
is(sql('SELECT count(*), min(f300) FROM inside_in'), '2|300', 'a view of 300 columns');

# What the functions return for each value, whatever the settings of a session are: date, integer,
# numeric, double precision, id, boolean, uuid, bytea
my $returned = <<'END';
{"$date": "1970-01-01T00:00:00Z"}|1970-01-01 00:00:00.000 AD|||||||
{"$date": {"$numberLong": "-99999999999999"}}|1200-02-15 14:13:20.001 BC|||||||
{"$date": {"$numberLong": "9223372036854775807"}}||||||||
{"$date": {"$numberLong": "9224318015999999"}}|294276-12-31 23:59:59.999 AD|||||||
{"$date": {"$numberLong": "9224318016000000"}}||||||||
{"$date": {"$numberLong": "-210866803200000"}}|4714-11-24 00:00:00.000 BC|||||||
{"$date": {"$numberLong": "-210866803200001"}}||||||||
{"$date": "yesterday"}||||||||
"-17"||-17|-17|-17||||
3.0||3|3.0|3||||
3.5|||3.5|3.5||||
"2020-02-29T23:30:00.25-01:30"|2020-03-01 01:00:00.250 AD|||||||
"2020-01-01 00:00:00+0100"|2019-12-31 23:00:00.000 AD|||||||
"2021-02-29T00:00:00Z"||||||||
"2020-01-01T00:00:00"||||||||
"x"||||||||
true||||||t||
null||||||||
[1]||||||||
9223372036854775807||9223372036854775807|9223372036854775807|9.22337203685478e+18||||
-9223372036854775808||-9223372036854775808|-9223372036854775808|-9.22337203685478e+18||||
9223372036854775808|||9223372036854775808|9.22337203685478e+18||||
{"$numberLong": "-9223372036854775808"}||-9223372036854775808|-9223372036854775808|-9.22337203685478e+18||||
{"$numberInt": "5"}||5|5|5||||
{"$numberDouble": "NaN"}|||NaN|NaN||||
{"$numberDouble": "-Infinity"}|||-Infinity|-Infinity||||
{"$numberDecimal": "1.50"}|||1.50|1.5||||
{"$numberDecimal": "1E+3"}||1000|1000|1000||||
{"$numberDecimal": "1E-400"}|||1E-400|||||
{"$numberDecimal": "1E+6144"}|||1E+6144|||||
{"$numberDecimal": "1E-6176"}|||1E-6176|||||
{"$numberDecimal": "-Infinity"}|||-Infinity|-Infinity||||
{"$numberDecimal": "x"}||||||||
602214076000000000000000.0|||602214076000000000000000.0|6.02214076e+23||||
"5CA4BBC7A2DD94EE5816238C"|||||5ca4bbc7a2dd94ee5816238c|||
{"$oid": "5ca4bbc7a2dd94ee5816238c"}|||||5ca4bbc7a2dd94ee5816238c|||
{"$oid": "x"}||||||||
{"$binary": {"base64": "AP8=", "subType": "04"}}||||||||\x00ff
{"$binary": {"base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "04"}}|||||||00010203-0405-0607-0809-0a0b0c0d0e0f|\x000102030405060708090a0b0c0d0e0f
{"$binary": {"base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "03"}}||||||||\x000102030405060708090a0b0c0d0e0f
{"$binary": {"base64": "!", "subType": "04"}}||||||||
END
$returned =~ s/[|]1E-(\d+)/'|0.' . '0' x ($1 - 1) . '1'/ge;
$returned =~ s/[|]1E[+](\d+)/'|1' . '0' x $1/ge;
my $values = join(', ', map { "'$_'" } $returned =~ /^([^|]+)/mg);
is(run_script(<<"SQL") . "\n", $returned, "what the functions return, in $_") for qw(UTC America/New_York);
SET timezone = '$_'; SET datestyle = 'SQL, DMY'; SET extra_float_digits = 0;
SELECT v, to_char(ejson_date(v) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS AD'), ejson_integer(v), ejson_numeric(v), ejson_double(v),
  ejson_objectid(v), ejson_boolean(v), ejson_uuid(v), ejson_bytea(v)
FROM unnest(ARRAY[$values]::jsonb[]) AS v
SQL

done_testing();
