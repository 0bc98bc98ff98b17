# The scripts of objectid-import --schema-only, run in a database that is not as they expect: they refuse or warn,
# and nothing is lost, silently wrong, or run that is in a name.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib import/t);
use ImportTest;
use TestServer;

set_up();

# json($name, @documents) - a file of documents with the ids 1, 2, ...
sub json
{
	my ($name, @documents) = @_;
	my $n = 0;
	return write_file("$name.json", join('', map { sprintf("{%s,%s}\n", json_id(++$n), $_) } @documents));
}

# script_says($what, $status, $pattern, $script) - run a script in psql: its exit status, and what it prints
sub script_says
{
	my ($what, $status, $pattern, $script) = @_;
	my $file = write_file('script.sql', $script);
	my $dsn = $node->connstr('postgres');
	IPC::Run::run([ 'psql', '-Xq1', '-d', $dsn, '-f', $file ], '>&', \my $output, init => sub { chdir $work });
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($? >> 8, $status, "$what: exit status") or diag($output);
	like($output, $pattern, "$what: message");
}

# A script of documents without an array that has a child table
my $both = json('lost', '"a":[{"v":1}],"b":[{"v":1}]', '"n":1');
my $pre = schema_of('--section=pre-data', $both);
run_script($pre);
import_ok('documents with arrays', '2|0', $both);
script_says(
	'a child table that would be forgotten',
	3,
	qr/ERROR: .*lost_b follows public\.lost, but not here/,
	schema_of(json('part/lost', '"a":[{"v":1}]')));
script_says('no child table', 3, qr/ERROR: .*lost_[ab] follows/, schema_of(json('none/lost', '"n":1')));
sql(q{UPDATE lost SET doc = doc - 'b'});
is(sql('SELECT count(*) FROM lost_a'), 1, 'the triggers are there');
is(sql('SELECT count(*) FROM lost_b'), 0, 'and child tables follow');

# Other types, and columns that are there
my $wide = json('lost', '"a":[{"v":1.5}],"b":[{"v":1}],"n":"x"');
script_says(
	'columns of other types',
	0,
	qr/WARNING: .*"n" of table public\.lost is of type bigint, .*need text.*WARNING: .*"v" of table public\.lost_a is of type bigint, .*need double/s,
	schema_of('--section=pre-data', $wide));
sql('CREATE TABLE mine (_id objectid PRIMARY KEY, doc jsonb NOT NULL, title text)');
script_says(
	'a plain column',
	0,
	qr/WARNING: .*"title" of table public\.mine is not generated/,
	schema_of(json('mine', '"title":"x"')));

# Without documents: what a column does not have stays, and the first script is refused
my $rest = json(
	'rest',
	'"ds":[{"$date":{"$numberLong":"0"}},{"$date":{"$numberLong":"9224318016000000"}}],"l":[{"v":1}],"u":{"$binary":{"base64":"AA==","subType":"05"}}',
	'"ds":[{"$date":{"$numberLong":"0"}},null],"l":[{"v":2},null]');
$pre = schema_of('--section=pre-data', $rest);
run_script($pre);
import_ok('documents', '2|0', $rest);
sql(sprintf(
		q{INSERT INTO rest VALUES ('%s', '{"l": [{"v": "abc"}], "new": 5}'), ('%s', '{"l": [{"v": 3, "new": 5}]}')},
		hex_id(3), hex_id(4)));
my (undef, $plain) = run_import('--without-documents', $rest);
run_script($plain);
is( sql('SELECT doc FROM rest ORDER BY _id'),
	join("\n",
		'{"u": {"$binary": {"base64": "AA==", "subType": "05"}}, "ds": [{"$date": "1970-01-01T00:00:00Z"}, {"$date": {"$numberLong": "9224318016000000"}}]}',
		'',
		'{"l": [{"v": "abc"}], "new": 5}',
		'{"l": [{"v": 3, "new": 5}]}'),
	'what has no column stays');
script_says('the first script afterwards', 3, qr/ERROR: .*rest_l has rows, but does not follow/, $pre);
is(sql('SELECT count(*) FROM rest_l'), 5, 'no row is lost');
my $twice = json('twice', '"a":1,"a":2', '"b":1');
run_script(schema_of('--section=pre-data', $twice));
import_is('a field that occurs twice', '1|1', $twice);
(undef, $plain) = run_import('--without-documents', $twice);
run_script($plain);

# A foreign key whose target was rejected; one that a person has added
mkdir("$work/keys");
mkdir("$work/keys/public");
write_file('keys/public/z.bson', bson(id(1), string('s', "\0")) . bson(id(2)));
write_file('keys/public/a.bson',
	bson(id(3), element(7, 'z', pack('NNN', 0x50000000, 0, 1)), element(7, 'y', pack('NNN', 0x50000000, 0, 2))));
run_script(schema_of('--section=pre-data', "$work/keys"));
import_is('a dump', '1|0 1|1', "$work/keys");
script_says(
	'a foreign key',
	0,
	qr/WARNING: .*violates foreign key constraint "a_z_fkey"$/m,
	schema_of('--section=post-data', "$work/keys"));
is(sql(q{SELECT string_agg(conname, ' ') FROM pg_constraint WHERE contype = 'f'}), 'a_y_fkey', 'the others are there');

# Names: a field with a dot, a table named as an alias, a tag of dollar quotes; another encoding
write_file('public/dots.json', sprintf("{%s,\"a.b\":1,\"a\":{\"b\":\"x\"}}\n", json_id(1)));
write_file('public/dots.metadata.json', '{"indexes":[{"key":{"a.b":1},"name":"i"}]}');
like(
	schema_of("$work/public/dots.json"),
	qr/^CREATE INDEX IF NOT EXISTS dots_i ON public\.dots \(a_b\);$/m,
	'an index of a.b');
for my $name ('rows', 'x$check$ \\! touch pwned #', 'x$$ \\! touch pwned #')
{
	my $file = json($name, '"a":[{"v":1}]');
	run_script(schema_of($file));
	import_ok($name, '1|0', $file);
	is(sql(sprintf('SELECT count(*) FROM "%s_a"', $name)), 1, "$name: its child table");
}
for my $encoding (qw(LATIN1 SJIS))
{
	my $file = json("fields_\L$encoding", qq("pr\xc3\xa9nom":"x","a\xc3\x81\\\\' \xc3\x81\\\\! touch pwned #":1));
	{
		local $ENV{PGCLIENTENCODING} = $encoding;
		script_says($encoding, 0, qr/^$/, schema_of($file));
	}
	import_ok($encoding, '1|0', $file);
	is(sql(qq(SELECT "pr\xc3\xa9nom" FROM fields_\L$encoding)), 'x', "$encoding: the column has the value");
}
ok(!-e "$work/pwned", 'no name has run');

# TRUNCATE by a transaction whose snapshot is older than the documents
my $old = json('old', '"a":[{"v":1}]');
run_script(schema_of($old));
my $session = $node->background_psql('postgres');
$session->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM old');
import_ok('documents that it does not see', '1|0', $old);
$session->query_safe('TRUNCATE old; COMMIT');
$session->quit;
is(sql('SELECT count(*) FROM old_a'), 0, 'the child table is empty, too');
done_testing();
