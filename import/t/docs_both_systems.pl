# The files of import/docs/both-systems/: no change is lost while writers and readers
# run side by side, no event is ignored, and no code of other roles runs.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use Hostile;
use TestServer;

# The statements of a file, without its head
sub file { return slurp_file("import/docs/both-systems/$_[0].sql") =~ s/\A(?:--.*\n)+//r }
my ($movies) = file('example') =~ /^(CREATE TABLE movies .*?;)$/ms or die('no table');
my ($apply, $note, $reader) = map { file($_) } qw(apply_change note_changes take_changes);

my $node = start_node(
	'both_systems',
	conf => "deadlock_timeout = '10ms'\nautovacuum = off",
	sql => join(';',
		'CREATE EXTENSION objectid; CREATE DATABASE extension; CREATE DATABASE plain',
		map { "CREATE ROLE $_ LOGIN" } qw(mallory app)));

# Writers and readers.  "mongo" is the collection.  The writers change some keys during 50 ms, and never
# again, so that a lost change stays lost.  A key only changes to a greater one, and each transaction changes
# one row, so that no writers deadlock.
$node->safe_psql(
	'postgres', $movies . $note . q{
CREATE TABLE mongo (_id objectid PRIMARY KEY, doc jsonb NOT NULL);
CREATE FUNCTION write(action integer, a integer, b integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  tick bigint := extract(epoch FROM clock_timestamp()) * 20;
  first objectid := lpad(to_hex(tick * 8 + a), 24, '0');
  second objectid := lpad(to_hex(tick * 8 + a + b), 24, '0');
BEGIN
  IF action < 50 THEN
    INSERT INTO movies VALUES (first, format('{"_id": "%s", "n": %s}', first, random())::jsonb)
      ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc;
  ELSIF action < 65 THEN
    DELETE FROM movies WHERE _id = first;
  ELSIF action < 80 THEN
    UPDATE movies SET _id = second WHERE _id = first;
  ELSE
    UPDATE movies SET doc = jsonb_build_object('n', random()) WHERE _id = first;
  END IF;
EXCEPTION WHEN unique_violation THEN
  NULL;
END$$});
my $writer = q{\set action random(0, 99)
\set a random(0, 7)
\set b random(1, 8)
\set pause random(0, 3000)
BEGIN;
SELECT write(:action, :a, :b);
\sleep :pause us
COMMIT;
};
my $truncate = q{\sleep 20 ms
BEGIN;
TRUNCATE movies;
INSERT INTO movies SELECT gen_objectid(), '{}' FROM generate_series(1, 3);
COMMIT;
};

# The page's statements for pgbench, and what a program does with their result
my ($select) = $reader =~ /^(SELECT key AS _id, doc .*?);$/ms or die('the reader does not read');
my $copy = $reader =~ s/\Q$select\E/WITH found AS MATERIALIZED ($select),
gone AS (DELETE FROM public.mongo USING found WHERE mongo._id = found._id AND found.doc IS NULL)
INSERT INTO public.mongo SELECT * FROM found WHERE doc IS NOT NULL ON CONFLICT (_id) DO UPDATE SET doc = excluded.doc/r
  =~ s/:'taken'/':taken'/r;

# no_change_is_lost($what, $seconds, script => number of clients, ...) - run loads and readers together, copy
# what is left, and compare
sub no_change_is_lost
{
	my ($what, $seconds, %clients) = @_;
	my @loads = map { start_load($node, $_, "--time=$seconds", "--client=$clients{$_}") } keys %clients;
	{
		# the page's statements do not depend on the default
		local $ENV{PGOPTIONS} = '-c default_transaction_isolation=serializable';
		push @loads,
		  start_load($node, "$copy\n\\set pause random(0, 2000)\n\\sleep :pause us\n", "--time=$seconds", '--client=2');
	}
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is( join('',
			map { finish_load($_) . ($_->{output} =~ /(error|aborted|failed transactions: [1-9]).*/i ? $& : '') }
			  @loads),
		'0' x @loads,
		"$what: no client meets an error");
	for (1 .. 100)
	{
		last if $node->safe_psql('postgres', 'SELECT count(*) FROM changed') eq '0';
		finish_load(start_load($node, $copy, '--transactions=1'));
	}
	query_is(
		$node, q{
SELECT EXISTS (SELECT FROM mongo), count(*) FROM movies FULL JOIN mongo USING (_id)
WHERE movies.doc - '_id' IS DISTINCT FROM mongo.doc}, 't|0', "$what: both have the same documents");
	query_is($node, q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}, '0', "$what: no deadlock");
}
no_change_is_lost('writers and readers', 4, $writer => 8);
no_change_is_lost('with TRUNCATE', 2, $writer => 8, $truncate => 1);

# The same events with the extension and with the domain
my %id = (
	a => '0123456789abcdef01234567',
	b => '0123456789abcdef01234568',
	bad => '0123456789abcdef0123456');

# event($kind, $id, $document) - an event of this _id, with this field of the document
sub event
{
	my ($kind, $key, $document) = @_;
	my %event = (operationType => qq("$kind"), documentKey => qq({"_id": $key}));
	$event{fullDocument} = $document if defined $document;
	return '{' . join(', ', map { qq("$_": $event{$_}) } sort keys %event) . '}';
}
sub oid      { return qq({"\$oid": "$id{$_[0]}"}) }
sub document { return sprintf('{"_id": %s, "n": %s}', oid($_[0]), $_[1]) }
my $rejected = 'a=0 rejected';

# what, event, rows and rejected events after it, or SQLSTATE
my @events = (
	[ 'an update', event('update', oid('a'), document('a', 1)), 'a=1' ],
	[ 'a replacement', event('replace', oid('a'), document('a', 1)), 'a=1' ],
	[ 'an insert', event('insert', oid('b'), document('b', 1)), 'a=0 b=1' ],
	[ 'a delete', event('delete', oid('a')), '' ],
	[ 'a delete of a row that is not there', event('delete', oid('b')), 'a=0' ],
	[ 'a document that has been deleted since', event('update', oid('a'), 'null'), 'a=0' ],
	(map { [ "$_ without fullDocument", event($_, oid('a')), '55000' ] } qw(insert update replace)),
	(map { [ "$_ of null", event($_, oid('b'), 'null'), $rejected ] } qw(insert replace)),
	[ 'a document with a different _id', event('update', oid('a'), document('b', 1)), $rejected ],
	(map { [ "a document that is $_", event('update', oid('a'), $_), $rejected ] } qw({"n":1} "n" 1 [] {})),
	(   map { [ "delete of $_", event('delete', $_), $rejected ] } oid('bad'),
		'{"$oid": null}',
		'{"$oid": 1}', 'null', '"a"'),
	[ 'an update of an invalid _id', event('update', oid('bad'), qq({"_id": ${\oid('bad')}, "n": 1})), $rejected ],
	[ 'documentKey null', '{"operationType": "delete", "documentKey": null}', $rejected ],
	[ 'no documentKey', '{"operationType": "delete"}', $rejected ],
	[ 'a NUL', event('update', oid('a'), '{"n": "\u0000"}'), $rejected ],
	[ 'no JSON', '{', $rejected ],
	[ 'a value that a column cannot have', event('update', oid('a'), document('a', '1, "other": "x"')), $rejected ],
	[ 'a constraint of the table', event('update', oid('a'), document('a', -1)), '23514' ],
	[ 'a drop', '{"operationType": "drop"}', '0A000' ],
	[
		'an event without operationType',
		qq({"documentKey": {"_id": ${\oid('a')}}, "fullDocument": ${\document('a', 1)}}), '0A000'
	],
	[ 'an array', '[]', '0A000' ]);

for my $database (qw(extension plain))
{
	my ($type, $objectid) =
	  $database eq 'plain'
	  ? (slurp_file('plain/objectid.sql'), 'public.objectid')
	  : ('CREATE EXTENSION objectid;', 'pg_catalog.objectid');
	$node->safe_psql(
		$database, "$type; $movies; $apply; $note" . q{
ALTER TABLE movies ADD CHECK ((doc->>'n')::float >= 0), ADD other objectid GENERATED ALWAYS AS ((doc->>'other')::objectid) STORED;
CREATE FUNCTION outcome(event text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE movies, rejected_event;
  INSERT INTO movies VALUES ('0123456789abcdef01234567', '{"n": 0}');
  PERFORM apply_change(event);
  RETURN concat_ws(' ', (SELECT string_agg(translate(right(_id::text, 1), '78', 'ab') || '=' || (doc->>'n'), ' ' ORDER BY _id) FROM movies),
    (SELECT string_agg('rejected', ' ') FROM rejected_event WHERE rejected_event.event = outcome.event AND reason <> ''));
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END$$;
GRANT ALL ON ALL TABLES IN SCHEMA public TO app;
GRANT CREATE ON SCHEMA public TO mallory});
	my @outcomes = split(/\n/,
		$node->safe_psql($database, join('', map { "SELECT outcome(\$event\$$_->[1]\$event\$);\n" } @events)), -1);
	is($outcomes[$_], $events[$_][2], "$database: $events[$_][0]") for 0 .. $#events;

	# the key's index answers the comparison that works with both types
	my ($delete) = $apply =~ /(DELETE FROM public.movies .*?);/;
	like(
		$node->safe_psql(
			$database,
			"SET enable_seqscan = off; PREPARE d (objectid) AS ${\($delete =~ s/event_key/\$1/r)}; EXPLAIN EXECUTE d('$id{a}')"
		),
		qr/Index Cond/,
		"$database: a delete uses the primary key");

	# what is recorded, and what is not
	my $recorded = q{SELECT string_agg(right(_id::text, 1), '' ORDER BY _id) FROM changed; DELETE FROM changed;};
	is( $node->safe_psql(
			$database, qq{
TRUNCATE movies, changed;
INSERT INTO movies VALUES ('$id{a}', '{}');
$recorded
BEGIN;
SET LOCAL app.from_mongodb = on;
UPDATE movies SET doc = '{"n": 1}';
TRUNCATE movies;
INSERT INTO movies VALUES ('$id{a}', '{}');
COMMIT;
$recorded
UPDATE movies SET _id = '$id{b}';
$recorded
TRUNCATE movies;
$recorded
}),
		"7\n\n78\n8",
		"$database: old and new keys are recorded, but not the changes that come from MongoDB");
	for my $sql ('BEGIN ISOLATION LEVEL REPEATABLE READ; TRUNCATE movies',
		'ALTER TABLE movies ENABLE ROW LEVEL SECURITY; SET ROLE app; TRUNCATE movies')
	{
		my (undef, undef, $error) = $node->psql($database, "INSERT INTO movies VALUES (gen_objectid(), '{}'); $sql");
		like(
			$error,
			qr/ERROR:  (TRUNCATE needs READ COMMITTED|query would be affected by row-level security policy)/,
			"$database: $sql");
	}
	$node->safe_psql($database,
		'ALTER TABLE movies DISABLE ROW LEVEL SECURITY; TRUNCATE movies, changed, rejected_event');

	# mallory's objects of every name that the functions use, and for all types and operators (Hostile.pm)
	attack($node, $database);
	create_hostile_objects("$apply $note", qw(text jsonb boolean name), $objectid);
	# and temporary ones, in a session that a pooler gives to others
	my $session = q{
SET client_min_messages = warning;
SET ROLE mallory;
SET search_path = pg_catalog, pg_temp;
SELECT FROM public.evil_names('pg_temp');
} . join(
		'',
		map {
			qq{
CREATE TEMP TABLE $_ (_id $objectid CHECK (public.evil('table $_')), doc jsonb, event text, reason text, PRIMARY KEY (_id));
GRANT ALL ON pg_temp.$_ TO PUBLIC;
}
		} qw(movies changed rejected_event)) . q{SET ROLE app; SET search_path = pg_temp, public, pg_catalog;};
	$node->safe_psql($database, "$session SELECT '{}'::pg_catalog.jsonb->>'0'");
	is(run_sql(q{SELECT is_called, setval('public.evil_runs', 1, false) FROM public.evil_runs}),
		't|1', "$database: code of mallory's runs in a session without protection");
	my (undef, undef, $error) = $node->psql(
		$database,
		$session
		  . join('',
			map  { "SELECT public.apply_change(\$event\$$_->[1]\$event\$::pg_catalog.text);\n" }
			grep { $_->[2] !~ /^\w{5}$/ } @events)
		  . qq{
INSERT INTO public.movies VALUES ('$id{a}', '{}');
UPDATE public.movies SET _id = '0123456789abcdef01234569';
TRUNCATE public.movies;
},
		on_error_stop => 1);
	is($error, '', "$database: the functions find their own objects there");
	is(run_sql('SELECT count(*) FROM public.changed; SELECT count(*) > 5 FROM public.rejected_event'),
		"3\nt", "$database: ... which do what they say");
	none_has_run($database);
}

done_testing();
