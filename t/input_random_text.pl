# Random text, most of it similar to valid input: the input function accepts exactly the
# text forms of docs/reference.md, with the right values. 100,000 strings; a million with
# script/test --long.
use strict;
use warnings FATAL => 'all';
no warnings 'nonchar';    # text may have them
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

# Each text that the parser compares with is a piece, so that a form that it accepts in addition is found
my ($parser) = slurp_file('objectid.c') =~ /^(parse_objectid\(.*^parse_json_space\()/ms;
my @constants = map { s/\\(.)/$1/gr } $parser =~ /"((?:[^"\\\n]|\\.)+)"/g;
cmp_ok(scalar(grep { /^\w.*\($/ } @constants), '>=', 5, 'the names of constructors are found in the parser');

for my $place ('docs/reference.md', 'sql/input.sql', 'fuzz/corpus/*')
{
	my $text = join('', map { slurp_file($_) } glob($place));
	is(join(' ', grep { index($text, s/\($//r) < 0 } @constants), '', "$place lacks no form");
}

my $count = $long ? 1_000_000 : 100_000;
set_seed(507);

# The text forms in Perl, independent of the parser
my $digits = qr/[0-9a-fA-F]{24}/;
my $space = qr/[ \t\n\r]*/;
my $form = qr/\A(?|
	($digits)
	| (?:ObjectId|ObjectID|new\ ObjectId|BSON::ObjectId|ObjectIdHex) \( (?|"($digits)"|'($digits)'|($digits)) \)
	| \{ $space "\$oid" $space : $space "($digits)" $space \}
	| "($digits)"
	| \\x($digits)
)\z/x;

sub pick { return $_[ rand @_ ]; }

# Mutations insert parts of the forms, similar text, any ASCII character except NUL, which
# text cannot contain, and characters of two to four bytes in UTF-8
my @pieces = (
	@constants,
	qw<ObjectId ObjectID ObjectId( new BSON:: Hex $oid "$oid" " ' { } ( ) : \\ \\x x 0 f g F G 0x ` [ ] ; null>,
	',', ' ', "\t", "\n", "\r", "\x0b", "\f", "\\n", '507f1f77bcf86cd799439011', "\x{a0}", "\x{feff}", "\x{2028}",
	"\x{ff10}", "\x{212a}");
my @noise = (
	sub { chr(1 + rand(127)) },
	sub { chr(1 + rand(127)) },
	sub { chr(0x80 + rand(0x780)) },
	sub { chr(0x800 + rand(0xd000)) },
	sub { chr(0x10000 + rand(0x100000)) });
sub noise { return pick(@noise)->(); }

sub hex_digits
{
	my ($length) = @_;
	my @of = pick([ 0 .. 9, 'a' .. 'f' ], [ 0 .. 9, 'A' .. 'F' ], [ 0 .. 9, 'a' .. 'f', 'A' .. 'F' ])->@*;
	return join '', map { $of[ rand @of ] } 1 .. $length;
}

sub json_space
{
	return join '', map { pick(' ', "\t", "\n", "\r") } 1 .. pick(0, 0, 1, 3);
}

sub some_form
{
	my $id = hex_digits(rand() < 0.9 ? 24 : pick(0, 12, 22, 23, 25, 26, 48));
	my $quote = pick('"', "'", '');
	my @s = map { json_space() } 1 .. 4;
	return pick(
		$id, qq{"$id"}, qq{\\x$id},
		qq{{$s[0]"\$oid"$s[1]:$s[2]"$id"$s[3]}},
		pick('ObjectId', 'ObjectID', 'new ObjectId', 'BSON::ObjectId', 'ObjectIdHex') . "($quote$id$quote)",
		pick(@constants) . "$quote$id$quote)");
}

sub mutated
{
	my ($string) = @_;
	my $at = int(rand(length($string) + 1));
	my $with = rand() < 0.6 ? pick(@pieces) : noise();
	my $how = rand();

	if    ($how < 0.35) { substr($string, $at, 0) = $with; }
	elsif ($how < 0.65) { substr($string, $at, 1) = $with if $at < length($string); }
	elsif ($how < 0.80) { substr($string, $at, 1 + rand(3)) = '' if $at < length($string); }
	elsif ($how < 0.85) { $string = substr($string, 0, $at); }
	elsif ($how < 0.90) { $string = substr($string, $at); }
	elsif ($how < 0.95) { $string = $string . substr($string, $at); }
	else                { $string = rand() < 0.5 ? uc($string) : lc($string); }
	return $string;
}

my $file = PostgreSQL::Test::Utils::tempdir() . '/strings';
open(my $out, '>:utf8', $file) or die "$file: $!";
my %escaped = ("\\" => '\\\\', "\n" => '\n', "\r" => '\r', "\t" => '\t');
my ($accepted, $refused) = (0, 0);
for my $n (1 .. $count)
{
	my $string = '';
	if ($n % 10 == 0)
	{
		$string .= noise() for 1 .. rand(40);
	}
	else
	{
		$string = some_form();
		$string = mutated($string) for 1 .. pick(0, 1, 1, 2, 4);
	}
	my $value = $string =~ $form ? lc($1) : '\N';
	$value eq '\N' ? $refused++ : $accepted++;
	print $out $string =~ s/([\\\n\r\t])/$escaped{$1}/gr, "\t$value\n";
}
close($out) or die "$file: $!";
cmp_ok($accepted, '>', $count / 10, "$accepted strings are valid");
cmp_ok($refused, '>', $count / 2, "$refused strings are invalid");

my $node = start_node(
	'random_text',
	sql => slurp_file('sql/setup.sql') . qq{
CREATE TABLE string (string text NOT NULL, value text);
\\copy string from '$file' (encoding 'UTF8')
});
query_is($node, 'SELECT count(*), count(value) FROM string', "$count|$accepted", 'the server has all strings');
query_is(
	$node, q{
SELECT string, value FROM string WHERE objectid_is_valid(string) IS DISTINCT FROM (value IS NOT NULL) LIMIT 10
}, '', 'objectid_is_valid() is right for each string');
query_is(
	$node, q{
SELECT string, value FROM string WHERE CASE WHEN value IS NOT NULL THEN string::objectid::text END IS DISTINCT FROM value LIMIT 10
}, '', 'each id has the value of its digits');

# One by one, because soft errors exist from 16 on only, and for some strings only, because this is slow
query_is(
	$node, q{
SELECT string FROM (SELECT * FROM string WHERE value IS NULL LIMIT 20000) AS refused
WHERE outcome(format('SELECT %L::objectid', string)) <> '22P02' LIMIT 10;
}, '', 'the input function rejects invalid strings with 22P02');

# In an encoding other than UTF8, a character is named by its bytes
for my $encoding ('LATIN1', 'EUC_JP', 'SQL_ASCII')
{
	$node->safe_psql('postgres', "CREATE DATABASE $encoding ENCODING $encoding LOCALE 'C' TEMPLATE template0");
	$node->safe_psql(lc $encoding, 'CREATE EXTENSION objectid');
	my ($character, $bytes) = $encoding eq 'EUC_JP' ? ('a4a2', '\xa4\xa2') : ('e9', '\xe9');
	my (undef, undef, $stderr) = $node->psql(
		lc $encoding,
		"DO \$\$BEGIN PERFORM (convert_from('\\x$character', '$encoding') || '507f')::objectid; END\$\$",
		extra_params => ['--set=VERBOSITY=verbose']);
	like(
		$stderr,
		qr/DETAIL:.* At position 1, this text has \Q$bytes\E\./,
		"$encoding: the bytes of a character are named");
}

done_testing();
