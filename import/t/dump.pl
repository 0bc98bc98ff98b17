# objectid-import: a directory of mongodump, every collection of which becomes a table; and what can be tried without
# a server.
# Takes long.
use strict;
use warnings FATAL => 'all';
use File::Path qw(remove_tree);
use POSIX      qw(mkfifo);
use ImportTest;

set_up(conf => "autovacuum = off\nmax_connections = 10\nmax_locks_per_transaction = 10");

# tables($schemas) - the tables of schemas that match, with the number of their rows
sub tables
{
	my ($schemas) = @_;
	my @tables = split(
		/\n/,
		sql(qq{
SELECT format('%I.%I', nspname, relname) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
WHERE relkind = 'r' AND nspname ~ '$schemas' AND relname !~ '_rejected\$|^objectid_import\$'
ORDER BY nspname COLLATE "C", relname COLLATE "C"}));
	return join("\n", map { "$_ " . sql("SELECT count(*) FROM $_") } @tables);
}

my $long = 'a' x 70;
my $longer = 'b' x 230;
my $cut = substr($longer, 0, 204) . '%24' . 'c' x 27;
my %files = (
	'film/movies.bson' => documents(0, 1 .. 10),
	'film/movies.metadata.json' =>
	  '{"indexes":[{"v":2,"key":{"_id":1},"name":"_id_"},{"v":2,"unique":true,"key":{"n":1},"name":"n_1"}],"options":{"capped":true}}',
	'film/empty.bson' => '',
	'film/empty.metadata.json' => '{"indexes":[],"collectionName":"empty"}',
	'film/a view.metadata.json' =>
	  '{"options":{"viewOn":"movies","pipeline":[]},"indexes":[],"collectionName":"a view"}',
	'film/odd%2Fname%25%20%C3%A9.bson' => documents(0, 1 .. 3),
	"film/${long}1.bson" => documents(0, 1),
	"film/${long}2.bson" => documents(0, 1 .. 2),
	"film/$cut.bson" => documents(0, 1 .. 4),
	"film/$cut.metadata.json" => qq({"indexes":[],"collectionName":"$longer"}),
	'film/system.views.bson' => documents(0, 1),
	'film/zipped.bson.gz' => compress(documents(0, 1 .. 20)),
	'film/zipped.metadata.json.gz' => compress('{"indexes":[{"key":{"n":1},"name":"n_1"}],"collectionName":"zipped"}'),
	'film/exported.json.gz' => compress(join('', map { qq({"_id":"key $_"}\n) } 1 .. 5)),
	'film/notes.txt' => 'nothing to load',
	'film/prelude.json' => '{"ServerVersion":"7.0.0"}',
	'other%20films/movies.bson' => documents(0, 1 .. 2) . bson(string('_id', 'x')),
	'other%20films/integers.bson' => join('', map { bson(int32('_id', $_)) } 1 .. 6),
	'oplog.bson' => '',
	'prelude.json' => '{"ServerVersion":"7.0.0"}');
write_file("dump/$_", $files{$_}) for keys %files;

# the same that PostgreSQL's names allow, with the beginning and a checksum
my ($short1, $short2, $short3) = ('a' x 54, 'a' x 54, 'b' x 54);
my $film = qr/\Afilm\.${short1}_([0-9a-f]{8}) 2
film\.${short2}_(?!\1)[0-9a-f]{8} 1
film\.${short3}_[0-9a-f]{8} 4
film\.empty 0
film\.exported 5
film\.movies 10
film\."odd\/name% \xc3\xa9" 3
film\.zipped 20/;
my $other = qq{"other films".integers 6\n"other films".movies 2};
my $counts = '2|0 1|0 4|0 0|0 5|0 10|0 3|0 20|0 6|0 2|1';

# A whole dump
my $messages = import_is('a dump', $counts, "$work/dump");
my $tables = tables('film');
like($tables, qr/$film\n\Q$other\E\z/, 'every collection is a table, every database a schema')
  or diag($tables);
is(() = $messages =~ /collection "([ab])\1{69,}\d?" goes into table "\1{54}_[0-9a-f]{8}"/g,
	3, 'the tables of long names are said')
  or diag($messages);
unlike($messages, qr/warning: |error: /, 'nothing is left out');
is(sql(q{SELECT string_agg(DISTINCT reltuples::text, ',') FROM pg_class WHERE relname IN ('movies', 'zipped')}),
	'10,2,20', 'ANALYZE has been run');
like(
	import_is('the same dump again', $counts, "$work/dump"),
	qr/(?:.*\n)*(?:(?:(?!already).)*already loaded on.*\n?){10}/,
	'the same dump again: all of it is loaded already');

# Metadata that is wrong is left out; long names that are not ASCII
{
	my $long = "\xc3\xa9" x 60;
	write_file("odd/db/$_->[0].bson", bson(id(1))), write_file("odd/db/$_->[0].metadata.json", $_->[1])
	  for [ 'bad', '{"indexes":5}' ],
	  [ $long, '{"indexes":[{"key":{"a":1},"name":"a_1"},{"key":{"b":1},"name":"b_1"}]}' ];
	for my $section (qw(pre post))
	{
		my (undef, $script) = run_import('-q', "--section=$section-data", "$work/odd");
		run_script($script);
	}
	is(sql(q{SELECT count(*) FROM pg_indexes WHERE schemaname = 'db' AND indexname ~ '_[0-9a-f]{8}$'}),
		2, 'metadata that is wrong: the indexes of other collections are made');
	sql('DROP SCHEMA db CASCADE');
}

# What is left out is named, and what looks like data makes the status 1.  So do metadata without documents, which
# mongodump leaves if it is interrupted.
{
	my @data = ('oplog.bson', 'lost');
	push @data,
	  map { "left1/$_" }
	  qw(gone.bson pipe.bson zstd.bson.zst OLD.BSON table.csv deeper system.buckets.weather.bson half.metadata.json);
	push @data, 'left1/climate.metadata.json', 'left2/zipped.metadata.json.gz';
	my @others = (
		'nothing',
		map { "left1/$_" }
		  qw(notes.txt .hidden.bson gone.txt view.metadata.json system.views.bson system.buckets.empty.bson),
		'$admin.system.users.bson',
		'%24admin.system.roles.bson',
		'system.indexes.bson');
	my %left = (
		'left1/prelude.json.x.bson' => documents(0, 1 .. 2),
		'left1/good.bson' => documents(0, 1 .. 3),
		'left1/good.metadata.json' => '{"indexes":[]}',
		'left1/$admin.system.users.metadata.json' => '{"indexes":[]}',
		'left1/view.metadata.json' => '{"options":{"viewOn":"good"},"indexes":[]}',
		map({ ("left1/$_.metadata.json" => '{"options":{"timeseries":{"timeField":"t"}},"indexes":[]}') } 'weather',
			'climate'),
		'left1/half.metadata.json' => '{"options":{},"indexes":[]}',
		map({ ("left1/$_" => '') } 'deeper/x', 'system.buckets.empty.bson'),
		'left2/prelude.json' => '{' . json_id(1) . '}',
		'left2/bare.bson' => '',
		'left2/bare.metadata.json' => '{"indexes":[{"key":{"a":1},"name":"a_1"}],"collectionName":"bare"}',
		'left2/zipped.metadata.json.gz' => compress('{"indexes":[]}'),
		map({ $_ => '{"ServerVersion":"7.0.0","ToolVersion":"100.9"}' } 'prelude.json', 'left1/prelude.json'),
		map { $_ => documents(0, 1) } grep { /zst|OLD|csv|notes|hidden|views|weather|oplog|system.[uri]/ } @data,
		@others);
	write_file("left/$_", $left{$_}) for keys %left;
	symlink('/nowhere', "$work/left/$_") or die "$_: $!" for 'lost', 'left1/gone.bson', 'left1/gone.txt';
	mkfifo("$work/left/left1/pipe.bson", oct(700)) or die "mkfifo: $!";
	mkdir("$work/left/nothing") or die "mkdir: $!";

	for my $mode ([], ['--verify'])
	{
		my ($status, undef, $err) = run_import(@$mode, "$work/left");
		is($status, 1, "what is left out, @$mode: exit status") or diag($err);
		like($err, qr{error: "\Q$work/left/$_\E" is not loaded: }, "$_ is an error")     for @data;
		like($err, qr{objectid-import: "\Q$work/left/$_\E" is skipped: }, "$_ is named") for @others;
		like(
			$err,
			qr/system\.indexes\.bson" is skipped: indexes are read from files of metadata only$/m,
			'the indexes of mongodump before 3.0 are named');
		is(() = $err =~ /\n/g, @data + @others, "what is left out, @$mode: no other message") or diag($err);
	}
	is( tables('^left'),
		qq{left1.good 3\nleft1."prelude.json.x" 2\nleft2.bare 0\nleft2.prelude 1},
		'what is not left out is loaded');
	unlink("$work/left/lost");
	remove_tree("$work/left/left1/deeper");
	my @excluded = map { "--exclude=$_" } qw(gone pipe zstd OLD table half climate zipped oplog system.buckets.weather);
	run_scenarios(
		{
			name => 'what is excluded is no error',
			run => "@excluded left",
			loads => '3|0 2|0 0|0 1|0',
			says => qr/skipped/
		},
		{
			name => 'what is excluded is not compared',
			run => "@excluded left",
			verifies => '3|0|0|0|0 2|0|0|0|0 0|0|0|0|0 1|0|0|0|0'
		});
	like(script_of('--section=post-data', @excluded, "$work/left"), qr/INDEX .*bare_a_1/, 'an empty table has one');
	sql('DROP SCHEMA left1, left2 CASCADE');
}

# With jobs, into one schema, in part
write_file("pair/twice/$_->[0].bson", documents(0, @$_[ 1 .. $#$_ ])) for [ 'movies', 1, 1 ], [ 'movies_rejected', 1 ];
sql('DROP SCHEMA film, "other films" CASCADE');
import_is('a dump, -j 3', $counts, '-j', 3, "$work/dump");
is(tables('film'), $tables, 'a dump, -j 3: the same tables');
my @side = (
	run => '--drop pair',
	loads => '1|1 1|0',
	gives => [ 'SELECT count(*) FROM twice.movies_rejected1' => 1 ]);
run_scenarios(
	{ name => 'a collection named as the side table of another', @side },
	{ name => 'a collection named as the side table of another, a second time', @side },
	{
		name => 'two collections of one name into one schema',
		sql => 'CREATE SCHEMA one',
		run => '-n one dump',
		fails_like =>
		  qr/error: files ".*movies\.bson" and ".*movies\.bson" would go into one table\n.*hint: .*--exclude/,
		gives => [ q{SELECT count(*) FROM pg_class WHERE relnamespace = 'one'::regnamespace} => 0 ]
	},
	{
		name => '--schema and --exclude',
		run => '-n one --exclude film.movies dump',
		loads => '2|0 1|0 4|0 0|0 5|0 6|0 2|1 3|0 20|0',
		says => qr/goes into table/,
		gives => [ 'SELECT (SELECT count(*) FROM one.integers), (SELECT count(*) FROM one.movies)' => '6|2' ]
	});

for (
	[ '--include=movies', "film.movies 10\n\"other films\".movies 2" ],
	[ '--include=film.[mz]*', "film.movies 10\nfilm.zipped 20" ],
	[ '--include=*films.*', "\"other films\".integers 6\n\"other films\".movies 2" ],
	[ '--include=*ies --include=empty --exclude=other* --exclude=x', "film.empty 0\nfilm.movies 10" ])
{
	my ($patterns, $expected) = @$_;
	sql('DROP SCHEMA IF EXISTS film, "other films" CASCADE');
	run_import(split(/ /, $patterns), "$work/dump");
	is(tables('film'), $expected, $patterns);
}
write_file("twins/one/twin.$_->[0]", $_->[1]) for [ 'bson', documents(0, 1) ], [ 'bson.gz', compress(documents(0, 2)) ];
my $twin = 'SELECT right(_id::text, 1) FROM one.twin';
run_scenarios(
	{
		name => 'a collection in two files',
		run => 'twins',
		fails_like => qr/would go into one table\n.*hint: .*--exclude, .* "twin\.bson(\.gz)?"/
	},
	{
		name => 'a collection in two files, without the first',
		run => '--drop --exclude tw*.bson twins',
		loads => '1|0',
		gives => [ $twin => 2 ]
	},
	{
		name => 'a collection in two files, without the second',
		run => '--drop --exclude tw*.bson.gz twins',
		loads => '1|0',
		gives => [ $twin => 1 ]
	},
	{
		name => 'patterns that no collection matches',
		run => '--include none dump',
		fails_like => qr/has no collections to load/
	});

# The columns of the report are aligned by the width of the names on the screen.
write_file("wide/wide/$_.bson", documents(0, 1))
  for 'movies', "\xe9\x9b\xbb\xe5\xbd\xb1\xe9\x9b\xbb\xe5\xbd\xb1", "caf\xc3\xa9";
{
	my (undef, $out) = run_import("$work/wide");
	my %widths = map { length($_) => 1 } split(/\n/, $out =~ s/\xe9\x9b\xbb|\xe5\xbd\xb1/../gr =~ s/\xc3\xa9/e/gr);
	is(keys %widths, 1, 'the report has columns') or diag($out);
}

# The directory of one database, whatever its path ends with
sql('DROP SCHEMA film CASCADE');
import_is('the directory of a database', $counts =~ s/ 6\|0 2\|1$//r, "$work/dump/film/");
like(tables('film'), qr/$film\z/, 'the directory of a database: its name is the schema');

# Where the directory is the working directory
{
	sql('DROP SCHEMA film CASCADE');
	local @ImportTest::there = (init => sub { chdir "$work/dump/film" or die "$!" });
	run_import('.');
	like(tables('film'), qr/$film\z/, 'the name of the working directory is the schema');
}

# --section=post-data does not need the documents
write_file('left/left3/zipped.metadata.json', '{"indexes":[{"key":{"n":1},"name":"n_1"}]}');
like(
	script_of('--section=post-data', '-n', 'film', "$work/left/left3"),
	qr/^CREATE INDEX zipped_n_1 ON film\.zipped /m,
	'metadata without documents: their indexes');

# One file of it
import_is('a file beside its metadata', '10|0', '-t', 'alone', "$work/dump/film/movies.bson");
like(
	script_of('--section=post-data', '-t', 'alone', "$work/dump/film/movies.bson"),
	qr/^CREATE UNIQUE INDEX alone_n_1 ON /m,
	'a file beside its metadata has its indexes');

sql(q{INSERT INTO film.movies VALUES ('500000000000000000000099', '{}'); INSERT INTO film.movies_rejected (target) VALUES ('film.movies')}
);
import_is('--drop', '10|0', '--drop', '--include', 'movies', "$work/dump/film");
is(sql('SELECT (SELECT count(*) FROM film.movies), (SELECT count(*) FROM film.movies_rejected)'),
	'10|0', '--drop begins with new tables');
like(tables('film'), qr/$film\z/, '--drop touches no other table');

# --drop and --truncate clear all tables that foreign keys connect in one statement before anything is loaded, or
# nothing; of more tables than there are locks for in one transaction, they need several
write_file("family/family/$_.bson", documents(0, 1 .. 2)) for qw(child parent);
write_file("many/many/c$_.bson", documents(0, $_)) for 1 .. 120;
my $family =
  q{SELECT (SELECT count(*) FROM family.child), (SELECT count(*) FROM family.parent), count(*), min(run) FROM family.objectid_import};
my $all = join(' ', ('1|0') x 120);
run_scenarios(
	{ name => 'two tables', run => 'family', loads => '2|0 2|0' },
	{
		name => '--drop with a foreign key among the tables',
		sql => 'ALTER TABLE family.child ADD FOREIGN KEY (_id) REFERENCES family.parent',
		run => '--drop family',
		loads => '2|0 2|0'
	},
	{
		name => '--drop with others that depend on the tables',
		sql => 'CREATE TABLE outsider (_id objectid REFERENCES family.parent);
			CREATE VIEW family.seen AS SELECT * FROM family.child; DELETE FROM family.child;
			ALTER TABLE family.child ADD FOREIGN KEY (_id) REFERENCES family.parent',
		run => '--drop family',
		fails_like =>
		  qr/error: cannot drop desired object\(s\) because other objects depend on them\n(?:.*\n)*.*view family\.seen depends on table family\.child\n(?:.*\n)*.*hint: .*use --truncate instead of --drop/,
		gives => [ $family => '0|2|2|3' ]
	},
	{
		name => '--truncate keeps views',
		sql => 'DROP TABLE outsider; ALTER TABLE family.child DROP CONSTRAINT child__id_fkey',
		run => '--truncate family',
		loads => '2|0 2|0',
		gives => [ 'SELECT count(*) FROM family.seen' => 2 ]
	},
	{ name => 'many tables', run => 'many', loads => $all },
	{
		name => '--truncate of many tables',
		sql => 'ALTER TABLE many.c1 ADD FOREIGN KEY (_id) REFERENCES many.c1;
			ALTER TABLE many.c2 ADD parent objectid REFERENCES many.c3; ALTER TABLE many.c3 ADD child objectid REFERENCES many.c2',
		run => '--truncate many',
		loads => $all
	},
	{ name => '--drop of many tables, of which foreign keys connect two', run => '--drop many', loads => $all },
	{
		name => '--drop of many tables, which foreign keys connect',
		sql => join('; ', map { "ALTER TABLE many.c$_ ADD other objectid REFERENCES many.c1" } 2 .. 120),
		run => '--drop many',
		fails_like => qr/error: out of shared memory\n.*hint: .*max_locks_per_transaction/,
		gives => [ 'SELECT (SELECT count(*) FROM many.c1), (SELECT count(*) FROM many.c120)' => '1|1' ]
	});

# What fails after a load: ANALYZE, the report
sql(q{
CREATE FUNCTION fail_to_analyze(jsonb) RETURNS jsonb IMMUTABLE LANGUAGE plpgsql AS
	$$BEGIN IF current_query() ~ 'ANALYZE' THEN RAISE 'not now'; END IF; RETURN $1; END$$;
CREATE TABLE unanalyzed (_id objectid PRIMARY KEY, doc jsonb NOT NULL);
CREATE INDEX ON unanalyzed (fail_to_analyze(doc))});
like(
	import_is('ANALYZE fails', '2|0', write_file('unanalyzed.bson', documents(0, 1, 2))),
	qr/^objectid-import: warning: could not analyze table public\.unanalyzed: not now\n\z/,
	'ANALYZE fails: a warning');
{
	my @command = @ImportTest::command;
	for my $to ('/dev/full', '&-')
	{
		local @ImportTest::command = ('sh', '-c', "exec \"\$@\" >$to", 'sh', @command);
		import_fails(
			"a report that cannot be written, >$to", qr/error: could not write to standard output/,
			'--restart', "$work/unanalyzed.bson");
	}
}

# A damaged collection, and one whose table is refused, keep nothing else from being loaded
write_file('broken/bad.bson', substr($files{'film/movies.bson'}, 0, -1));
write_file('broken/refused.bson', documents(0, 1));
write_file('broken/good.bson', documents(0, 1 .. 7));
write_file('broken/late.bson', documents(0, 1 .. 8));
sql('CREATE SCHEMA broken; CREATE TABLE broken.refused (_id text)');
for my $jobs (1, 2)
{
	my ($status, $out, $err) = run_import('-j', $jobs, "$work/broken");
	is($status, 1, "a damaged collection, --jobs=$jobs: exit status") or diag($out, $err);
	like(
		$err,
		qr/error: file ".*bad\.bson" is damaged at byte \d+: .*\n.*detail: Nothing is loaded from a damaged file\./,
		"a damaged collection, --jobs=$jobs: message");
	like(
		$err,
		qr/error: table broken\.refused cannot be loaded/,
		"a table that cannot be loaded, --jobs=$jobs: message");
	is( tables('broken'),
		"broken.good 7\nbroken.late 8\nbroken.refused 0",
		"beside a damaged collection, --jobs=$jobs: tables");
	like($out, qr/^broken\.good +7 +0 .*\nbroken\.late +8 +0 /m, "beside a damaged collection, --jobs=$jobs: report");
	unlike($out, qr/bad|refused/, "a damaged collection, --jobs=$jobs: not in the report");
	sql('DROP TABLE broken.good, broken.late, broken.objectid_import');
}

# Archives, and what mongoexport writes otherwise
my $archive = "\x6d\xe2\x99\x81" . documents(0, 1);
write_file($_->[0], $_->[1]) for [ 'an.archive.gz', compress($archive) ], [ 'table.csv', '_id' ];
write_file($_, $archive) for 'an.archive', 'archive.bson';
import_fails("an archive, $_",
	qr/error: file ".*$_" is an archive of mongodump\n.*hint: .*objectid-import --unpack=DIRECTORY \S*$_$/m, $_)
  for 'an.archive', 'an.archive.gz', 'archive.bson';
import_fails(
	'a table of mongoexport',
	qr/table\.csv" is not BSON or JSON\n.*hint: .*mongoexport --type=json/,
	qw(-t x table.csv));

# A dry run needs no server
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', 'host=/nowhere', '--dry-run');
	my ($status, $out, $err) = run_import("$work/dump");
	is($status, 3, 'a dry run: exit status') or diag($out, $err);
	my $movies = quotemeta("$work/dump/other%20films/movies.bson");
	like(
		$out,
		qr/^$movies: 1 rejected, the first as document 3: _id is a string, not an ObjectId$/m,
		'a dry run: reasons');
	like($out, qr/^file +acceptable +rejected +seconds\n.*^$movies +2 +1 +\d+\.\d$/ms,
		'a dry run: counts, by the path');
	import_is('a dry run with jobs', $counts, '-j', 2, "$work/dump");
	import_is('a dry run that accepts all', '10|0', "$work/dump/film/movies.bson");
	import_is('a dry run of a pipe', '0|10', qw(--format bson -t x --id-type uuid -), $files{'film/movies.bson'});
	import_fails('a dry run of a damaged file', qr/is damaged at byte/, "$work/broken/bad.bson");
	($status, $out, $err) = run_import(qw(--format=json -t x -), <<'END');
{"_id":1}
{"_id":2}
{}
{"_id":3,}
{"_id":"a"}
{}
{"_id":3,"s":"\u0000"}
END
	is($status, 3, 'a dry run of JSON');
	like(
		$out,
		qr/^standard input: 2 rejected, the first as document 3: no _id\n.*: 1 rejected, the first as document 4: not JSON.*\n.*: 1 rejected, the first as document 5: _id is a string, not an integer\n.*: 1 .* 7: NUL character/m,
		'a dry run of JSON: each reason once');
}
is(sql(q{SELECT to_regclass('x')}), '', 'a dry run makes no table');

# A file that may not be read
SKIP:
{
	skip 'root may read everything', 5 if $> == 0;
	write_file("locked/db/$_.bson", documents(0, 1)) for qw(closed free);
	chmod(0, "$work/locked/db/closed.bson") or die;
	run_scenarios(
		{
			name => 'a file without permission, in a dump',
			run => 'locked',
			fails_like => qr/could not open file ".*closed\.bson": Permission denied/,
			gives => [ 'SELECT count(*) FROM db.free' => 1 ]
		},
		{
			name => 'a file without permission',
			run => 'locked/db/closed.bson',
			fails_like => qr/could not open file ".*": Permission denied/
		});
}

done_testing();
