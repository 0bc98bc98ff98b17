# objectid-import: nothing of a damaged file is loaded.
use lib 't';
use ImportTest;

set_up();

# Damaged files: each offset where the file can be cut, each length that can be wrong
my $tables = sql(q{SELECT count(*) FROM pg_class});
my @small = map {
	bson(id($_), string('s', 'text'), element(3, 'd', bson(int32('n', $_))), element(5, 'b', pack('VCa*', 2, 0, 'ab')))
} 1 .. 3;
my $size = length($small[0]);
my $whole = join('', @small);

# Import damaged content from a file and from a pipe: status, offset named, tables made
sub refusals
{
	my ($format, $content) = @_;
	my $file = write_file("damaged.$format", $content);
	my @offsets;
	for ([ '', $file ], [ $content, '--format', $format, '-t', 'damaged', '-' ])
	{
		my ($status, $out, $err) = run_import(@$_);
		push @offsets, "$status$out" eq '1'
		  && $err =~ /is damaged at byte (\d+): .*\nNothing of it has been loaded\.\n\z/ ? $1 : "$status$out$err";
	}
	return join(' ', @offsets);
}
my @wrong;
for my $cut (1 .. length($whole) - 1)
{
	next if $cut % $size == 0;
	my $start = $cut - $cut % $size;
	my $refusals = refusals('bson', substr($whole, 0, $cut));
	push @wrong, "$cut: $refusals" if $refusals ne "$start $start";
}
is("@wrong", '', 'BSON cut at any byte is refused, with the offset of the document that is cut');

@wrong = ();
my %length_at = (
	string => index($small[0], "\2s\0") + 3,
	document => index($small[0], "\3d\0") + 3,
	binary => index($small[0], "\5b\0") + 3,
	whole => 0);
for my $what (sort keys %length_at)
{
	for my $value (0, 1, 4, 100, 255, 65536, 2**31 - 1, 2**31, 2**32 - 1)
	{
		my $damaged = $whole;
		my $at = $size + $length_at{$what};
		substr($damaged, $at, 4) = pack('V', $value);
		my $refusals = refusals('bson', $damaged);
		my ($offset) = $refusals =~ /^(\d+) \1$/;
		push @wrong, "$what $value: $refusals" unless defined $offset && $offset >= $size && $offset < 2 * $size;
	}
}
is("@wrong", '', 'BSON with a wrong length is refused, with an offset in its document');
for (
	[ 'an unknown type', index($small[0], "\2s"), "\x20" ],
	[ 'no end', $size - 1, 'x' ],
	[ 'an end too early', index($small[0], "\2s"), "\0" ],
	[ 'a string without its end', index($small[0], "text") + 4, 'x' ])
{
	my ($what, $at, $byte) = @$_;
	my $damaged = $whole;
	substr($damaged, $size + $at, 1) = $byte;
	like(refusals('bson', $damaged), qr/^(\d+) \1$/, "BSON with $what is refused");
}

@wrong = ();
my $two = qq{{"_id":{"\$oid":"500000000000000000000001"},"a":[1,-2.5e3,true,null]}\n};
my $both = "$two$two";
for my $cut (length($two) + 1 .. length($both) - 2)
{
	my $refusals = refusals('json', substr($both, 0, $cut));
	push @wrong, "$cut: $refusals" if $refusals ne length($two) . ' ' . length($two);
}
is("@wrong", '', 'JSON cut at any byte is refused, with the offset of the document that is cut');
for my $damage (
	'{"a":01}', '{"a":1.}',
	'{"a":+1}', '{"a":tru}',
	'{"a" 1}', '{a:1}',
	'{"a":1,}', '{"a":[1,]}',
	'{"a":[1}', "{\"a\":\"\t\"}",
	'{"a":"\x"}', '{"a":"\u12g4"}',
	'}', '[',
	'1', '"a"',
	'{"a":NaN}', "{'a':1}",
	'{"a":ObjectId("500000000000000000000001")}')
{
	my ($first, $other) = split(/ /, refusals('json', "$two$damage\n$two"), 2);
	ok($first =~ /^\d+$/ && $first eq $other && $first >= length($two) && $first <= length("$two$damage\n"),
		"refused: $damage")
	  or diag($first, $other);
}
for my $damage ("[$two$two]", "[$two,]", "[$two", "[$two]x", "[,$two]", '[')
{
	like(refusals('json', $damage), qr/^(\d+) \1$/, 'refused array: ' . ($damage =~ s/\{.*\n/{}/gr));
}
like((run_import("\x1f\x8b\x08", '--format=bson', '-t', 'damaged', '-'))[2],
	qr/gunzip/, 'a compressed file is known for what it is');
is(sql(q{SELECT count(*) FROM pg_class}), $tables, 'no table is left of any of them');

# Damage far behind, in a file of many batches, undoes all of it
my $many = 400_000;
my $pad = 'x' x 60;
my $documents = join('', map { bson(id($_), string('pad', $pad)) } 1 .. $many);
my $cut = substr($documents, 0, -3);
is( refusals('bson', $cut),
	join(' ', (length($documents) / $many * ($many - 1)) x 2),
	'damage in the last of many batches');
is(sql(q{SELECT to_regclass('damaged'), to_regclass('damaged_rejected')}), '|', 'leaves no table');

done_testing();
