# What docs/migrating.md leaves to the reader's size and tools, by the page's own
# commands: a million documents in one pass of COPY, with its progress shown; and
# documents on their way back, read by an official BSON library.
use lib 't';
use TestServer;

my $node = start_node('migrating');

my $page = slurp_file('docs/migrating.md');

# The one command of the page that the pattern finds
sub command
{
	my ($pattern) = @_;
	my @found = $page =~ /$pattern/g;
	BAIL_OUT("docs/migrating.md has not one command like $pattern") if @found != 1;
	return $found[0];
}
my $create = command(qr/^(CREATE TABLE directors \(.*?^\);)$/ms);
my $load = command(qr/^(\\copy directors .*)$/m);
my $watch = command(qr/^(echo 'SELECT .* pg_stat_progress_copy .*)$/m);
my $back = command(qr/^(\\copy \(SELECT doc .*)$/m);

$node->safe_psql('postgres', "CREATE EXTENSION objectid; $create");

my $dir = PostgreSQL::Test::Utils::tempdir();
my @there = (init => sub { chdir $dir or die "$dir: $!" });
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';
my $documents = 1_000_000;
open(my $out, '>', "$dir/directors.json") or BAIL_OUT("$dir/directors.json: $!");
printf $out qq({"_id":{"\$oid":"5ca4bbc7a2dd94ee58%06x"},"n":{"\$numberInt":"%d"},"title":"a \\"title\\" \\\\ %d"}\n),
  $_, $_, $_
  for 1 .. $documents;
close($out);

my $watching = IPC::Run::start(
	[ 'sh', '-c', $watch ],
	'>', \my $watched,
	'2>&1', IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
my $copy = IPC::Run::start([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', $load ], '2>', \my $error, @there);
ok( $node->poll_query_until(
		'postgres',
		q{SELECT tuples_processed BETWEEN 1 AND 999999 FROM pg_stat_progress_copy WHERE relid = 'directors'::regclass}),
	'pg_stat_progress_copy shows the load');
ok($copy->finish, 'a million documents in one pass') or diag($error);
query_is(
	$node, q{
SELECT count(*), min(_id), max(_id), count(*) FILTER (WHERE doc->>'title' = 'a "title" \ ' || (doc->'n'->>'$numberInt')) FROM directors},
	"$documents|5ca4bbc7a2dd94ee58000001|5ca4bbc7a2dd94ee580f4240|$documents", 'every document is there as it was');

# how many rows it finds there depends on the hour, that it repeats itself does not
$watching->pump until $watched =~ /tuples_processed.*tuples_processed/s || !$watching->pumpable;
like($watched, qr/tuples_processed.*tuples_processed/s, 'the command that shows it goes on');
$watching->kill_kill;

SKIP:
{
	my $missing = missing('docs_migrating');
	skip $missing, 2 if $missing;

	# pymongo's own parser of Extended JSON gives ObjectIds, which it writes again
	$node->safe_psql('postgres', 'CREATE VIEW movies AS SELECT * FROM directors ORDER BY _id LIMIT 10000');
	IPC::Run::run([ 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', $back ], @there) or BAIL_OUT("psql: $back");
	my ($read, $stderr) = run_command(
		[
			'/usr/bin/python3', '-c', q{
import sys, bson, bson.json_util
documents = [bson.json_util.loads(line) for line in open(sys.argv[1], encoding='utf-8')]
assert all(type(d['_id']) is bson.ObjectId and type(d['n']) is int for d in documents)
assert all(bson.decode(bson.encode(d)) == d for d in documents)
print(len(documents), documents[0]['_id'], documents[-1]['_id'], documents[0]['_id'].generation_time)
}, "$dir/back.json"
		]);
	is($stderr, '', 'documents on their way back are Extended JSON');
	is( $read,
		'10000 5ca4bbc7a2dd94ee58000001 5ca4bbc7a2dd94ee58002710 2019-04-03 13:57:27+00:00',
		'and an official BSON library reads them');
}

done_testing();
