# objectid-import: nothing of a damaged file is loaded.  Damage is what is not BSON or JSON,
# except a line in braces, if each line of the file is one: that is a rejected document.
use strict;
use warnings FATAL => 'all';
use Encode qw(encode);
use ImportTest;

set_up();

# Damaged files: each offset where the file can be cut, each length that can be wrong
my $count = q{SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname <> 'objectid_import'};
my $tables = sql($count);
my @small = map {
	bson(id($_), string('s', 'text'), element(3, 'd', bson(int32('n', $_))), element(5, 'b', pack('VCa*', 2, 0, 'ab')))
} 1 .. 3;
my $size = length($small[0]);
my $whole = join('', @small);

my $window = 50;

# refused($name, $format, [ $content, $first, $last ], ...) - each content is damaged from one of these
# bytes on, and nothing of it is loaded, whatever the size of the window
my $refused = 0;

sub refused
{
	my ($name, $format, @damaged) = @_;
	my $dump = 'damage' . ++$refused;
	write_file("$dump/db/$_.$format", $damaged[$_][0]) for 0 .. $#damaged;
	my @wrong;
	for my $window ($window, 1_000_000)
	{
		local $ENV{OBJECTID_IMPORT_WINDOW} = $window;
		my ($status, $out, $err) = run_import("$work/$dump");
		my $found = $err =~ s/^\S+ waiting for another import .*\n//mr;    # the one before it, which ends
		my $message =
		  qr/^\S+ error: file "[^"]*\/(\d+)\.\w+" is damaged at byte (\d+)(?:, in line \d+)?: .*\n\S+ detail: Nothing is loaded from a damaged file\.\n/m;
		my %at;
		$at{$1} = $2 while $found =~ s/$message//;
		push @wrong, "$window: $status$out$err"
		  if "$status$out$found" ne '1' || keys %at != @damaged;

		for (sort { $a <=> $b } keys %at)
		{
			my ($content, $first, $last) = @{ $damaged[$_] };
			push @wrong, "$content: $at{$_}" if $at{$_} < $first || $at{$_} > ($last // $first);
		}
	}
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(join("\n", @wrong), '', "refused: $name");
}
refused('BSON cut at any byte',
	'bson', map { [ substr($whole, 0, $_), $_ - $_ % $size ] } grep { $_ % $size } 1 .. length($whole) - 1);

# the second of the three documents, with other bytes at a place
sub damaged
{
	my ($at, $bytes) = @_;
	my $damaged = $whole;
	substr($damaged, $size + $at, length($bytes)) = $bytes;
	return [ $damaged, $size, 2 * $size - 1 ];
}
for my $at (0, map { index($small[0], $_) + 3 } "\2s\0", "\3d\0", "\5b\0")
{
	refused(
		"BSON with a wrong length at $at",
		'bson', map { damaged($at, pack('V', $_)) } 0,
		1, 4, 100, 255, 65536, 2**31 - 1,
		2**31, 2**32 - 1);
}
my $string = index($small[0], "\2s");
refused("BSON with $_->[0]", 'bson', damaged(@$_[ 1, 2 ]))
  for [ 'an unknown type', $string, "\x20" ],
  [ 'no end', $size - 1, 'x' ],
  [ 'an end too early', $string, "\0" ],
  [ 'a string without its end', index($small[0], "text") + 4, 'x' ];
refused('BSON with half a regular expression', 'bson', [ bson(id(1), element(0x0b, 'r', "a\0")), 0, $size ]);
my $deep = bson(element(0x20, 'x', ''));
$deep = bson(element(3, 'd', $deep)) for 3 .. 200;
refused('BSON that is damaged, at level 200, behind what it would be rejected for',
	'bson', [ bson(id(1), string('s', "\xff"), element(3, 'd', $deep)), 0, 2000 ]);

# JSON that is cut off
my ($one, $two) = map { '{' . json_id($_) . qq(,"a":[1,{"b":-2.5e3},true,null],"s":"\\u00e9"}\n) } 1, 2;
my ($end, $all) = (length($one), length($one . $two));
$window = $end;    # the damage begins with a window
refused('JSON cut at any byte', 'json', map { [ $one . substr($two, 0, $_), $end, $all ] } 1 .. length($two) - 2);
import_fails(
	'cut off',
	qr/is damaged at byte $end, in line 2: the document that begins here is cut off by the end of the file$/m,
	write_file('damaged.json', $one . '{"a":{}'));

# UTF-16 with a byte order mark, as PowerShell writes it, also when there are no documents
for my $encoding (qw(UTF-16LE UTF-16BE))
{
	for ([ 'two documents', "$one$two" ], [ 'an array', "[$one]" ], [ 'no documents', '' ])
	{
		my ($what, $content) = @$_;
		my $utf16 = encode($encoding, "\x{feff}$content");
		refused("$encoding, $what", 'json', [ $utf16, 0 ]);
		import_fails(
			"$encoding, $what",
			qr/is damaged at byte 0, in line 1: this is UTF-16, as PowerShell writes it: use mongoexport --out, or convert it to UTF-8$/m,
			write_file('damaged.json', $utf16));
	}
}

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

import_ok('lines that are not JSON', "$n|" . (@lines - $n), write_file('line.json', $content));
my $places = join(' ', (map { $_->[1] } @damages), 2, 2);
is( sql(q{SELECT string_agg(substring(reason, '^not JSON at its byte (\d+)$'), ' ' ORDER BY position) FROM line_rejected}
	),
	$places,
	'lines that are not JSON: each is rejected alone, with the byte');
is( sql(q{SELECT string_agg(encode(raw, 'hex'), ' ' ORDER BY position) FROM line_rejected}),
	join(' ', map { unpack('H*', $_) } (map { $_->[0] } @damages), '{x}', '{y}'),
	'lines that are not JSON: the very bytes');
sql('DROP TABLE line, line_rejected, objectid_import');

# Anything else that is not JSON is damage, and so are such lines if any document stands in several lines,
# or several stand in one
my $broken = "{\"a\":tru}\n";
refused($_, 'json', [ "$one$_\n$two", $end, 2 * $all ])
  for '-', '}', '[', '[{"a":1}', '{"a":{', '{"a":"', '{"a":"\\', '{"a":1', '{"a":1} x', "\xff", 'a,b', ']';
refused(
	"a broken line before and behind $_",
	'json',
	[ "$one$broken$_", $end + 5 ],
	[ "$one$_$broken", $end + length($_) + 5 ])
  for "{\n\"a\":1}\n", "{\"a\":1}{\"a\":2}\n", "{\"a\":1} {\"a\":2}\n", "{\"a\":\n{\"b\":1}}\n", "{\"a\":[\n{}]}\n",
  "5\n", "[1]\n";
refused('the only line, of several documents', 'json', [ '{"a":tru}{"a":2}{"a":3}', 5 ]);

# An array, which ends where its brackets do
refused('array: ' . s/\{.*\n/{}/gr, 'json', [ $_, 0, 2 * $all ])
  for "[$two$two]", "[$two,]", "[$two", "[$two]x", "[,$two]", '[', "[$one,\n{\"a\":tru}\n,$two]";

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
		import_fails(
			"$format $what",
			qr/damaged\.$format\.gz" is damaged at byte \d+(?:, in line \d)?: .*$message/,
			write_file("damaged.$format.gz", $content));
	}
}
import_fails(
	"a file of $_ bytes that is named .gz",
	qr/damaged at byte 0, in line 1: it is not compressed by gzip/,
	write_file('damaged.json.gz', '{' x $_)) for 0, 1;

# Behind a member, there is another one, or damage
($one, $two) = map { compress(qq({"_id":$_}\n)) } 1, 234;
my $garbage = qr/damaged at byte 10, in line 2: the compressed file goes on here: decompress it with gunzip/;
import_fails('a compressed file that goes on behind garbage', $garbage, write_file('damaged.json.gz', "${one}XX$two"));
import_fails('a pipe that goes on', $garbage, qw(--format json -t damaged -), "$one$_") for 'XX', '{"_id":234}', "\0";
is(sql($count), $tables, 'no table is left of any of them');

import_ok('two members', '2|0', '--id-type=bigint', write_file('members.json.gz', $one . $two));
import_ok('a pipe of two members', '2|0', qw(--id-type bigint --format json -t piped -), $one . $two);

# Damage far behind, in a file of many batches, undoes all of it
my $many = 200_000;
my $cut = substr(documents(60, 1 .. $many), 0, -3);
refused('damage in the last of many batches', 'bson', [ $cut, (length($cut) + 3) / $many * ($many - 1) ]);
is(sql($count), $tables + 4, 'damage in the last of many batches leaves no table');

# --drop drops nothing for a damaged file
sql('CREATE TABLE damaged (_id objectid PRIMARY KEY, doc jsonb NOT NULL)');
import_fails('--drop with a damaged file', qr/is damaged/, '--drop', write_file('damaged.bson', $cut));
is(sql('SELECT count(*) FROM damaged'), 0, '--drop with a damaged file keeps the table');

done_testing();
