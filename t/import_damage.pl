# objectid-import: nothing of a damaged file is loaded.  Damage is what is not BSON or JSON,
# except a line in braces, if each line of the file is one: that is a rejected document.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ImportTest;

set_up();

# Damaged files: each offset where the file can be cut, each length that can be wrong
my $tables = sql(q{SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname <> 'objectid_import'});
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
	for ([$file], [ '--format', $format, '-t', 'damaged', '-', $content ])
	{
		my ($status, $out, $err) = run_import(@$_);
		push @offsets, $status eq '1'
		  && $out !~ /public/
		  && $err =~
		  /error: file "[^"]*" is damaged at byte (\d+)(?:, in line \d+)?: .*\n.*detail: Nothing is loaded from a damaged file\.\n\z/
		  ? $1
		  : "$status$out$err";
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
like(refusals('bson', bson(id(1), element(0x0b, 'r', "a\0"))),
	qr/^(\d+) \1$/, 'BSON with half a regular expression is refused');
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
my $deep = bson(element(0x20, 'x', ''));
$deep = bson(element(3, 'd', $deep)) for 3 .. 200;
like(refusals('bson', bson(id(1), string('s', "\xff"), element(3, 'd', $deep))),
	qr/^(\d+) \1$/, 'BSON is refused that is damaged, at level 200, behind what it would be rejected for');

# JSON that is cut off
my ($one, $two) = map { '{' . json_id($_) . qq(,"a":[1,{"b":-2.5e3},true,null],"s":"\\u00e9"}\n) } 1, 2;
@wrong = ();
for my $cut (1 .. length($two) - 2)
{
	my $refusals = refusals('json', $one . substr($two, 0, $cut));
	push @wrong, "$cut: $refusals" unless $refusals =~ /^(\d+) \1$/ && $1 >= length($one);
}
is("@wrong", '', 'JSON cut at any byte is refused');
import_fails(
	'cut off',
	qr/is damaged at byte @{[ length $one ]}, in line 2: the document that begins here is cut off by the end of the file$/m,
	write_file('damaged.json', $one . '{"a":{}'));

# Lines in braces that are not JSON, each with the byte where the error is
my @damages = (
	[ '{a:1}', 2 ],
	[ '{"a":{"b":1}', 13 ],
	[ '{"a":[1}', 8 ],
	[ '{"a":1}}', 8 ],
	[ '{"a":1},"b":2}', 8 ],
	[ '{"a":1} 5 {"a":2}', 9 ],
	[ "{\"a\":\"\t\"}", 6 ],
	[ '{"a" 1}', 6 ],
	[ '{"a":1,}', 8 ],
	[ '{' x 6000 . '}', 2 ],
	map { [ $_, 6 ] } qw({"a":01} {"a":1.} {"a":+1} {"a":tru} {"a":NaN} {"a":"} {"a":'b'}),
	'{"a":ObjectId("500000000000000000000001")}');
my $n = 0;
my @lines;
push @lines, '{' . json_id(++$n) . '}', "$_->[0] ", " {" . json_id(++$n) . "}\r" for @damages;
push @lines, '{x}', '{y}';
my $content = join("\n", @lines);

for ([ 'file', write_file('line.json', $content) ], [ 'pipe', qw(--format json -t line -), $content ])
{
	my ($what, @arguments) = @$_;
	sql('DROP TABLE IF EXISTS line, line_rejected, objectid_import');
	import_ok("a $what with lines that are not JSON", "$n|" . (@lines - $n), @arguments);
	my $places = join(' ', (map { $_->[1] } @damages), 2, 2);
	is( sql(q{SELECT string_agg(substring(reason, '^not JSON at its byte (\d+)$'), ' ' ORDER BY position) FROM line_rejected}
		),
		$places,
		'each is rejected alone, with the byte');
	is( sql(q{SELECT string_agg(encode(raw, 'hex'), ' ' ORDER BY position) FROM line_rejected}),
		join(' ', map { unpack('H*', $_) } (map { $_->[0] } @damages), '{x}', '{y}'),
		'and what the line has');
}
sql('DROP TABLE line, line_rejected, objectid_import');

# Anything else that is not JSON is damage, and so are such lines if any document stands in several lines,
# or several stand in one
my $broken = "{\"a\":tru}\n";
for my $damage ('-', '}', '[', '[{"a":1}', '{"a":{', '{"a":"', '{"a":"\\', '{"a":1', '{"a":1} x', "\xff", 'a,b', ']')
{
	my ($at) = refusals('json', "$one$damage\n$two") =~ /^(\d+) \1$/;
	cmp_ok($at // 0, '>=', length($one), "refused: $damage");
}
for my $other (
	"{\n\"a\":1}\n", "{\"a\":1}{\"a\":2}\n", "{\"a\":1} {\"a\":2}\n", "{\"a\":\n{\"b\":1}}\n",
	"{\"a\":[\n{}]}\n", "5\n", "[1]\n")
{
	my ($before, $behind) = map { length } $one, "$one$other";
	my $what = $other =~ s/\n/\\n/gr;
	is(refusals('json', "$one$broken$other"), join(' ', ($before + 5) x 2), "refused: a broken line before $what");
	is(refusals('json', "$one$other$broken"), join(' ', ($behind + 5) x 2), "refused: a broken line behind $what");
}
is(refusals('json', '{"a":tru}{"a":2}{"a":3}'), '5 5', 'refused: the only line, of several documents');

# An array, which ends where its brackets do
for my $damage ("[$two$two]", "[$two,]", "[$two", "[$two]x", "[,$two]", '[')
{
	like(refusals('json', $damage), qr/^(\d+) \1$/, 'refused array: ' . ($damage =~ s/\{.*\n/{}/gr));
}
like(refusals('json', "[$one,\n{\"a\":tru}\n,$two]"), qr/^(\d+) \1$/, 'refused array: an element that is no JSON');

# Compressed: cut off, or damaged
for my $format (qw(bson json))
{
	my $compressed = compress($format eq 'bson' ? $whole : $one . $two);
	my $cut_off = 'the compressed file is cut off';
	for (
		[ 'cut off', $cut_off, substr($compressed, 0, -9) ],
		[ 'cut off at its beginning', $cut_off, substr($compressed, 0, 5) ],
		[ 'without its checksum', $cut_off, substr($compressed, 0, -8) ],
		[ 'with a wrong checksum', 'incorrect data', substr($compressed, 0, -8) . 'xxxx' . substr($compressed, -4) ])
	{
		my ($what, $message, $content) = @$_;
		for ([ write_file("damaged.$format.gz", $content) ], [ '--format', $format, '-t', 'damaged', '-', $content ])
		{
			import_fails("$format $what",
				qr/(?:damaged\.$format\.gz|standard input)" is damaged at byte \d+(?:, in line \d)?: .*$message/, @$_);
		}
	}
}
import_fails(
	"a file of $_ bytes that is named .gz",
	qr/damaged at byte 0, in line 1: it is not compressed by gzip/,
	write_file('damaged.json.gz', '{' x $_)) for 0, 1;

# zlib takes what is no further member for the end
($one, $two) = map { compress(qq({"_id":$_}\n)) } 1, 234;
import_fails(
	"a compressed file $_->[0]",
	qr/damaged at byte \d+, in line [23]: the compressed file goes on here: decompress it with gunzip/,
	write_file('damaged.json.gz', $_->[1])
) for [ 'that goes on behind garbage', "${one}XX$two" ], [ 'of two members', $one . $two ];
is(sql(q{SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname <> 'objectid_import'}),
	$tables, 'no table is left of any of them');

# Damage far behind, in a file of many batches, undoes all of it
my $many = 200_000;
my $documents = documents(60, 1 .. $many);
my $cut = substr($documents, 0, -3);
my $last = length($documents) / $many * ($many - 1);
is(refusals('bson', $cut), "$last $last", 'damage in the last of many batches');
is(sql(q{SELECT to_regclass('damaged'), to_regclass('damaged_rejected')}), '|', 'leaves no table');

# --drop drops nothing for a damaged file
sql('CREATE TABLE damaged (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
import_fails('--drop with a damaged file', qr/is damaged/, '--drop', write_file('damaged.bson', $cut));
is(sql('SELECT count(*) FROM damaged'), 0, 'keeps the table');

done_testing();
