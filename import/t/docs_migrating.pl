# Commands of docs/migrating.md and docs/both-systems.md that need other data or tools than
# import/t/docs_commands.pl has: COPY of documents; import/compare.py; exported documents, read by an official BSON library.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib        qw(testlib import/t);
use ImportTest qw(make_program);
use Needs;
use TestServer;

my $node = start_node('migrating');

my %pages = map { $_ => slurp_file("docs/$_.md") } qw(migrating both-systems);

# The one command of a page that the pattern finds
sub command
{
	my ($page, $pattern) = @_;
	my @found = $pages{$page} =~ /$pattern/g;
	die("docs/$page.md has not one command like $pattern") if @found != 1;
	return $found[0];
}
my $create = command('migrating', qr/^(CREATE TABLE directors \(.*?^\);)$/ms);
my $load = command('migrating', qr/^(\\copy directors .*)$/m);
my $chunk = command('migrating', qr/`(decode\(.*?)`/);
my $delete = command('migrating', qr/psql -d mydb -c '(DELETE .*)'$/m);
my $back = command('both-systems', qr/^(\\copy \(SELECT doc .*)$/m);

$node->safe_psql('postgres', "CREATE EXTENSION objectid; $create");

my $dir = PostgreSQL::Test::Utils::tempdir();
my @there = (init => sub { chdir $dir or die "$dir: $!" });
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';
my $documents = 10_000;
open(my $out, '>', "$dir/directors.json") or die("$dir/directors.json: $!");
printf $out qq({"_id":{"\$oid":"5ca4bbc7a2dd94ee58%06x"},"n":{"\$numberInt":"%d"},"title":"a \\"title\\" \\\\ %d"}\n),
  $_, $_, $_
  for 1 .. $documents;
close($out);

my $copied = IPC::Run::run([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', $load ], '2>', \my $error, @there);
ok($copied, 'documents in one pass') or diag($error);
query_is(
	$node, q{
SELECT count(*), min(_id), max(_id), count(*) FILTER (WHERE doc->>'title' = 'a "title" \ ' || (doc->'n'->>'$numberInt')) FROM directors},
	"$documents|5ca4bbc7a2dd94ee58000001|5ca4bbc7a2dd94ee58002710|$documents", 'every document is there as it was');

# python($program, @arguments) - what a program prints, on standard output and standard error
sub python
{
	my ($program, @arguments) = @_;
	return run_command([ '/usr/bin/python3', '-c', "import sys, bson, bson.json_util\n$program", @arguments ]);
}

# compare($table, $ending) - the first line that compare.py prints, its messages, its exit status
sub compare
{
	my ($table, $ending) = (@_, '');
	my ($result, $message) =
	  run_command([ '/usr/bin/python3', 'import/compare.py', "$dir/$table.bson$ending", $table ]);
	return join(' ', grep { $_ ne '' } (split(/\n/, $result))[0] // '', $message, $? >> 8);
}

SKIP:
{
	my $missing = missing('docs_migrating');
	skip $missing, 2 if $missing;

	# pymongo's parser of Extended JSON returns ObjectIds
	$node->safe_psql('postgres', 'CREATE VIEW movies AS SELECT * FROM directors ORDER BY _id');
	IPC::Run::run([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', $back ], @there) or die("psql: $back");
	my ($read, $stderr) = python(<<'END', "$dir/back.json");
documents = [bson.json_util.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
assert all(type(d['_id']) is bson.ObjectId and type(d['n']) is int for d in documents)
assert all(bson.decode(bson.encode(d)) == d for d in documents)
print(len(documents), documents[0]['_id'], documents[-1]['_id'], documents[0]['_id'].generation_time)
END
	is($stderr, '', 'documents on their way back are Extended JSON');
	is( $read,
		'10000 5ca4bbc7a2dd94ee58000001 5ca4bbc7a2dd94ee58002710 2019-04-03 13:57:27+00:00',
		'and an official BSON library reads them');
}

SKIP:
{
	my $missing = missing('docs_commands');
	skip $missing, 17 if $missing;

	make_program($dir);
	python(<<'END', $dir);
import datetime, gzip
from bson import Binary, Code, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
epoch = datetime.datetime(1970, 1, 1)
values = [1, -2**31, Int64(2**62), 3.0, 0.1, 1e300, 5e-324, float('nan'), float('inf'), 'a "\\ \t\u20ac\U0001f600', True, None,
          [], {}, [1, [2.5, {'a': None}]], ObjectId(), Binary(b'\x00\xff', 0), Binary(b'x' * 16, 3), Binary(b'x' * 16, 4), Binary(b'x' * 16, 5), Regex('^a', 'im'),
          Timestamp(1, 2), Decimal128('1.50'), Decimal128('NaN'), Code('x'), Code('x', {'y': 1}), MinKey(), MaxKey(),
          epoch, epoch - datetime.timedelta(milliseconds=1), datetime.datetime(2024, 2, 29, 1, 2, 3, 45000)]
chunk = {'_id': ObjectId(), 'data': Binary(b'some content', 0)}
for name, documents in (
        ('values', [{'_id': ObjectId(), 'n': n, 'v': values[n % len(values)]} for n in range(3000)]),
        ('keys', [{'_id': 'k"\'\\%d' % n, 'n': n, 'v': values[n % len(values)]} for n in range(50)]),
        ('bigints', [{'_id': n, 'v': 1} for n in (0, -1, 2**40, Int64(2**62))]),
        ('uuids', [{'_id': Binary(bytes([n]) * 16, 4)} for n in range(4)]),
        ('several', [{'_id': key} for key in (1, 'a', 2.5, {'b': 'c'}, ObjectId())]),
        ('fs.chunks', [chunk])):
    for opened in open(sys.argv[1] + '/' + name + '.bson', 'wb'), gzip.open(sys.argv[1] + '/' + name + '.bson.gz', 'wb'):
        with opened as out:
            out.write(b''.join(map(bson.encode, documents)))
END
	for my $file (qw(values keys fs.chunks bigints uuids), 'several.bson --id-type=jsonb')
	{
		my ($name, @options) = split(/\.bson | /, $file);
		my (undef, $message) = run_command([ "$dir/objectid-import", '-q', @options, "$dir/$name.bson" ]);
		is($message =~ s/^.* the keys of the first documents are .*\n?//r . " $?", ' 0', "$name.bson is loaded");
	}
	{
		local $ENV{PGOPTIONS} = '-c enable_seqscan=off';
		is(compare('values'), '200 equal, 0 differ, 0 not in the table 0',
			'compare.py finds values of all types equal');
	}
	ok($node->poll_query_until('postgres', q{SELECT idx_scan > 0 FROM pg_stat_user_tables WHERE relname = 'values'}),
		'by the primary key');
	my %keys = (keys => 50, bigints => 4, uuids => 4, several => 5);
	is(compare($_, '.gz'), "$keys{$_} equal, 0 differ, 0 not in the table 0", "and documents of $_.bson.gz")
	  for sort keys %keys;
	{
		mkdir("$dir/wrong");
		append_to_file("$dir/wrong/bson.py", '');
		local $ENV{PYTHONPATH} = "$dir/wrong";
		like(compare('keys'), qr/no module "bson" of PyMongo.*apt install python3-pymongo.* 2$/s, 'a different bson');
	}
	query_is($node, qq(SELECT encode($chunk, 'escape') FROM "fs.chunks"),
		'some content', 'the content of a GridFS chunk');

	$node->safe_psql('postgres',
		q{UPDATE keys SET doc = jsonb_set(doc, '{n}', '4711') WHERE _id LIKE '%2%'; DELETE FROM keys WHERE _id LIKE '%3%'}
	);
	is(compare('keys'), '24 equal, 12 differ, 14 not in the table 1', 'compare.py finds differences');
	$node->safe_psql('postgres', 'TRUNCATE "values"');
	is(compare('values'), '0 equal, 0 differ, 200 not in the table 1', 'and fails if documents are missing');

	# documents that are no longer in MongoDB
	run_command([ "$dir/objectid-import", '-q', 'docs/dump' ]);
	append_to_file("$dir/ids.json", q({"_id":{"$oid":"5ca4bbc7a2dd94ee5816238d"}}));
	run_command([ "$dir/objectid-import", '-q', '-t', 'film.ids', "$dir/ids.json" ]);
	query_is($node, "$delete; SELECT _id FROM film.movies",
		'5ca4bbc7a2dd94ee5816238d', 'documents that MongoDB has deleted');

	# the example
	my ($shown) = python(<<'END', map { "docs/dump/film/$_.bson" } 'directors', 'movies');
for path in sys.argv[1:]:
    print('```json')
    for document in bson.decode_file_iter(open(path, 'rb')):
        print(bson.json_util.dumps(document, json_options=bson.json_util.CANONICAL_JSON_OPTIONS))
    print('```\n')
END
	$shown .= "```json\n" . slurp_file('docs/dump/film/movies.metadata.json') . "```\n";
	is( $shown =~ s/\s//gr,
		join('', $pages{migrating} =~ /^(```json\n.*?^```\n)/msg) =~ s/\s//gr,
		'the page shows the documents of docs/dump');
}

done_testing();
