# Columns and child tables that --schema-only makes follow their documents, whoever writes them.  After
# each step the script's own function compares them, and so does this file, with a list of its own.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib import/t);
use ImportTest;
use TestServer;

set_up(sql =>
	  'CREATE EXTENSION objectid; CREATE ROLE ann LOGIN; CREATE ROLE mallory LOGIN; GRANT CREATE ON SCHEMA public TO mallory'
);
local @ENV{qw(PGHOST PGPORT PGDATABASE)} = ($node->host, $node->port, 'postgres');

# doc($names) - a movie: names in the cast, with numbers in arrays of arrays; the first is in a list, too
sub doc
{
	my ($names) = @_;
	my @names = split(/,/, $names);
	my $cast = join(',', map { qq({"name":"$_","scores":[[1,2],[3]]}) } @names);
	return qq({"title":"$names","first":["$names[0]",null],"cast":[$cast]});
}

# lines(%names) - documents of movies and their ids
sub lines
{
	my (%names) = @_;
	return join('', map { '{' . json_id($_) . ',' . substr(doc($names{$_}), 1) . "\n" } sort { $a <=> $b } keys %names);
}
sub row { return sprintf(q{('%s', '%s')}, hex_id($_[0]), doc($_[1])) }
sub key { return "'" . hex_id($_[0]) . "'" }

# is_followed($what, $table, \%names, $database) - are the columns and child tables right?
sub is_followed
{
	my ($what, $table, $names, $database) = @_;
	my ($owner) = $table =~ /(\w+)s$/;
	my (@cast, @scores, @columns);
	for my $id (sort { $a <=> $b } keys %$names)
	{
		my @of_movie = split(/,/, $names->{$id});
		push @columns, join('|', hex_id($id), $names->{$id}, "{$of_movie[0],NULL}");
		push @cast, map { join('|', hex_id($id), $_, $of_movie[ $_ - 1 ]) } 1 .. @of_movie;
		push @scores, map {
			my $n = $_;
			map { hex_id($id) . "|$n|$_" } '1|{1,2}', '2|{3}'
		} 1 .. @of_movie;
	}
	my (undef, $found, $err) = $node->psql(
		$database // 'postgres',
		"SELECT * FROM ${table}_compare() WHERE result <> 'equal';
SELECT _id, title, \"first\" FROM $table ORDER BY 1;
SELECT $owner, position, name FROM ${table}_cast ORDER BY 1, 2;
SELECT $owner, position, position2, value FROM ${table}_cast_scores ORDER BY 1, 2, 3");
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("$found$err", join("\n", @columns, @cast, @scores), "$what: all is there");
}

my %now;

# follows($what, $sql, %changes) - run statements, which change these documents
sub follows
{
	my ($what, $sql, %changes) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	run_script($sql);
	@now{ keys %changes } = values %changes;
	delete @now{ grep { !defined($now{$_}) } keys %now };
	is_followed($what, 'movies', \%now);
}

# The script before the load
%now = (1 => 'a,b', 2 => 'c', 3 => 'd,e,f');
my $file = write_file('movies.json', lines(%now));
my ($pre, $post) = map { schema_of("--section=$_-data", $file) } qw(pre post);
is(schema_of(write_file('other/movies.json', lines(7 => 'u', 8 => 'v,w'))),
	schema_of($file), 'other values, the same script');
run_script($pre);
import_ok('a load', '3|0', $file);
is_followed('a load', 'movies', \%now);

# Whoever writes
follows('INSERT', "INSERT INTO movies VALUES @{[ row(4, 'g,h') ]}, @{[ row(5, 'i') ]}", 4 => 'g,h', 5 => 'i');
follows('INSERT of no row', 'INSERT INTO movies SELECT _id, doc FROM movies WHERE false');
follows('UPDATE', "UPDATE movies SET doc = '@{[ doc('j,k,l') ]}' WHERE _id = @{[ key(4) ]}", 4 => 'j,k,l');
follows(
	'UPDATE of a field',
	"UPDATE movies SET doc = jsonb_set(jsonb_set(doc, '{cast,0,name}', '\"m\"'), '{title}', '\"m,k,l\"') || '{\"first\":[\"m\",null]}' WHERE _id = @{[ key(4) ]}",
	4 => 'm,k,l');
follows('UPDATE of a key', "UPDATE movies SET _id = @{[ key(6) ]} WHERE _id = @{[ key(5) ]}", 5 => undef, 6 => 'i');
follows('DELETE', "DELETE FROM movies WHERE _id = @{[ key(6) ]}", 6 => undef);
follows('COPY', "COPY movies (_id, doc) FROM STDIN;\n@{[ hex_id(6) ]}\t@{[ doc('n,o') ]}\n\\.", 6 => 'n,o');
follows(
	'ON CONFLICT DO UPDATE',
	"INSERT INTO movies VALUES @{[ row(6, 'p') ]}, @{[ row(7, 'q') ]} ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc",
	6 => 'p',
	7 => 'q');
follows(
	'ON CONFLICT DO NOTHING',
	"INSERT INTO movies VALUES @{[ row(6, 'x') ]}, @{[ row(8, 'r') ]} ON CONFLICT DO NOTHING",
	8 => 'r');
follows(
	'WITH',
	"WITH d AS (DELETE FROM movies WHERE _id = @{[ key(8) ]} RETURNING doc), u AS (UPDATE movies SET doc = '@{[ doc('s,t') ]}' WHERE _id = @{[ key(7) ]})
INSERT INTO movies SELECT @{[ key(9) ]}, doc FROM d",
	7 => 's,t',
	8 => undef,
	9 => 'r');
follows(
	'a savepoint',
	"SAVEPOINT s; UPDATE movies SET doc = '{}'; TRUNCATE movies; ROLLBACK TO s; UPDATE movies SET doc = '@{[ doc('u') ]}' WHERE _id = @{[ key(9) ]}",
	9 => 'u');
follows(
	'a cursor',
	"DECLARE c CURSOR FOR SELECT FROM movies WHERE _id = @{[ key(9) ]} FOR UPDATE; FETCH c; UPDATE movies SET doc = '@{[ doc('v,w') ]}' WHERE CURRENT OF c",
	9 => 'v,w');
follows(
	'a view',
	"CREATE VIEW seen AS SELECT _id, doc FROM movies; UPDATE seen SET doc = '@{[ doc('x') ]}' WHERE _id = @{[ key(9) ]}",
	9 => 'x');
follows(
	"somebody else's operators, first in the search_path, and tables of the same names",
	"SET ROLE mallory; CREATE FUNCTION public.wrong(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT 1/0 = 1';
CREATE OPERATOR public.= (LEFTARG = text, RIGHTARG = text, FUNCTION = public.wrong); RESET ROLE;
CREATE TEMPORARY TABLE movies_cast (a int); CREATE TEMPORARY TABLE new_rows (_id objectid, doc jsonb);
SET search_path = public, pg_catalog;
INSERT INTO movies VALUES @{[ row(10, 'y') ]}; UPDATE movies SET doc = '@{[ doc('z') ]}' WHERE _id = @{[ key(9) ]}; DROP OPERATOR = (text, text)",
	9 => 'z',
	10 => 'y');
SKIP:
{
	skip 'MERGE is of PostgreSQL 15', 2 if $node->pg_version < 15;
	follows(
		'MERGE',
		"MERGE INTO movies AS m USING (VALUES (@{[ key(9) ]}::objectid, '@{[ doc('z') ]}'::jsonb), (@{[ key(10) ]}, NULL), (@{[ key(11) ]}, '@{[ doc('a') ]}')) AS s (id, d) ON _id = id
WHEN MATCHED AND d IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET doc = d WHEN NOT MATCHED THEN INSERT (_id, doc) VALUES (id, d)",
		9 => 'z',
		10 => undef,
		11 => 'a');
}

# A role with rights on this table only; triggers of a user
sql('GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON movies TO ann');
follows(
	'an ordinary role',
	"SET ROLE ann; INSERT INTO movies VALUES @{[ row(12, 'b,c') ]}; UPDATE movies SET doc = '@{[ doc('d') ]}' WHERE _id = @{[ key(11) ]}; DELETE FROM movies WHERE _id = @{[ key(9) ]}",
	9 => undef,
	11 => 'd',
	12 => 'b,c');
sql(qq{CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS \$\$BEGIN
  IF pg_trigger_depth() = 1 AND NEW.doc->>'title' = 'e,f' THEN UPDATE movies SET doc = '@{[ doc('g,h,i') ]}' WHERE _id = NEW._id; END IF; RETURN NULL; END\$\$;
CREATE TRIGGER again AFTER INSERT OR UPDATE ON movies FOR EACH ROW EXECUTE FUNCTION again()});
follows('a trigger that writes again, INSERT', "INSERT INTO movies VALUES @{[ row(13, 'e,f') ]}", 13 => 'g,h,i');
follows(
	'a trigger that writes again, UPDATE',
	"UPDATE movies SET doc = '@{[ doc('e,f') ]}' WHERE _id = @{[ key(12) ]}",
	12 => 'g,h,i');
sql('DROP TRIGGER again ON movies');

# Two sessions change a document, one after the other
{
	my $first = $node->background_psql('postgres');
	$first->query_safe("BEGIN; UPDATE movies SET doc = '@{[ doc('j,k,l,m') ]}' WHERE _id = @{[ key(13) ]}");
	my $second = IPC::Run::start(
		[
			'psql', '-XAtq',
			'-c', "SET application_name = 'objectid-import'",
			'-c', "UPDATE movies SET doc = '@{[ doc('n') ]}' WHERE _id = @{[ key(13) ]}"
		],
		'>&',
		\my $output);
	wait_for_lock(1);
	$first->query_safe('COMMIT');
	$first->quit;
	$second->finish;
	is($output, '', 'a second session');
	follows('two sessions', 'SELECT', 13 => 'n');
}

# The program
sub loads
{
	my ($what, $counts, $names, @options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	import_ok($what, $counts, @options, write_file('movies.json', lines(%$names)));
	@now{ keys %$names } = values %$names;
	is_followed($what, 'movies', \%now);
}
loads('--upsert', '1|1|1|0', { 1 => 'a,b', 2 => 'x,y', 20 => 'z' }, '--upsert');
loads('--restart', '1|0', { 21 => 'a' }, '--restart');
follows('TRUNCATE by an ordinary role', 'SET ROLE ann; TRUNCATE movies', map { $_ => undef } keys %now);
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 100;
	my %many = map { $_ => "name$_,b" } 1 .. 40;
	my $movies = write_file('movies.json', lines(%many));
	kill_held($movies, 30);
	my $loaded = sql('SELECT count(*) FROM movies');
	cmp_ok($loaded, '<', 40, 'a load is killed');
	is(sql(q{SELECT count(*) FROM movies_compare() WHERE result <> 'equal'}), 0, 'what it loaded is followed');
	like(import_is('the load again', '40|0', $movies), qr/continuing run/, 'resumes it');
	%now = %many;
	is_followed('a load that was killed', 'movies', \%now);
}

# The cut-over of two collections that refer to each other: the first script again, TRUNCATE, load, the
# second script, as often as one likes
sub people
{
	my ($last) = @_;
	return join('',
		map { sprintf("{%s,\"name\":\"p%d\",\"likes\":[{\"\$oid\":\"%s\"}]}\n", json_id($_), $_, hex_id(1)) }
		  100 .. $last);
}

sub relfilenodes
{
	return sql(
		q{SELECT string_agg(relname || ' ' || relfilenode, E'\n' ORDER BY relname) FROM pg_class
WHERE relnamespace = 'film'::regnamespace AND relkind IN ('r', 'i')});
}
my $foreign_keys = q{SELECT conrelid::regclass, conname FROM pg_constraint WHERE contype = 'f' ORDER BY 1, 2};

sub write_dump
{
	my ($last, %names) = @_;
	write_file('dump/film/movies.json', lines(%names) =~ s/"title"/"by":{"\$oid":"@{[ hex_id(100) ]}"},"title"/gr);
	write_file('dump/film/people.json', people($last));
}
write_file('dump/film/movies.metadata.json',
	'{"indexes":[{"key":{"title":-1},"name":"title_-1"},{"key":{"cast.name":1},"name":"name_1"},{"key":{"first":1},"name":"first_1"},{"key":{"other.x":1},"name":"x_1"}]}'
);
my %first = (1 => 'a', 2 => 'b,c');
write_dump(101, %first);
($pre, $post) = map { schema_of("--section=$_-data", "$work/dump") } qw(pre post);
run_script($pre);
import_ok('a dump', '2|0 2|0', "$work/dump");
run_script($post);
is_followed('a dump', 'film.movies', \%first);
my $expected_keys = "film.movies|movies_by_fkey\nfilm.people_likes|people_likes_value_fkey";
is(sql($foreign_keys), $expected_keys, 'foreign keys');
my $indexes =
  q{SELECT indexname FROM pg_indexes WHERE schemaname = 'film' AND indexname !~ '_pkey$|objectid_import' ORDER BY 1};
is(sql($indexes), "movies_by_idx\nmovies_first_1\nmovies_name_1\nmovies_title_-1\nmovies_x_1\npeople_likes_value_idx",
	'indexes');
my $before = relfilenodes();
run_script($_) for $pre, $post, $post;
is(relfilenodes(), $before, 'nothing is written again');
is(sql($foreign_keys), $expected_keys, 'foreign keys again');

for my $last (102, 101)
{
	my %names = (1 => 'd,e', $last => 'f', 3 => 'g,h,i');
	write_dump($last, %names);
	run_script($pre);
	is(sql($foreign_keys), '', 'the first script drops the foreign keys');
	sql('TRUNCATE film.movies; TRUNCATE film.people');
	is_followed('TRUNCATE', 'film.movies', {});
	import_ok('a load again', '3|0 ' . ($last - 99) . '|0', '--restart', "$work/dump");
	run_script($post);
	is_followed('a cut-over', 'film.movies', \%names);
	is(sql('SELECT count(*) FROM film.people_likes'), $last - 99, 'also the other collection');
	is(sql($foreign_keys), $expected_keys, 'with foreign keys');
	%first = %names;
}

# Dump and restore: rows are not there twice, and what is written later is followed
my @dumps = ([ 'plain', '-Fp' ], [ 'custom', '-Fc' ]);
for (@dumps)
{
	my ($name, @options) = @$_;
	my $dump = "$work/$name.dump";
	sql("CREATE DATABASE $name");
	$node->command_ok([ 'pg_dump', @options, '-f', $dump, 'postgres' ], "pg_dump, $name");
	$node->command_ok(
		[
			$name eq 'plain'
			? ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, $name)
			: ('pg_restore', '-e', '-d', $name, $dump)
		],
		"restore, $name");
	is_followed("restore, $name", 'movies', \%now, $name);
	is_followed("restore, $name", 'film.movies', \%first, $name);
	run_script("INSERT INTO movies VALUES @{[ row(50, 'x,y') ]}; DELETE FROM movies WHERE _id = @{[ key(1) ]}", $name);
	my %later = (%now, 50 => 'x,y');
	delete $later{1};
	is_followed("after it, $name", 'movies', \%later, $name);
	run_script($_, $name) for $pre, $post;
	is_followed("the scripts after it, $name", 'film.movies', \%first, $name);
}

# A partitioned table of the user's
sql('CREATE TABLE parts (_id objectid PRIMARY KEY, doc jsonb NOT NULL) PARTITION BY HASH (_id)');
sql("CREATE TABLE part$_ PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER $_)") for 0, 1;
my $parts = write_file('parts.json', lines(%first));
run_script(schema_of($parts));
import_ok('into partitions', '3|0', $parts);
is_followed('a partitioned table', 'parts', \%first);
run_script(schema_of($parts));
run_script(
	"UPDATE parts SET doc = '@{[ doc('z') ]}' WHERE _id = @{[ key(3) ]}; DELETE FROM parts WHERE _id = @{[ key(1) ]}; UPDATE parts SET _id = @{[ key(4) ]} WHERE _id = @{[ key(3) ]};
INSERT INTO parts VALUES @{[ row(5, 'x') ]}");
my %of_parts = (%first, 4 => 'z', 5 => 'x');
delete @of_parts{ 1, 3 };
is_followed('writes to it', 'parts', \%of_parts);
sql('TRUNCATE parts');
is_followed('TRUNCATE of it', 'parts', {});

# Documents that are loaded already, in a table with a view, an index or a generated column on doc: the
# documents are written once at most
for my $more (
	'SELECT',
	'CREATE VIEW olds_seen AS SELECT doc FROM olds',
	'CREATE INDEX olds_doc ON olds USING gin (doc)',
	q{ALTER TABLE olds ADD mine text GENERATED ALWAYS AS (doc->>'title') STORED})
{
	sql("DROP TABLE IF EXISTS olds CASCADE; CREATE TABLE olds (_id objectid PRIMARY KEY, doc jsonb NOT NULL)");
	run_script("INSERT INTO olds VALUES @{[ row(1, 'a,b') ]}, @{[ row(2, 'c') ]}; $more");
	my $documents = sql('SELECT doc FROM olds');
	my $script = schema_of('-t', 'olds', '--format=json', '-', "$documents\n");
	unlike($script, qr/FOREIGN KEY/, 'no foreign keys of a pipe');
	run_script($script);
	is_followed("documents that are loaded, $more", 'olds', { 1 => 'a,b', 2 => 'c' });
	run_script("INSERT INTO olds VALUES @{[ row(3, 'd') ]}; $script");
	is_followed("later, $more", 'olds', { 1 => 'a,b', 2 => 'c', 3 => 'd' });
}

# Without documents: plain columns and tables, with the same values, which follow nothing
my $plain =
  "SELECT _id, title, \"first\", by FROM film.movies ORDER BY 1; TABLE film.movies_cast ORDER BY 1, 2; TABLE film.movies_cast_scores ORDER BY 1, 2, 3";
my $values = sql($plain);
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', 'host=/nowhere');
	my ($status, $out, $err) = run_import('--without-documents', "$work/dump");
	is("$status$err", '0', '--without-documents');
	run_script($out);
}
is(sql($plain), $values, 'the values are the same');
is(sql('SELECT doc FROM film.movies WHERE doc IS NOT NULL'), '', 'nothing is left in the documents');
is(sql(q{SELECT count(*) FROM pg_trigger WHERE tgrelid = 'film.movies'::regclass AND tgname ~ 'follow'}),
	0, 'no trigger');
run_script(
	q{INSERT INTO film.movies (title, by) SELECT 'new', by FROM film.movies LIMIT 1; UPDATE film.movies_cast SET name = 'x'; DELETE FROM film.movies_cast_scores}
);
done_testing();
