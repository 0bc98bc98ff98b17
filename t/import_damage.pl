# objectid-import: nothing of a damaged file is loaded.  Damage is what cannot be read
# past; text of a JSON file that is not JSON is a rejected document.
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
		  /error: file "[^"]*" is damaged at byte (\d+): .*\n.*detail: Nothing is loaded from a damaged file\.\n\z/
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

# JSON: what is none is rejected, and the documents around it are loaded
my ($one, $two) = map { '{' . json_id($_) . qq(,"a":[1,-2.5e3,true,null],"s":"\\u00e9"}\n) } 1, 2;
@wrong = ();
for my $cut (1 .. length($two) - 2)
{
	sql('DROP TABLE IF EXISTS cut, cut_rejected');
	my ($status, $out, $err) = run_import(qw(--format json -t cut -), $one . substr($two, 0, $cut));
	my $found =
	  "$status$err "
	  . sql(
		q{SELECT (SELECT count(*) FROM cut), position, reason ~ '^not (Extended )?JSON', convert_from(raw, 'UTF8') FROM cut_rejected}
	  );
	push @wrong, "$cut: $found" if $found ne '3 1|2|t|' . substr($two, 0, $cut);
}
is("@wrong", '', 'a last line of JSON that is cut off at any byte is rejected');
my @damages = (
	qw(- } [ 1 "a" { {a:1} {"a":{ {'a':1} {"a":01} {"a":1.} {"a":+1} {"a":tru} {"a":NaN} {"a":[1} {"a":" {"a":"\\
	  {"a":"\x"} {"a":"\u12g4"} {"a":ObjectId("500000000000000000000001")}),
	'{"a" 1}', '{"a":1,}', '{"a":[1,]}', "{\"a\":\"\t\"}", "{\"a\":1\0}", "\xff");
my $n = 0;
my @lines;
push @lines, '{' . json_id(++$n) . '}', $_, '{' . json_id(++$n) . '}' for @damages;
push @lines, 'x', 'y';
my $content = join("\n", @lines);
my $expected =
  join("\n", map { $_ + 1 . '|t|' . unpack('H*', $lines[$_]) } grep { $lines[$_] !~ /^\{"_id"/ } 0 .. $#lines);

for ([ 'file', write_file('line.json', $content) ], [ 'pipe', qw(--format json -t line -), $content ])
{
	my ($what, @arguments) = @$_;
	sql('DROP TABLE IF EXISTS line, line_rejected, objectid_import');
	import_ok("a $what with lines that are no JSON", "$n|" . (@lines - $n), @arguments);
	is(sql(q{SELECT position, reason LIKE 'not JSON%', encode(raw, 'hex') FROM line_rejected ORDER BY position}),
		$expected, 'each is rejected alone, with its bytes');
}
sql('DROP TABLE line, line_rejected, cut, cut_rejected, objectid_import');

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
				qr/(?:damaged\.$format\.gz|standard input)" is damaged at byte \d+: .*$message/, @$_);
		}
	}
}
import_fails(
	"a file of $_ bytes that is named .gz",
	qr/damaged at byte 0: it is not compressed by gzip/,
	write_file('damaged.json.gz', '{' x $_)) for 0, 1;

# zlib takes what is no further member for the end
($one, $two) = map { compress(qq({"_id":$_}\n)) } 1, 234;
import_fails(
	"a compressed file $_->[0]",
	qr/damaged at byte \d+: the compressed file goes on here: decompress it with gunzip/,
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
