# Commands of docs/migrating.md and both-systems.md that need other data or tools than
# t/docs_order.pl has: COPY of documents; a chunk of GridFS; exported documents, read by an official BSON
# library; the cut-over, twice.
use strict;
use warnings FATAL => 'all';
use Cwd ();
use ImportTest;

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
my $ids = command('migrating', qr/objectid-import -d mydb (.* ids\.json) &&$/m);
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
		'an official BSON library reads the documents');
}

SKIP:
{
	my $missing = missing('docs_order') // missing('docs_migrating');
	skip $missing, 11 if $missing;

	make_program($dir);
	python(<<'END', $dir);
from bson import Binary, ObjectId
with open(sys.argv[1] + '/fs.chunks.bson', 'wb') as out:
    out.write(bson.encode({'_id': ObjectId(), 'data': Binary(b'some content', 0)}))
END
	run_command([ "$dir/objectid-import", '-q', "$dir/fs.chunks.bson" ]);
	query_is($node, qq(SELECT encode($chunk, 'escape') FROM "fs.chunks"),
		'some content', 'the content of a GridFS chunk');

	# documents that are no longer in MongoDB
	run_command([ "$dir/objectid-import", '-q', 'docs/dump' ]);
	for my $found ([ 'd', 'e' ], ['d'])
	{
		unlink("$dir/ids.json");
		append_to_file("$dir/ids.json", qq({"_id":{"\$oid":"5ca4bbc7a2dd94ee5816238$_"}}\n)) for @$found;
		IPC::Run::run([ "$dir/objectid-import", '-q', split(/ /, $ids) ], @there) or die($ids);
		query_is(
			$node,
			"$delete; SELECT _id FROM film.movies ORDER BY _id",
			join("\n", map { "5ca4bbc7a2dd94ee5816238$_" } @$found),
			'documents that MongoDB has deleted');
	}

	# the cut-over, twice, with the program first in PATH, and then the tables of views
	my ($before, $cut_over) = $pages{migrating} =~ /^(.*?)^## Cut-over$(.*?)^Correct rejected/ms;

	sub commands
	{
		return join('', map { "$_\n" } $_[0] =~ /^\$ (?!psql -qc 'CREATE EXT)(.*)$/mg);
	}
	my ($view) = $before =~ /^(CREATE VIEW .*?;)$/ms;
	$node->safe_psql('postgres', 'DROP SCHEMA film CASCADE');
	mkdir("$dir/page") or die("$dir/page: $!");
	symlink($_, "$dir/page/" . basename($_))
	  or die("$_: $!")
	  for map { glob(Cwd::cwd() . "/$_") } qw(docs *.sql);
	my $script =
		"set -e\ncd $dir/page\nPATH=$dir:\$PATH\n"
	  . (commands($before) =~ s/^(objectid-import docs\/dump)$/$1 || [ \$? = 3 ]\npsql -qc "\$VIEW"/mr)
	  . commands($cut_over) x 2
	  . "objectid-import --to-tables -n film | tee tables.sql | psql -qXAt\n"
	  . "objectid-import --section=post-data docs/dump | psql -qXAt\n"
	  . "psql -XAtc 'SELECT title, name FROM film.credit' -c 'SELECT count(*) FROM film.movies_cast'\n";
	local $ENV{VIEW} = $view;
	my $keys = q{SELECT string_agg(conname, ' ' ORDER BY conname) FROM pg_constraint WHERE contype = 'f'};

	for my $time (1, 2)
	{
		$node->safe_psql('postgres', 'DROP SCHEMA IF EXISTS film CASCADE');
		my ($printed, $message) = run_command([ 'bash', '-c', "rm -f $dir/page/*-data.sql; ${script}cat tables.sql" ]);
		is(join('', grep { !/^objectid-import: (?:pre|post)-data\.sql: / } split(/^/, $message)),
			'', "from the dump to tables, time $time");
		is(() = $printed =~ /^ One   \| Bob$/mg, 2, 'the view is right after each cut-over');
		like(
			$printed,
			qr/^One\|Bob\n1\n.*^-- only in doc: 3 of director\n-- only in doc: 3 of year\n/ms,
			'the tables after the cut-over, and what only doc has');
		query_is($node, $keys, 'movies_cast_movies_id_fkey movies_cast_value_fkey', 'the new tables have foreign keys');
	}

	# the example
	my ($shown) = python(<<'END', 'docs/dump/film/movies.bson');
for document in bson.decode_file_iter(open(sys.argv[1], 'rb')):
    print(bson.json_util.dumps(document, json_options=bson.json_util.CANONICAL_JSON_OPTIONS))
END
	is( $shown =~ s/\s//gr,
		join('', $pages{migrating} =~ /^```json\n(.*?)^```\n/msg) =~ s/\s//gr,
		'the page shows the movies of docs/dump');
}

done_testing();
