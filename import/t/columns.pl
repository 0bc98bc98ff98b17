# import/columns.sql: what it prints is run, and every value in the columns and tables that it
# makes is compared with what has been put into the documents.
use strict;
use warnings FATAL => 'all';
use JSON::PP;
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib import/t);
use ImportTest;
use TestServer;

set_up(sql => 'CREATE EXTENSION objectid; CREATE ROLE regress_objectid_ann LOGIN');
local @ENV{qw(PGHOST PGPORT PGTZ PGDATABASE)} = ($node->host, $node->port, 'UTC', 'postgres');
my $json = JSON::PP->new->allow_nonref->canonical->utf8;
my $seed = $ENV{SEED} // time;
srand($seed);
note("SEED=$seed");

# columns($table, @options) - what the script prints for a table
sub columns
{
	my ($table, @options) = @_;
	my ($out, $err) =
	  run_command([ 'psql', '-X', '-v', "table=$table", (map { ('-v', $_) } @options), '-f', 'import/columns.sql' ]);
	is($err, '', "$table: no messages");
	return "$out\n";
}

# run_script($sql) - run it in psql: what it prints
sub run_script
{
	my ($sql) = @_;
	IPC::Run::run([qw(psql -XAtq1 -v ON_ERROR_STOP=1)], '<', \$sql, '>', \my $out, '2>', \my $err);
	is($err, '', 'it runs');
	return $out;
}

# values_of($printed) - a query for all values of the columns that it makes: the key of the row,
# the field as in the comment, the value as text
sub values_of
{
	my ($printed) = @_;
	my (@queries, $table, @columns);
	for (split(/\n/, $printed))
	{
		($table, @columns) = ($1) if /^(?:ALTER|CREATE) TABLE (.*?)(?: \()?$/;
		push @columns, [ $1, $2, $3 ]
		  if /^  (?:ADD )?("[^"]+"|\w+) (\w+)(?: precision)?(?: GENERATED .* STORED[,;]|,) -- (.*)$/;
		my $keys = /^  PRIMARY KEY \((.*)\)$/ ? $1 : /^  ADD .* STORED; -- / ? '_id' : next;
		push @queries, map {
			my ($column, $type, $field) = @$_;
			$field =~ s/'/''/g;
			my $value = $type eq 'timestamptz' ? "(extract(epoch FROM $column) * 1000)::bigint" : $column;
			"SELECT concat_ws(' ', $keys), '$field', ($value)::text FROM $table WHERE $column IS NOT NULL"
		} @columns;
	}
	return join("\nUNION ALL ", @queries);
}

# load($table, \@documents, \@expected) - load documents, and "key, field, value" of what is in them
sub load
{
	my ($table, $documents, $expected) = @_;
	import_ok(
		"$table is loaded",
		@$documents . '|0',
		'-t', "public.$table", write_file("$table.json", join('', map { $json->encode($_) . "\n" } @$documents)));
	my $file = write_file("$table.expected", join('', map { $json->encode($_) . "\n" } @$expected));
	run_script(
		"CREATE TABLE ${table}_read (row jsonb);
\\copy ${table}_read FROM '$file' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')
CREATE TABLE ${table}_expected AS SELECT row->>0 AS key, row->>1 AS field, row->>2 AS value FROM ${table}_read");
}

# compare($table, $printed) - are the values of the columns those that are expected?
sub compare
{
	my ($table, $printed) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $found = "(SELECT * FROM ${table}_expected)";
	my $values = values_of($printed);
	is( sql("SELECT 'missing', * FROM ($found EXCEPT ALL ($values)) AS a UNION ALL SELECT 'found', * FROM (($values) EXCEPT ALL $found) AS b LIMIT 5"
		),
		'',
		"$table: all values are in their columns");
}

# Values: as in a document, and as text of SQL
my $hex = sub { sprintf('%024x', $_[0] + 1) };
my %kinds = (
	objectid => [ map { [ { '$oid' => $_ }, $_ ] } 'f' x 24, 'e' x 24 ],
	date => [
		[ { '$date' => '1970-01-01T00:00:00Z' }, 0 ],
		[ { '$date' => '9999-12-31T23:59:59.999Z' }, 253402300799999 ],
		map { [ { '$date' => { '$numberLong' => $_ } }, $_ ] } qw(-1 -62135596800000 253402300800000)
	],
	integer => [ map { [ { '$numberLong' => $_ }, $_ ] } qw(9223372036854775807 -9223372036854775808 0 17) ],
	double => [ [ 0.5, '0.5' ], [ -2.25, '-2.25' ], map { [ { '$numberDouble' => $_ }, $_ ] } qw(NaN -Infinity) ],
	decimal =>
	  [ [ { '$numberDecimal' => '1E+3' }, 1000 ], map { [ { '$numberDecimal' => $_ }, $_ ] } qw(1.50 NaN -0.001) ],
	numeric => [ [ 0.5, '0.5' ], [ 3, 3 ] ],
	boolean => [ [ JSON::PP::true, 'true' ], [ JSON::PP::false, 'false' ] ],
	string => [ map { [ $_, $_ ] } '', "a'\"\\\n%s", "\x{e9}", '5', 'null' ],
	uuid => [
		[
			{ '$binary' => { base64 => 'AAECAwQFBgcICQoLDA0ODw==', subType => '04' } },
			'00010203-0405-0607-0809-0a0b0c0d0e0f'
		]
	],
	binary => [
		[ { '$binary' => { base64 => 'AP8=', subType => '00' } }, '\x00ff' ],
		[ { '$binary' => { base64 => 'A' x 22 . '==', subType => '03' } }, '\x' . '0' x 32 ]
	],
	timestamp => [ [ { '$timestamp' => { t => 1, i => 2 } }, '{"$timestamp": {"i": 2, "t": 1}}' ] ]);

# Names that need quotes, or could end a comment, a literal or a statement; that are equal after
# conversion, too long, or in use
my @names = (
	qw(a A a_b aB a-b a.b a_2 a_2_2 a_3 _id doc ctid order user position position2 value 2 $x HTTPServer __v), '', ' ',
	"'", '"', "a'b", 'a"b',
	"x\ny", "x\r; CREATE TABLE pwned ();--", "x\n; CREATE TABLE pwned (); --", "\n\\! touch pwned\n", '\\', 'a\\',
	"'); CREATE TABLE pwned ();--",
	'-- x', '/* x', '*/', '%s', '%I', '$$', '$1', ':table', ":'table'", "tab\t", "\x7f\x01", "\x{e9}",
	"\x{540d}\x{524d}", 'n' x 57, 'n' x 58, 'n' x 63, 'n' x 64,
	'n' x 300, "\x{e9}" x 28, "\x{e9}" x 29, "\x{e9}" x 60);

# node($depth, @names) - a random kind of value; for an object or an array also what is in it
sub node
{
	my ($depth, @fields) = @_;
	my @choices = (sort(keys %kinds), 'mixed', $depth < 4 ? (qw(object array)) x 3 : ());
	my $kind = @fields ? 'object' : $choices[ rand @choices ];
	@fields = map { $names[ rand @names ] } 1 .. 4 unless @fields;
	return [
		$kind,
		$kind eq 'object' ? { map { $_ => node($depth + 1) } @fields } : $kind eq 'array' ? node($depth + 1) : undef
	];
}

# value($node, $key, $field, \@expected, \%mixed) - a value of that kind
sub value
{
	my ($node, $key, $field, $expected, $mixed) = @_;
	my ($kind, $inside) = @$node;
	return undef if $key =~ / / && rand() < 0.1;
	if ($kind eq 'array')
	{
		return [ map { value($inside, "$key $_", "${field}[]", $expected, $mixed) } 1 .. rand 4 ];
	}
	elsif ($kind eq 'object')
	{
		my %object;
		for my $name (grep { rand() < 0.8 } sort keys %$inside)
		{
			my $step = $name =~ /^[A-Za-z_\$][A-Za-z0-9_\$-]*\z/a ? $name : JSON::PP->new->allow_nonref->encode($name);
			$object{$name} = value($inside->{$name}, $key, $field eq '' ? $step : "$field.$step", $expected, $mixed);
		}
		return \%object;
	}
	elsif ($kind eq 'mixed')
	{
		my $value = rand() < 0.5 ? 5 : 'x';
		push @{ $mixed->{$field} }, [ $key, $field, "$value" ];
		return $value;
	}
	my ($value, $text) = @{ $kinds{$kind}[ rand @{ $kinds{$kind} } ] };
	push @$expected, [ $key, $field, $text ];
	return $value;
}

# Random documents, all names in the first level
my $schema = node(1, grep { $_ ne '_id' } @names);
my (@documents, @expected, %mixed);
for my $id (map { $hex->($_) } 1 .. 100)
{
	push @documents, value($schema, $id, '', \@expected, \%mixed);
	$documents[-1]{_id} = { '$oid' => $id };
}
my %choice = map {
	my $field = $_;
	my %different = map { $_->[2] => 1 } @{ $mixed{$field} };
	keys %different > 1 ? ($field => 1) : ()
} keys %mixed;
push @expected, map { @{ $mixed{$_} } } grep { !$choice{$_} } keys %mixed;
run_script(slurp_file('import/ejson.sql'));
load('random', \@documents, \@expected);
my $printed = columns('random');
is(() = $printed =~ /^ALTER TABLE/mg, 1, 'one ALTER TABLE');
is( () = $printed =~ /^--   .* -- .*: (?:(?:integer|string|null) \d+(?:, )?)+$/mg,
	scalar(keys %choice),
	'mixed fields are comments');
run_script("SAVEPOINT all_choices;\n" . $printed =~ s/^--   /  /mgr . 'ROLLBACK TO all_choices;');
run_script($printed);
compare('random', $printed);
is(join('', grep { !/^(?:--|$)/ } split(/^/m, columns('random'))), '', 'a second run prints nothing that is there');

# What the functions return for each value, whatever the settings of a session are: date, integer,
# numeric, double precision, id, boolean, uuid, bytea
my $returned = <<'END';
{"$date": "1970-01-01T00:00:00Z"}|1970-01-01 00:00:00.000 AD|||||||
{"$date": {"$numberLong": "-99999999999999"}}|1200-02-15 14:13:20.001 BC|||||||
{"$date": {"$numberLong": "9223372036854775807"}}||||||||
{"$date": "yesterday"}||||||||
"-17"||-17|-17|-17||||
3.0||3|3.0|3||||
3.5|||3.5|3.5||||
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
{"$numberDecimal": "x"}||||||||
"5CA4BBC7A2DD94EE5816238C"|||||5ca4bbc7a2dd94ee5816238c|||
{"$oid": "5ca4bbc7a2dd94ee5816238c"}|||||5ca4bbc7a2dd94ee5816238c|||
{"$oid": "x"}||||||||
{"$binary": {"base64": "AP8=", "subType": "04"}}||||||||\x00ff
{"$binary": {"base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "04"}}|||||||00010203-0405-0607-0809-0a0b0c0d0e0f|\x000102030405060708090a0b0c0d0e0f
{"$binary": {"base64": "AAECAwQFBgcICQoLDA0ODw==", "subType": "03"}}||||||||\x000102030405060708090a0b0c0d0e0f
{"$binary": {"base64": "!", "subType": "04"}}||||||||
END
$returned =~ s/[|]1E-400/'|0.' . '0' x 399 . '1'/e;
my $values = join(', ', map { "'$_'" } $returned =~ /^([^|]+)/mg);
is(run_script(<<"SQL"), $returned, "what the functions return, in $_") for qw(UTC America/New_York);
SET timezone = '$_'; SET datestyle = 'SQL, DMY'; SET extra_float_digits = 0;
SELECT v, to_char(ejson_date(v) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS AD'), ejson_integer(v), ejson_numeric(v), ejson_double(v),
  ejson_objectid(v), ejson_boolean(v), ejson_uuid(v), ejson_bytea(v)
FROM unnest(ARRAY[$values]::jsonb[]) AS v
SQL

# Another document may have any of them in any field.
run_script(
	qq(INSERT INTO random SELECT gen_objectid(),
  (SELECT jsonb_object_agg(key, odd) FROM (SELECT DISTINCT jsonb_object_keys(doc) AS key FROM random) AS k) FROM unnest(ARRAY[$values]::jsonb[]) AS odd)
);

# 1,000 fields; and many keys, which are not fields
(my @wide, @expected) = ();
for my $id (map { $hex->($_) } 1 .. 120)
{
	my %document = (_id => { '$oid' => $id }, map { ("Field$_" => $_ % 2 ? 'x' : JSON::PP::true) } 1 .. 1000);
	push @expected, map { [ $id, "Field$_", $_ % 2 ? 'x' : 'true' ] } 1 .. 1000;
	push @expected, [ $id, 'map', qq({"$id": 1}) ];
	push @wide, { %document, map => { $id => 1 } };
}
load('wide', \@wide, \@expected);
$printed = columns('wide');
like($printed, qr/^-- map: 120 of 120: object 120 with many keys\n(?!.*map\.)/m, 'many keys are not fields');
run_script($printed);
compare('wide', $printed);

# References: most of those in "ref", not those in "2nd", and in an array; to a table of its own
my @linked = map {
	{
		_id => { '$oid' => $hex->(1000 + $_) },
		ref => { '$oid' => $hex->($_ % 3 ? 1007 : 5000) },
		'2nd' => { '$oid' => $hex->(10_000 + $_) },
		refs => [ { to => { '$oid' => $hex->(1000 + $_) }, in => [ { position2 => 1, link => 2 } ] } ]
	}
} 1 .. 20;
load('links', \@linked, []);
$printed = columns('links');
my $orphan = '-- ref: 1 of 2 ids are keys of public.links.  References without a target:';
like(
	$printed,
	qr/^\Q$orphan\E\nSELECT _id, ref .*;\nCREATE INDEX .*\n-- ALTER TABLE .*FOREIGN KEY \(ref\) REFERENCES public.links/m,
	'references, some without a target');
like(
	$printed,
	qr/^-- refs\[\]\.to: 20 of 20 ids .*\nSELECT links?, position, "?to"? .*\nCREATE INDEX .*\nALTER TABLE public.links_refs ADD FOREIGN KEY \("to"\)/m,
	'references in an array');
like($printed, qr/^  ADD _2nd objectid /m, 'a name that begins with a digit');
unlike($printed, qr/^-- "2nd": .* keys/m, 'ids that are no references');
run_script("ALTER TABLE links ADD mine objectid GENERATED ALWAYS AS (ejson_objectid(doc->'2nd')) STORED");
like(columns('links'), qr/^-- "2nd": .*; column mine$(?!.*_2nd)/ms, 'a column of a different name');
run_script('ALTER TABLE links DROP mine');
is( run_script($printed),
	join('', map { $hex->(1000 + $_) . '|' . $hex->(5000) . "\n" } grep { $_ % 3 == 0 } 1 .. 20),
	'the query lists those without a target');
is(sql(q{SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND confrelid = 'links'::regclass}), 2, 'foreign keys');

# A table's name that could end a comment; a sample; no rights but SELECT, and no write
my $odd = qq("we""ird\n; CREATE TABLE pwned (); --");
run_script(
	qq(CREATE TABLE $odd AS SELECT gen_objectid() AS _id, doc || jsonb_build_object('mixed', CASE WHEN n % 2 = 0 THEN 'true'::jsonb ELSE '1' END) AS doc
	FROM links, generate_series(1, 500) AS n; ALTER TABLE $odd ADD PRIMARY KEY (_id); ANALYZE;
	GRANT SELECT ON ALL TABLES IN SCHEMA public TO regress_objectid_ann; REVOKE TEMPORARY ON DATABASE postgres FROM public)
);
for my $table ($odd, 'random')
{
	my @printed;
	for (scalar(getpwuid($>)), 'regress_objectid_ann')
	{
		local @ENV{qw(PGUSER PGOPTIONS)} =
		  ($_, '-c default_transaction_read_only=on -c standard_conforming_strings=on');
		push @printed, columns($table, 'sample=all');
	}
	is($printed[1], $printed[0], 'an ordinary user reads the same');
	if ($table eq $odd)
	{
		like($printed[0], qr/10000 documents/, 'all documents');
		my ($sample) = columns($table, 'sample=1000') =~ /: (\d+) documents$/m;
		cmp_ok(abs($sample - 950), '<=', 50, 'a sample');
		run_script($printed[0]);
	}
}
is(sql("SELECT count(*) FROM pg_class WHERE relname = 'pwned'"), 0, 'nothing else has been executed');
done_testing();
