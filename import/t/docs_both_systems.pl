# apply_change() of docs/both-systems/ ignores no event, and runs no code of other roles.
use strict;
use warnings FATAL => 'all';
use Hostile;
use ImportTest;

# The statements of a file, without its head
sub file { return slurp_file("docs/both-systems/$_[0].sql") =~ s/\A(?:--.*\n)+//r }
my ($movies) = file('example') =~ /^(CREATE TABLE movies .*?;)$/ms or die('no table');
my $apply = file('apply_change');

my $node = start_node('both_systems',
	sql =>
	  join(';', 'CREATE DATABASE extension; CREATE DATABASE plain', map { "CREATE ROLE $_ LOGIN" } qw(mallory app)));

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
	  ? (slurp_file($plain), 'public.objectid')
	  : ('CREATE EXTENSION objectid;', 'pg_catalog.objectid');
	$node->safe_psql(
		$database, "$type; $movies; $apply" . q{
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

	$node->safe_psql($database, 'TRUNCATE movies, rejected_event');

	# mallory's objects of every name that the functions use, and for all types and operators (Hostile.pm)
	attack($node, $database);
	create_hostile_objects($apply, qw(text jsonb boolean name), $objectid);
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
		} qw(movies rejected_event)) . q{SET ROLE app; SET search_path = pg_temp, public, pg_catalog;};
	$node->safe_psql($database, "$session SELECT '{}'::pg_catalog.jsonb->>'0'");
	is(run_sql(q{SELECT is_called, setval('public.evil_runs', 1, false) FROM public.evil_runs}),
		't|1', "$database: code of mallory's runs in a session without protection");
	my (undef, undef, $error) = $node->psql(
		$database,
		$session
		  . join('',
			map  { "SELECT public.apply_change(\$event\$$_->[1]\$event\$::pg_catalog.text);\n" }
			grep { $_->[2] !~ /^\w{5}$/ } @events),
		on_error_stop => 1);
	is($error, '', "$database: the function finds its own objects there");
	is(run_sql('SELECT count(*) > 5 FROM public.rejected_event'), 't', "$database: the function rejects events");
	none_has_run($database);
}

done_testing();
