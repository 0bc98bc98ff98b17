# objectid-import: a directory of mongodump, every collection of which becomes a table; its
# indexes, which --schema-only prints; and what can be tried without a server.
use strict;
use warnings FATAL => 'all';
use File::Path qw(remove_tree);
use POSIX      qw(mkfifo);
use lib        qw(testlib import/t);
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
	'film/movies.metadata.json' => '{"indexes":[{"v":{"$numberInt":"2"},"key":{"_id":{"$numberInt":"1"}},"name":"_id_"},
		{"v":2,"unique":true,"key":{"loc.x":-1,"n":{"$numberInt":"1"}},"name":"loc.x_-1_n_1"},
		{"v":2,"key":{"n":1},"name":"partial","partialFilterExpression":{"n":{"$gt":5,"$lte":9},"state":"AL\'s \\\\","z":{"$exists":true}}},
		{"v":2,"key":{"other":1},"name":"odd_filter","partialFilterExpression":{"n":{"$type":"date"}}},
		{"v":2,"key":{"t":1},"name":"t_1","expireAfterSeconds":{"$numberInt":"3600"},"partialFilterExpression":{"n":{"$gte":0.1}}},
		{"v":2,"key":{"_fts":"text","_ftsx":1},"name":"words","weights":{"plot":1}},
		{"v":2,"key":{"loc":"2dsphere"},"name":"loc_2dsphere"},
		{"v":2,"key":{"x\'y":"hashed"},"name":"a \\"quoted\\" name"},
		{"v":2,"key":{"any.$**":1},"name":"wildcard"},
		{"v":2,"key":{"s":1},"name":"line\\nDROP TABLE film.movies;"},
		{"v":2,"key":{"s":1},"name":"french","collation":{"locale":"fr"}},
		{"v":2,"key":{"_id":1},"name":"french_id","collation":{"locale":"fr"}},
		{"v":2,"key":[1],"name":"no_key"}, {"v":2,"key":{"":1},"name":"no_path"}, {"v":2,"key":{"s":"1"},"name":"text_1"},
		{"v":2,"key":{"h":"hashed","s":1},"name":"two_hashed"},
		{"v":2,"key":{"y":1,"_id":1},"name":"' . 'n' x 80 . '"},
		{"v":2,"key":{"y":-1,"_id":1},"name":"' . 'n' x 81 . '"}],"uuid":"x","collectionName":"movies","type":"collection",
		"options":{"capped":true,"size":{"$numberInt":"4096"},"validator":{"n":{"$gt":"a\nb"}}}}',
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
	'all of it is loaded already');

# Its indexes
my @whole = ('--exclude=*films.movies', "$work/dump");
run_script(script_of('--schema-only', @whole));
my $sql = script_of('--section=post-data', @whole);
for my $again (0, 1)
{
	run_script($again ? script_of('--section=post-data', @whole) : $sql);
	is( sql(q{SELECT d FROM (SELECT regexp_replace(replace(indexdef, ' ON film.', ' ON '), 'n{20,}_[0-9a-f]{8}', 'N') FROM pg_indexes
	WHERE schemaname ~ 'film' AND indexname !~ '_pkey$') AS i(d) ORDER BY d COLLATE "C"}
		) =~ s/\\//gr,
		join("\n",
			q{CREATE INDEX "movies_a ""quoted"" name" ON movies USING hash (((doc -> 'x''y'::text)))},
			qq{CREATE INDEX "movies_line\nDROP TABLE film.movies;" ON movies USING btree (((doc -> 's'::text)))},
			q{CREATE INDEX movies_N ON movies USING btree (((doc -> 'y'::text)) DESC, _id)},
			q{CREATE INDEX movies_N ON movies USING btree (((doc -> 'y'::text)), _id)},
			q{CREATE INDEX movies_odd_filter ON movies USING btree (((doc -> 'other'::text))) WHERE (((doc -> 'n'::text) -> '$date'::text) IS NOT NULL)},
			q{CREATE INDEX movies_partial ON movies USING btree (n) WHERE ((n > 5) AND (n <= 9) AND ((doc -> 'state'::text) = '"AL''s "'::jsonb) AND ((doc -> 'z'::text) IS NOT NULL))},
			q{CREATE INDEX movies_t_1 ON movies USING btree (((doc -> 't'::text))) WHERE ((n)::numeric >= 0.1)},
			q{CREATE INDEX movies_two_hashed ON movies USING hash (((doc -> 'h'::text)))},
			q{CREATE INDEX movies_two_hashed_035127c7 ON movies USING btree (((doc -> 's'::text)))},
			q{CREATE INDEX movies_wildcard ON movies USING gin (((doc -> 'any'::text)) jsonb_path_ops)},
			q{CREATE INDEX zipped_n_1 ON zipped USING btree (n)},
			q{CREATE UNIQUE INDEX "movies_loc.x_-1_n_1" ON movies USING btree ((((doc -> 'loc'::text) -> 'x'::text)) DESC, n)}
		),
		'the statements make the indexes, ' . ($again ? 'or leave them' : 'on columns where there are'));
}
like(
	$sql,
	qr/^-- Index t_1 of film\.movies deletes documents .*\n-- DELETE FROM film\.movies WHERE film\.ejson_date\(doc->'t'\) < now\(\) - interval '\d+ seconds'.* AND n >= 0\.1;$/m,
	'the time to live is a comment');
for my $name (qw(words loc_2dsphere french no_key no_path text_1))
{
	like($sql, qr/^-- Not translated: index $name of film\.movies, because it/m, "index $name: is a comment");
	unlike($sql, qr/^CREATE INDEX .*movies_$name/m, "index $name: is no statement");
}
like($sql, qr/^-- Not translated: option $_ of film\.movies/m, "option $_") for qw(capped size validator);
unlike($sql, qr/a view/, 'a view has none');

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
		2, 'the others are made');
	sql('DROP SCHEMA db CASCADE');
}

# What is left out is named, and what looks like data makes the status 1.  A collection without a file of documents
# is empty.
{
	my @data = ('oplog.bson', 'lost');
	push @data,
	  map { "left1/$_" } qw(gone.bson pipe.bson zstd.bson.zst OLD.BSON table.csv deeper system.buckets.weather.bson);
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
		'left1/weather.metadata.json' => '{"options":{"timeseries":{"timeField":"t"}},"indexes":[]}',
		'left1/half.metadata.json' => '{"options":{},"indexes":[]}',
		map({ ("left1/$_" => '') } 'deeper/x', 'system.buckets.empty.bson'),
		'left2/prelude.json' => '{' . json_id(1) . '}',
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
		is($status, 1, "@$mode: exit status") or diag($err);
		like($err, qr{error: "\Q$work/left/$_\E" is not loaded: }, "$_ is an error")     for @data;
		like($err, qr{objectid-import: "\Q$work/left/$_\E" is skipped: }, "$_ is named") for @others;
		like($err, qr/system\.indexes\.bson" is skipped: indexes are read from files of metadata only$/m,
			'old indexes');
		is(() = $err =~ /\n/g, @data + @others, 'no other message') or diag($err);
	}
	is( tables('^left'),
		qq{left1.good 3\nleft1.half 0\nleft1."prelude.json.x" 2\nleft2.bare 0\nleft2.prelude 1\nleft2.zipped 0},
		'the others are loaded');
	unlink("$work/left/lost");
	remove_tree("$work/left/left1/deeper");
	my @excluded = map { "--exclude=$_" } qw(gone pipe zstd OLD table half oplog system.buckets.weather);
	run_cases(<<"END");
unless it is excluded | 3|0 2|0 0|0 1|0 0|0 | @excluded left
--verify | verify 3|0|0|0|0 2|0|0|0|0 0|0|0|0|0 1|0|0|0|0 0|0|0|0|0 | @excluded left
END
	like(script_of('--section=post-data', @excluded, "$work/left"), qr/INDEX .*bare_a_1/, 'an empty table has one');
	sql('DROP SCHEMA left1, left2 CASCADE');
}

# With jobs, into one schema, in part
write_file("pair/twice/$_->[0].bson", documents(0, @$_[ 1 .. $#$_ ])) for [ 'movies', 1, 1 ], [ 'movies_rejected', 1 ];
sql('DROP SCHEMA film, "other films" CASCADE');
import_is('with --jobs', $counts, '-j', 3, "$work/dump");
is(tables('film'), $tables, 'is the same');
sql('CREATE SCHEMA one');
run_cases(<<'END');
a collection named as the side table of another | 1|1 1|0 | --drop pair
has another one | 1 | SELECT count(*) FROM twice.movies_rejected1
again | 1|1 1|0 | --drop pair
has another one | 1 | SELECT count(*) FROM twice.movies_rejected1
two collections of one name into one schema
	| ! error: files ".*movies\.bson" and ".*movies\.bson" would go into one table\n.*hint: .*--exclude | -n one dump
are refused before anything is loaded | 0 | SELECT count(*) FROM pg_class WHERE relnamespace = 'one'::regnamespace
--schema and --exclude | 2|0 1|0 4|0 0|0 5|0 6|0 2|1 3|0 20|0 | -n one --exclude film.movies dump
END
like(tables('^one$'), qr/^one\.integers 6\none\.movies 2$/m, 'loads all into one schema');

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
run_cases(<<'END');
a collection in two files | ! would go into one table\n.*hint: .*--exclude, .* "twin\.bson(\.gz)?" | twins
without the first | =1|0 | --drop --exclude tw*.bson twins
the other one is loaded | 500000000000000000000002 | SELECT _id FROM one.twin
without the second | =1|0 | --drop --exclude tw*.bson.gz twins
the other one is loaded | 500000000000000000000001 | SELECT _id FROM one.twin
patterns that no collection matches | ! has no collections to load | --include none dump
END

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
like(tables('film'), qr/$film\z/, 'its name is the schema');

# Where the directory is the working directory
{
	sql('DROP SCHEMA film CASCADE');
	local @ImportTest::there = (init => sub { chdir "$work/dump/film" or die "$!" });
	run_import('.');
	like(tables('film'), qr/$film\z/, 'the name of the working directory is the schema');
}

# One file of it
import_is('a file beside its metadata', '10|0', '-t', 'alone', "$work/dump/film/movies.bson");
like(
	script_of('--section=post-data', '-t', 'alone', "$work/dump/film/movies.bson"),
	qr/^CREATE UNIQUE INDEX "alone_loc.x_-1_n_1" ON /m,
	'has its indexes, too');

# --drop
sql(q{INSERT INTO film.movies VALUES ('500000000000000000000099', '{}'); INSERT INTO film.movies_rejected (target) VALUES ('film.movies')}
);
import_is('--drop', '10|0', '--drop', '--include', 'movies', "$work/dump/film");
is(sql('SELECT (SELECT count(*) FROM film.movies), (SELECT count(*) FROM film.movies_rejected)'),
	'10|0', 'begins with new tables');
like(tables('film'), qr/$film\z/, 'and touches no others');
# --drop and --truncate clear all tables that foreign keys connect in one statement before anything is loaded, or
# nothing; of more tables than there are locks for in one transaction, they need several
write_file("family/family/$_.bson", documents(0, 1 .. 2)) for qw(child parent);
write_file("many/many/c$_.bson", documents(0, $_)) for 1 .. 120;
my $family =
  q{SELECT (SELECT count(*) FROM family.child), (SELECT count(*) FROM family.parent), count(*), min(run) FROM family.objectid_import};
run_cases(
	<<'END' =~ s/FAMILY/$family/r =~ s/\bALL\b/join(' ', ('1|0') x 120)/egr =~ s/CONNECT/join('; ', map { "ALTER TABLE many.c$_ ADD other objectid REFERENCES many.c1" } 2 .. 120)/er);
two tables | =2|0 2|0 | family
ALTER TABLE family.child ADD FOREIGN KEY (_id) REFERENCES family.parent
--drop with a foreign key among them | =2|0 2|0 | --drop family
CREATE TABLE outsider (_id objectid REFERENCES family.parent); CREATE VIEW family.seen AS SELECT * FROM family.child
DELETE FROM family.child
ALTER TABLE family.child ADD FOREIGN KEY (_id) REFERENCES family.parent
--drop with others that depend on the tables
	| ! error: cannot drop desired object\(s\) because other objects depend on them\n(?:.*\n)*.*view family\.seen depends on table family\.child\n(?:.*\n)*.*hint: .*use --truncate instead of --drop | --drop family
drops nothing and loads nothing | 0|2|2|3 | FAMILY
DROP TABLE outsider; ALTER TABLE family.child DROP CONSTRAINT child__id_fkey
--truncate | =2|0 2|0 | --truncate family
keep the view | 2 | SELECT count(*) FROM family.seen
many tables | ALL | many
--drop | ALL | --drop many
ALTER TABLE many.c1 ADD FOREIGN KEY (_id) REFERENCES many.c1
ALTER TABLE many.c2 ADD parent objectid REFERENCES many.c3; ALTER TABLE many.c3 ADD child objectid REFERENCES many.c2
--truncate | ALL | --truncate many
--drop with two that foreign keys connect | ALL | --drop many
CONNECT
--drop, if foreign keys connect all | ! error: out of shared memory\n.*hint: .*max_locks_per_transaction
	| --drop many
drops nothing | 1|1 | SELECT (SELECT count(*) FROM many.c1), (SELECT count(*) FROM many.c120)
END

# What fails after a load: ANALYZE, the report
sql(q{
CREATE FUNCTION fail_to_analyze(jsonb) RETURNS jsonb IMMUTABLE LANGUAGE plpgsql AS
	$$BEGIN IF current_query() ~ 'ANALYZE' THEN RAISE 'not now'; END IF; RETURN $1; END$$;
CREATE TABLE unanalyzed (_id objectid PRIMARY KEY, doc jsonb NOT NULL);
CREATE INDEX ON unanalyzed (fail_to_analyze(doc))});
like(
	import_is('ANALYZE fails', '2|0', write_file('unanalyzed.bson', documents(0, 1, 2))),
	qr/^objectid-import: warning: could not analyze table public\.unanalyzed: not now\n\z/,
	'is a warning');
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

run_cases(
	$counts =~ s/ 6\|0 2\|1$//r =~ s/.*/and all is recorded | $& ~ movies\\.bson: already loaded on | dump\/film/r);

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
	like($err,
		qr/error: file ".*bad\.bson" is damaged at byte \d+: .*\n.*detail: Nothing is loaded from a damaged file\./,
		'is said');
	like($err, qr/error: table broken\.refused cannot be loaded/, 'so is one that does not fit');
	is(tables('broken'), "broken.good 7\nbroken.late 8\nbroken.refused 0", 'the others are loaded');
	like($out, qr/^broken\.good +7 +0 .*\nbroken\.late +8 +0 /m, 'and reported');
	unlike($out, qr/bad|refused/, 'those that failed are not');
	sql('DROP TABLE broken.good, broken.late, broken.objectid_import');
}

# Archives, and what mongoexport writes otherwise
my $archive = "\x6d\xe2\x99\x81" . documents(0, 1);
write_file($_->[0], $_->[1]) for [ 'an.archive.gz', compress($archive) ], [ 'table.csv', '_id' ];
write_file($_, $archive) for 'an.archive', 'archive.bson';
import_fails("an archive, $_",
	qr/error: file ".*$_" is an archive of mongodump\n.*hint: .*objectid-import --unpack=DIRECTORY \S*$_$/m, $_)
  for 'an.archive', 'an.archive.gz', 'archive.bson';
run_cases(
	'a table of mongoexport | ! table\.csv" is not BSON or JSON\n.*hint: .*mongoexport --type=json | -t x table.csv');

# A dry run needs no server
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', 'host=/nowhere', '--dry-run');
	my ($status, $out, $err) = run_import("$work/dump");
	is($status, 3, 'a dry run: exit status') or diag($out, $err);
	my $movies = quotemeta("$work/dump/other%20films/movies.bson");
	like($out, qr/^$movies: 1 rejected, the first as document 3: _id is a string, not an ObjectId$/m, 'reasons');
	like($out, qr/^file +acceptable +rejected +seconds\n.*^$movies +2 +1 +\d+\.\d$/ms, 'counts, by the path');
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
		'each reason once');
}
is(sql(q{SELECT to_regclass('x')}), '', 'a dry run makes no table');

# A file that may not be read
SKIP:
{
	skip 'root may read everything', 5 if $> == 0;
	write_file("locked/db/$_.bson", documents(0, 1)) for qw(closed free);
	chmod(0, "$work/locked/db/closed.bson") or die;
	run_cases(<<'END');
a file without permission, in a dump | ! could not open file ".*closed\.bson": Permission denied | locked
does not keep the others from being loaded | 1 | SELECT count(*) FROM db.free
a file without permission | ! could not open file ".*": Permission denied | locked/db/closed.bson
END
}

done_testing();
