# The filters of partial indexes: each is printed by --section=post-data as a condition of SQL, which is true for the
# documents that mingo, or a list, says; or it is not translated.  Collections have one type in field x, and a column,
# or values of all types.
use strict;
use warnings FATAL => 'all';
use JSON::PP;
use ImportTest;

set_up();
my $json = JSON::PP->new->canonical->allow_nonref;

# the values of x in a collection, as Extended JSON; '' is none
my %values = (
	texts => [ '"a"', '"A"', '"b"', '""', "\"\xc3\xa9\"", '"z z"', '"5"', '"it\'s \\\\"', '"null"' ],
	numbers => [ 5, '5.0', 5.5, -5, 0, '{"$numberDouble":"Infinity"}', '9007199254740993' ],
	whole => [ 5, -5, 0, 1099511627776 ],
	booleans => [ 'true', 'false', 'null' ],
	dates => [
		'{"$date":"2020-01-01T00:00:00Z"}', '{"$date":"2020-01-01T00:00:00.001Z"}',
		'{"$date":{"$numberLong":"-1"}}', '{"$date":"1970-01-01T00:00:00Z"}'
	],
	others => [
		'{"$numberDouble":"NaN"}', '{"$numberDecimal":"5"}',
		'{"$numberDecimal":"5.50"}', '{"$numberDecimal":"NaN"}',
		'{"$numberDecimal":"-Infinity"}', '{"$oid":"507f1f77bcf86cd799439011"}',
		'{"$oid":"ffffffffffffffffffffffff"}', '{"$binary":{"base64":"AP8=","subType":"00"}}',
		'{"$timestamp":{"t":1,"i":2}}', '{"$date":{"$numberLong":"253402300800000"}}'
	],
	objects => [ '{"y":1}', '{"y":"1"}', '{"y":null}', '{}', '{"y":{"y":1}}' ]);
$_ = [ @$_, 'null', '' ] for values %values;
my %of = (%values, mixed => [ map { @{ $values{$_} } } grep { $_ ne 'others' } sort keys %values ]);

# Filters; the condition on the column of a collection, and which of the others they find, by n, because NaN and values of
# types that JavaScript has not are others to mingo.
my @filters = (
	{ name => 'a text', filter => '{"x":"a"}', texts => q{x = 'a'} },
	{ name => 'an empty text', filter => '{"x":{"$eq":""}}', texts => q{x = ''} },
	{ name => 'a text of digits', filter => '{"x":"5"}' },
	{ name => 'a text with quotes', filter => '{"x":"it\'s \\\\"}' },
	{ name => 'texts from', filter => '{"x":{"$gte":"Z"}}', texts => q{x COLLATE "C" >= 'Z'} },
	{ name => 'texts between', filter => '{"x":{"$gt":"","$lt":"b"}}' },
	{ name => 'a number', filter => '{"x":5}', whole => 'x = 5', others => '2' },
	{ name => 'a double', filter => '{"x":{"$numberDouble":"5.5"}}', numbers => 'x = 5.5', others => '3' },
	{ name => 'more than', filter => '{"x":{"$gt":0}}', whole => 'x > 0', others => '2 3' },
	{ name => 'at least', filter => '{"x":{"$gte":5}}', others => '2 3' },
	{ name => 'less than', filter => '{"x":{"$lt":5}}', others => '5' },
	{ name => 'at most', filter => '{"x":{"$lte":{"$numberInt":"-5"}}}', others => '5' },
	{ name => 'true', filter => '{"x":true}', booleans => q{x = true} },
	{ name => 'false', filter => '{"x":{"$eq":false}}', booleans => q{x = false} },
	{ name => 'null', filter => '{"x":null}', texts => 'x IS NULL', others => '11 12' },
	{ name => 'exists', filter => '{"x":{"$exists":true}}', others => '1 2 3 4 5 6 7 8 9 10 11' },
	{ name => 'does not exist', filter => '{"x":{"$exists":false}}', others => '12' },
	{ name => 'a date', filter => '{"x":{"$date":"2020-01-01T00:00:00Z"}}' },
	{ name => 'dates from', filter => '{"x":{"$gt":{"$date":"2020-01-01T00:00:00Z"}}}', others => '10' },
	{ name => 'dates to', filter => '{"x":{"$lte":{"$date":"1969-12-31T23:59:59.999Z"}}}' },
	{ name => 'texts', filter => '{"x":{"$type":"string"}}', texts => 'x IS NOT NULL' },
	{ name => 'type 2', filter => '{"x":{"$type":2}}' },
	{ name => 'numbers', filter => '{"x":{"$type":"number"}}', whole => 'x IS NOT NULL', others => '1 2 3 4 5' },
	{ name => 'booleans', filter => '{"x":{"$type":"bool"}}' },
	{ name => 'dates', filter => '{"x":{"$type":9}}', others => '10' },
	{ name => 'nulls', filter => '{"x":{"$type":"null"}}', others => '11' },
	{ name => 'types', filter => '{"x":{"$type":["string","bool"]}}' },
	{ name => 'one of', filter => '{"x":{"$in":["a",5,null]}}', others => '2 11 12' },
	{ name => 'one of none', filter => '{"x":{"$in":[]}}' },
	{ name => 'or', filter => '{"$or":[{"x":"a"},{"x":{"$gt":1,"$lt":6}},{"x":true}]}', others => '2 3' },
	{ name => 'and', filter => '{"$and":[{"x":{"$gt":0}},{"n":{"$gte":2}}]}', others => '2 3' },
	{
		name => 'or in and',
		filter => '{"n":{"$gt":1},"$or":[{"x":"b"},{"$and":[{"x":5},{"n":{"$lt":9}}]}]}',
		others => '2'
	},
	{ name => 'a field inside', filter => '{"x.y":1}' },
	{ name => 'no field inside', filter => '{"x.y":null}', others => '1 2 3 4 5 6 7 8 9 10 11 12' },
	{ name => 'fields inside', filter => '{"x.y":{"$exists":true}}' },
	{ name => 'nothing', filter => '{}', others => '1 2 3 4 5 6 7 8 9 10 11 12' },
	# what mingo does not know
	(   map { { name => $_->[0], filter => $_->[1], others => $_->[2], by_hand => 1 } }
		  [ 'an id', '{"x":{"$oid":"507f1f77bcf86cd799439011"}}', '6' ],
		[ 'ids from', '{"x":{"$gt":{"$oid":"507f1f77bcf86cd799439011"}}}', '7' ],
		[ 'ids', '{"x":{"$type":"objectId"}}', '6 7' ],
		[ 'a decimal', '{"x":{"$numberDecimal":"5.5"}}', '3' ],
		[ 'decimals', '{"x":{"$type":["decimal","timestamp"]}}', '2 3 4 5 9' ],
		[ 'binary values', '{"x":{"$type":5}}', '8' ]),
	(   map { { name => $_->[0], filter => $_->[1], refused => 1 } }[ 'an object', '{"x":{"y":1}}' ],
		[ 'an empty object', '{"x":{}}' ],
		[ 'an array', '{"x":["a"]}' ],
		[ 'not', '{"x":{"$not":{"$gt":1}}}' ],
		[ 'not equal', '{"x":{"$ne":1}}' ],
		[ 'a pattern', '{"x":{"$regularExpression":{"pattern":"a","options":""}}}' ],
		[ 'a type that JSON has not', '{"x":{"$type":"int"}}' ],
		[ 'NaN', '{"x":{"$numberDouble":"NaN"}}' ],
		[ 'a number beyond doubles', '{"x":{"$gt":{"$numberLong":"9007199254740993"}}}' ],
		[ 'neither', '{"$nor":[{"x":1}]}' ],
		[ 'an expression', '{"$expr":{"$gt":["$x",1]}}' ]));

# files, with each filter as an index of each collection
my @indexes = map {
	sprintf('{"key":{"n":1},"name":"%s","partialFilterExpression":%s%s}',
		$_->{name}, $_->{filter}, $_->{refused} ? ',"unique":true' : '')
} @filters;
my %documents;
for my $name (sort keys %of)
{
	my $n = 0;
	$documents{$name} = [ map { $n++; json_id($n) . qq(,"n":$n) . ($_ eq '' ? '' : qq(,"x":$_)) } @{ $of{$name} } ];
	write_file("dump/public/$name.json", join('', map { "{$_}\n" } @{ $documents{$name} }));
	write_file("dump/public/$name.metadata.json", '{"indexes":[' . join(',', @indexes) . ']}');
}
make_schema("$work/dump");
my $counts = join(' ', map { scalar(@{ $documents{$_} }) . '|0' } sort keys %documents);
import_ok('the documents', $counts, "$work/dump");
my $script = script_of('--section=post-data', "$work/dump");
run_script($script);

# mingo_ids() - the ids that mingo finds: of each collection, of each filter that is translated
sub mingo_ids
{
	my @forms;
	for my $name (grep { $_ ne 'others' } sort keys %documents)
	{
		for (grep { !$_->{refused} && !$_->{by_hand} } @filters)
		{
			my $filter = $_->{filter} =~ s/\{"\$date":(".*?")\}/ISODate($1)/gr =~ s/\{"\$number\w+":"(.*?)"\}/$1/gr;
			push @forms, "db.$name.find($filter)";
		}
	}
	my $collections = join(
		',',
		map {
			qq("$_":[)
			  . join(',', map { "{$_}" } @{ $documents{$_} }) . ']'
		} sort keys %documents);
	my $question = qq({"collections":{$collections},"forms":) . $json->encode(\@forms) . '}';
	my ($answer, $error);
	IPC::Run::run([ 'node', 't/mingo/run.js' ], '<', \$question, '>', \$answer, '2>', \$error)
	  or die("mingo: $error");
	return map {
		join(' ', sort map { $_->{_id} } @$_)
	} @{ $json->decode($answer) };
}

# sql_ids() - those for which the conditions of the indexes are true, by "collection|name"
sub sql_ids
{
	my $queries = sql(<<'END');
SELECT string_agg(format('SELECT %L, coalesce(string_agg(_id::text, '' '' ORDER BY _id), '''') FROM %s WHERE %s',
  concat_ws('|', relname, substring(obj_description(indexrelid, 'pg_class') FROM '^index (.*), by')), indrelid::regclass,
  coalesce(pg_get_expr(indpred, indrelid), 'true')), ' UNION ALL ')
FROM pg_index JOIN pg_class ON pg_class.oid = indrelid WHERE obj_description(indexrelid, 'pg_class') ~ '^index '
END
	return map { /^(.*)\|(.*)$/ } split(/\n/, sql($queries));
}

my %sql = sql_ids();
my @mingo = -d 't/mingo/node_modules/mingo' ? mingo_ids() : ();
for my $name (sort keys %documents)
{
	for (@filters)
	{
		my $scenario = "$_->{name}: $_->{filter} of $name";
		my ($printed) = $script =~ /ON public\.$name \(n\) WHERE (.*);\n.* IS 'index \Q$_->{name}\E, by/;
		if ($_->{refused})
		{
			is($printed, undef, "$scenario: no condition");
			like(
				$script,
				qr/^-- Not translated: unique index \Q$_->{name}\E of public\.$name, /m,
				"$scenario: a comment");
			next;
		}
		if ($name eq 'others')
		{
			is( $sql{"others|$_->{name}"},
				join(' ', map { hex_id($_) } split(/ /, $_->{others} // '')),
				"$scenario: rows");
			next;
		}
		next if $_->{by_hand};
		is($printed, $_->{$name}, "$scenario: on the column") if $_->{$name};
	  SKIP:
		{
			skip('mingo is not installed (script/setup import)', 1) unless @mingo;
			is($sql{"$name|$_->{name}"}, shift(@mingo), "$scenario: rows") or diag($printed // 'no condition');
		}
	}
}
done_testing();
