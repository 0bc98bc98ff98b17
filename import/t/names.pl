# objectid-import prints names and values of a hostile dump without control characters, names
# files whose names are not UTF-8, and reads nothing as metadata.json but a small regular file.
use strict;
use warnings FATAL => 'all';
use Encode qw(decode);
use POSIX  qw(mkfifo);
use ImportTest;

set_up();

# what a terminal takes for commands: ESC, CSI (also as UTF-8), BEL, the ends of lines and others
my $evil = "a\e]0;x\a\e[2J\r\n\t\b\x7f\xc2\x9b2J";
my $shown = quotemeta('a\x1b]0;x\x07\x1b[2J\x0d\x0a\x09\x08\x7f\xc2\x9b2J');

# Run one: its exit status has to be this, and what it prints, which has to match, is text in
# lines, of which each on standard error is a message.  Returns it.
sub text_is
{
	my ($what, $expected, $pattern, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($status, $out, $err) = run_import(@arguments);
	is($status, $expected, "$what: exit status");
	like($out . $err, $pattern, "$what: it is printed");
	my $text = eval { decode('UTF-8', "$out$err", Encode::FB_CROAK) };
	is(join('|', defined $text ? $text =~ /[^\n\P{Cc}]/g : 'not UTF-8'), '', "$what: no control characters")
	  or diag($out, $err);
	is($err =~ s/^objectid-import: .*\n//mgr, '', "$what: each line is a message");
	return $err;
}

# Names of a dump, a database, collections and other files
my $dump = "dump$evil";
my $database = "$work/$dump/db$evil";
my $value = '"a\u001b]0;x\u0007\u001b[2J\u000d\u000a\u0009\u0008\u007f\u009b2J"';
my $metadata =
  qq({"options":{"collation":$value,$value:1},"indexes":[{"key":{"a":1},"name":"a"},{"key":{$value:1},"name":"b"},{"key":{"c":1},"name":$value},{"key":{"text":"text"},"default_language":$value}]});
write_file("$dump/db$evil/$_$evil.bson", documents(0, 1 .. 3)) for qw(film actor);
write_file("$dump/db$evil/film$evil.metadata.json", $metadata);
write_file("$dump/db$evil/$_$evil.csv", 'a') for qw(film other);
write_file("$dump/db$evil/long$evil" . 'x' x 60 . '.bson', documents(0, 1 .. 3));
write_file("$dump/db$evil/nested$evil/film.bson", documents(0, 1));
write_file("$dump/db$evil/$_$evil.bson", "no BSON") for 'damaged';
write_file("$dump/db$evil/system.$evil.bson", '');
write_file("$dump/db$evil/system.buckets.$evil.bson", '');

for (
	[ 'a dump', qr/db$shown/, '-v' ],
	[ 'a dump that is loaded already', qr/already loaded/ ],
	[ 'a dry run', qr/acceptable/, '--dry-run' ],
	[ '--drop', qr/damaged/, '--drop' ])
{
	my ($what, $pattern, @options) = @$_;
	text_is($what, 1, $pattern, @options, "$work/$dump");
}

write_file('indexes/public/index.json',
	qq({"_id":1,$value:1,"s":[{$value:$value,"a":[[1]]}],"mixed":[1,$value],"c":{$value:{}}}\n{"_id":2,$value:2,"c":5}\n)
);
write_file('indexes/public/index.metadata.json', $metadata);
for my $section (['--schema-only'], ['--section=post-data'], [ '--schema-only', '-v' ])
{
	my @arguments = ('-q', @$section, "$work/indexes");
	my ($status, $script, $err) = run_import(@arguments);
	is("$status$err", '0', "@$section: a script");
	is(join('|', decode('UTF-8', $script) =~ /[^\n\P{Cc}]/g), '', "@$section: no control characters in it");
	is( () = $script =~ /^.*0;x.*$/mg,
		() = $script =~ /^(?:--|CREATE| |ALTER|COMMENT).*0;x.*$/mg,
		"@$section: control characters only in statements and comments");
}

# Names of arguments
text_is('a file that is not there', 1, qr/$shown/, "$work/none$evil.bson");
text_is('no format', 1, qr/$shown/, write_file("file$evil", ''));
text_is('a table', 0, qr/$shown/, '-t', qq("$evil"), write_file('table.bson', documents(0, 1)));
text_is('no name of a table', 1, qr/error: /, '-t', "a.b.$evil", "$work/table.bson");
text_is('a connection', 1, qr/\\x7f/, '-d', "host=$evil", "$work/table.bson");

# Keys and values in the reasons why documents are rejected, and in messages of the server
sql(q{
CREATE FUNCTION say() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE WARNING 'warning %', NEW._id;
	RAISE 'error %', NEW._id USING DETAIL = 'detail ' || NEW._id, HINT = 'hint ' || NEW._id, ERRCODE = coalesce(NEW.doc->>'code', '22000');
END$$;
CREATE TABLE talking (_id text PRIMARY KEY, doc jsonb NOT NULL);
CREATE TRIGGER t BEFORE INSERT ON talking FOR EACH ROW EXECUTE FUNCTION say();});
sub talking { return bson(string('_id', $evil), @_) }
my $max = '--max-rejected=0';
text_is('a reason', 1, qr/warning $shown\n(?s:.*)detail: The first reason is: error $shown \(detail $shown\)\./,
	$max, '-t', 'talking', write_file('talking.bson', talking()));
text_is('an error', 1, qr/error: .*error $shown\n.*detail: detail a\\x1b(?s:.*)hint: hint $shown\n/,
	'-t', 'talking', write_file('fatal.bson', talking(string('code', '53000'))));
text_is('JSON', 3, qr/1 rejected, the first as document 1: .*\\x1b/,
	'--dry-run', '-t', 'talking', write_file('talking.json', '{"_id":{"$binary":{"\u001b]0;x\u0007":1}}}' . "\n"));

# Names that are not UTF-8, also behind mongodump's escapes
write_file("latin/db/$_.bson", documents(0, 1 .. 3)) for 'film', "caf\xe9", 'the%FFt', "cut\xc3";
write_file("latin/caf\xe9/film.bson", documents(0, 1));
my $err = text_is('names that are not UTF-8', 1, qr/^db\.film +3 +0 /m, "$work/latin");
like($err, qr/error: .*\Q$_\E.* UTF-8/, "$_ is named")
  for 'db/caf\xe9.bson', 'db/the%FFt.bson', 'db/cut\xc3.bson', 'latin/caf\xe9';
is( sql(q{SELECT string_agg(nspname || '.' || relname, ' ' ORDER BY relname) FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace WHERE nspname IN ('db', 'caf') AND relkind = 'r'}
	),
	'db.film db.film_rejected db.objectid_import',
	'names that are not UTF-8: the others are loaded');
text_is('a path that is not UTF-8', 0, qr/^public\.film +1 +0 /m, "$work/latin/caf\xe9/film.bson");

# The table of rejected documents has the name of its table if this leaves room for the ending
my %side = (54 => 'x' x 54 . '_rejected', 55 => sprintf('%s_[0-9a-f]{8}_rejected', 'x' x 45));
for my $length (sort keys %side)
{
	run_import('-t', 'x' x $length, write_file('rejected.bson', documents(0, 1) . bson(int32('n', 1))));
	like(sql(q{SELECT relname FROM pg_class WHERE relname LIKE 'xxx%\_rejected' ORDER BY oid DESC LIMIT 1}),
		qr/^$side{$length}$/, "a name of $length bytes: the table of rejected documents");
}

# metadata.json
my $large = '{"indexes":[]}' . ' ' x (17 << 20);
for (
	[ 'fifo', sub { mkfifo($_[0], 0700) } ],
	[ 'zeros', sub { symlink('/dev/zero', $_[0]) } ],
	[ 'directory', sub { mkdir($_[0]) } ],
	[ 'large', sub { append_to_file($_[0], $large); 1 } ],
	[ 'bomb', sub { append_to_file("$_[0].gz", compress($large)); 1 } ])
{
	my ($name, $make) = @$_;
	my $directory = "$work/metadata/$name";
	write_file("metadata/$name/film.bson", documents(0, 1 .. 3));
	$make->("$directory/film.metadata.json") or die "$directory: $!";
	text_is("$name instead of metadata", 0, qr/^$name\.film +3 +0 (?s:.*)warning: .*film\.metadata\.json/m, $directory);
}

done_testing();
