# What docs/migrating.md leaves to the reader's size and tools: a million documents
# in one pass of COPY, with its progress shown; and documents on their way back, read
# by an official BSON library.
use strict;
use warnings;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('migrating');
$node->init;
$node->start;
$node->safe_psql(
	'postgres', q{
CREATE EXTENSION objectid;
CREATE TABLE movies (doc jsonb NOT NULL, _id objectid GENERATED ALWAYS AS ((doc->'_id')::objectid) STORED PRIMARY KEY);
});

my $dir = PostgreSQL::Test::Utils::tempdir();
my $documents = 1_000_000;
open(my $out, '>', "$dir/movies.json") or BAIL_OUT("$dir/movies.json: $!");
printf $out qq({"_id":{"\$oid":"5ca4bbc7a2dd94ee58%06x"},"n":{"\$numberInt":"%d"},"title":"a \\"title\\" \\\\ %d"}\n), $_, $_, $_ for 1 .. $documents;
close($out);

my $copy = IPC::Run::start(
	[ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'),
		'-c', q{\copy movies (doc) FROM pstdin WITH (FORMAT csv, DELIMITER E'\x01', QUOTE E'\x02')} ],
	'<', "$dir/movies.json", '2>', \my $error);
ok( $node->poll_query_until(
		'postgres', q{SELECT tuples_processed BETWEEN 1 AND 999999 FROM pg_stat_progress_copy WHERE relid = 'movies'::regclass}),
	'pg_stat_progress_copy shows the load');
ok($copy->finish, 'a million documents in one pass') or diag($error);
is( $node->safe_psql('postgres', q{
SELECT count(*), min(_id), max(_id), count(*) FILTER (WHERE doc->>'title' = 'a "title" \ ' || (doc->'n'->>'$numberInt')) FROM movies}),
	"$documents|5ca4bbc7a2dd94ee58000001|5ca4bbc7a2dd94ee580f4240|$documents",
	'every document is there as it was');

SKIP:
{
	my @python = ('/usr/bin/python3', '-c');
	skip 'the BSON library for Python is not installed (Debian: python3-bson)', 2
	  if system(@python, 'import bson.json_util') != 0;

	# pymongo's own parser of Extended JSON gives ObjectIds, which it writes again
	$node->safe_psql(
		'postgres', qq{
\\copy (SELECT doc || jsonb_build_object('_id', jsonb_build_object('\$oid', _id)) FROM movies ORDER BY _id LIMIT 10000) TO '$dir/back.json' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')
});
	my ($read, $stderr) = run_command(
		[
			@python, q{
import sys, bson, bson.json_util
documents = [bson.json_util.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
assert all(type(d['_id']) is bson.ObjectId and type(d['n']) is int for d in documents)
assert all(bson.decode(bson.encode(d)) == d for d in documents)
print(len(documents), documents[0]['_id'], documents[-1]['_id'], documents[0]['_id'].generation_time)
}, "$dir/back.json" ]);
	is($stderr, '', 'documents on their way back are Extended JSON');
	is( $read,
		'10000 5ca4bbc7a2dd94ee58000001 5ca4bbc7a2dd94ee58002710 2019-04-03 13:57:27+00:00',
		'and an official BSON library reads them');
}
$node->stop;

done_testing();
