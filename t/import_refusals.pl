# objectid-import: what the server refuses or does not keep is a rejected document, alone,
# with the reason; what would go wrong for all is said before anything is loaded.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ImportTest;

set_up(conf => 'max_prepared_transactions = 0');

my $table = '(_id objectid PRIMARY KEY, doc jsonb NOT NULL)';

sub numbered
{
	return join('', map { bson(id($_), int32('n', $_)) } @_);
}

# reasons($table) - what is in the side table: "position reason" of each
sub reasons
{
	return sql(qq{SELECT string_agg(position || ' ' || reason, E'\\n' ORDER BY position) FROM $_[0]_rejected});
}
my $ten = write_file('ten.bson', numbered(1 .. 10));

# What the server does not keep, though it raises no error
sql(qq{
CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS \$\$
	BEGIN RETURN CASE WHEN (NEW.doc->>'n')::int % 4 <> 0 THEN NEW END; END\$\$;
CREATE TABLE swallowing $table;
CREATE TRIGGER t BEFORE INSERT ON swallowing FOR EACH ROW EXECUTE FUNCTION swallow();
CREATE TABLE partitioned $table PARTITION BY RANGE (_id);
CREATE TABLE partition1 PARTITION OF partitioned FOR VALUES FROM (MINVALUE) TO ('500000000000000000000006');
CREATE TABLE partition2 PARTITION OF partitioned FOR VALUES FROM ('500000000000000000000006') TO ('50000000000000000000000a');
CREATE TRIGGER t BEFORE INSERT ON partition2 FOR EACH ROW EXECUTE FUNCTION swallow();});
my $discarded = 'the server did not keep the row: a trigger discarded it';
for ([ 'swallowing', '8|2', 4, 8 ], [ 'partitioned', '8|2', 8 ])
{
	my ($name, $counts, @positions) = @$_;
	my ($loaded) = $counts =~ /^(\d+)/;
	import_ok("$name, from a file", $counts, '', '-t', $name, $ten);
	is(sql("SELECT count(*) FROM $name"), $loaded, "$name: so many are in the table");
	my $expected = join("\n", map { "$_ $discarded" } @positions);
	$expected .=
	  "\n10 no partition of relation \"partitioned\" found for row (Partition key of the failing row contains (_id) = (50000000000000000000000a).)"
	  if $name eq 'partitioned';
	is(reasons($name), $expected, "$name: the others are rejected");
	sql("TRUNCATE $name, ${name}_rejected");
	import_ok("$name, from a pipe", $counts, numbered(1 .. 10), '--format', 'bson', '-t', $name, '-');
	is(sql("SELECT (SELECT count(*) FROM $name) + (SELECT count(*) FROM ${name}_rejected)"),
		10, "$name: so are those of a pipe");
}

sql('CREATE ROLE filler LOGIN; GRANT CREATE ON SCHEMA public TO filler; GRANT ALL ON objectid_import TO filler');

# Errors that triggers raise, with their details; a plpgsql ASSERT; all kinds of constraints
sql(q{
CREATE FUNCTION complain() RETURNS trigger LANGUAGE plpgsql AS $$
	DECLARE n int := NEW.doc->>'n';
	BEGIN
		IF n = 1 THEN RAISE 'plain'; END IF;
		IF n = 2 THEN RAISE 'with more' USING DETAIL = 'these are the details', HINT = 'none'; END IF;
		IF n = 3 THEN RAISE insufficient_privilege; END IF;
		IF n = 4 THEN RAISE 'checked' USING ERRCODE = '23514'; END IF;
		IF n = 5 THEN ASSERT false, 'asserted'; END IF;
		IF n = 6 THEN RAISE 'a state of its own' USING ERRCODE = 'XY123'; END IF;
		IF n = 7 THEN PERFORM 1 / 0; END IF;
		IF n = 8 THEN RAISE 'caf} . "\xc3\xa9" . q{' USING ERRCODE = '22000'; END IF;
		RETURN NEW;
	END$$;
CREATE TABLE raising (_id objectid PRIMARY KEY, doc jsonb NOT NULL, n int GENERATED ALWAYS AS ((doc->>'n')::int) STORED CHECK (n <> 10));
CREATE TRIGGER t AFTER INSERT ON raising FOR EACH ROW EXECUTE FUNCTION complain()});
import_ok('a trigger that raises errors', '1|9', '', '-t', 'raising', $ten);
is( reasons('raising') =~ s/ \(Failing row.*//r,
	"1 plain\n2 with more (these are the details)\n3 insufficient_privilege\n4 checked\n5 asserted\n6 a state of its own\n"
	  . "7 division by zero\n8 caf\xc3\xa9\n10 new row for relation \"raising\" violates check constraint \"raising_n_check\"",
	'each document has its own reason');
like(
	reasons('raising'),
	qr/ \(Failing row contains \(50000000000000000000000a, \{"n": 10,.*\)\.\)$/,
	'and the detail of it');

# Deferred constraints: a child may come before its parent
sql(q{
CREATE TABLE tree (_id objectid PRIMARY KEY, doc jsonb NOT NULL,
	parent objectid GENERATED ALWAYS AS ((doc->'parent'->>'$oid')::objectid) STORED REFERENCES tree DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE strict (LIKE tree INCLUDING ALL);
ALTER TABLE strict ADD FOREIGN KEY (parent) REFERENCES strict;
CREATE TABLE judged (_id objectid PRIMARY KEY, doc jsonb NOT NULL);
CREATE CONSTRAINT TRIGGER t AFTER INSERT ON judged DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION complain()}
);
my $tree = join(
	'',
	map {
		my ($id, $parent) = @$_;
		bson(id($id), $parent ? element(7, 'parent', pack('NNN', 0x50000000, 0, $parent)) : ())
	}[ 1, 2 ],
	[ 2, 3 ],
	[ 3, 0 ],
	[ 4, 4 ],
	[ 5, 99 ],
	[ 6, 5 ],
	[ 7, 8 ],
	[ 8, 7 ]);
write_file('tree.bson', $tree);
for my $name (qw(tree strict))
{
	# 7 and 8 need each other, which row by row cannot give them
	import_ok("$name: a child before its parent", '4|4', '', '-t', $name, "$work/tree.bson");
	is(sql("SELECT string_agg(right(_id::text, 1), '' ORDER BY _id) FROM $name"), '1234', "$name: it is loaded");
	like(
		reasons($name),
		qr/\A5 insert .* foreign key constraint "${name}_parent_fkey" \(Key \(parent\)=\(500000000000000000000063\) is not present.*\)\n6 .*5\) is not.*\n7 .*\n8 /,
		"$name: whose parent is missing is rejected");
}
import_ok(
	'only whole families',
	'4|0', join('', map { bson(id($_), element(7, 'parent', pack('NNN', 0x50000000, 0, $_ ^ 1))) } 10 .. 13),
	'--format', 'bson', '-t', 'tree', '-');
import_ok('deferred constraint triggers', '2|8', '', '-t', 'judged', $ten);
like(reasons('judged'), qr/\A1 plain\n2 with more \(these are the details\)\n3 /, 'each document has its own reason');

# Many refused documents among many good ones
my $many = 40_000;
sql(qq{CREATE TABLE picky (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (doc->'n' IS NULL OR (doc->>'n')::int % 101 <> 0))}
);
write_file(
	'picky.bson',
	join(
		'',
		map {
			bson(
				id($_ % 1009 == 0 ? $_ - 2 : $_),
				int32('n', $_),
				string('pad', 'x' x 400),
				$_ % 1511 == 0 ? string('s', "\0") : ())
		} 1 .. $many));
my $expected = q{
SELECT n, CASE WHEN n % 1511 = 0 THEN 'NUL' WHEN n % 1009 = 0 AND (n - 2) % 101 <> 0 AND (n - 2) % 1511 <> 0 THEN 'dup' WHEN n % 101 = 0 THEN 'new' END AS reason
FROM generate_series(1, 40000) AS n};
my $rejected = sql("SELECT count(reason) FROM ($expected) AS e");
import_ok('a table that refuses many rows', ($many - $rejected) . "|$rejected", '', "$work/picky.bson");
is( sql("
WITH expected AS ($expected), found AS (
	SELECT (doc->>'n')::bigint AS n, NULL AS reason FROM picky UNION ALL SELECT position, left(reason, 3) FROM picky_rejected)
SELECT count(*), count(*) FILTER (WHERE e.reason IS DISTINCT FROM f.reason), (SELECT count(*) FROM found) FROM expected AS e LEFT JOIN found AS f USING (n)"
	),
	"$many|0|$many",
	'each document is where it belongs');

# Deadlocks, and serialization failures: tried again
sql(    "CREATE TABLE deadlocked $table; CREATE TABLE other (n int); INSERT INTO other VALUES (1);"
	  . 'CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE other SET n = n + 1; RETURN NEW; END$$;'
	  . q{CREATE TRIGGER t BEFORE INSERT ON deadlocked FOR EACH ROW WHEN (NEW.doc->>'n' = '5') EXECUTE FUNCTION touch()}
);
for my $isolation ('read committed', 'serializable')
{
	sql('TRUNCATE deadlocked');
	sql('DROP TABLE IF EXISTS deadlocked_rejected, objectid_import');
	local $ENV{PGOPTIONS} = '-c deadlock_timeout=10ms -c default_transaction_isolation=' . $isolation =~ s/ /\\ /r;
	my ($holder, $other) = map { $node->background_psql('postgres') } 1, 2;

	# One session holds what document 5 needs, and waits for document 1, while document 3
	# waits for another session.  So the import closes the circle.
	$holder->query_safe(q{SET deadlock_timeout = '1h'; BEGIN ISOLATION LEVEL READ COMMITTED; UPDATE other SET n = 0});
	$other->query_safe(q{BEGIN; INSERT INTO deadlocked VALUES ('500000000000000000000003', '{}')});
	my ($running, $output) = start_import('-t', 'deadlocked', $ten);
	wait_for_lock(1);
	$holder->query_until(qr/begun/,
		qq{\\echo begun\nINSERT INTO deadlocked VALUES ('500000000000000000000001', '{"held": true}');\nCOMMIT;\n});
	$node->poll_query_until('postgres', q{SELECT count(*) = 2 FROM pg_stat_activity WHERE wait_event_type = 'Lock'})
	  or BAIL_OUT('there are no two that wait');
	$other->query_safe('ROLLBACK');
	$running->finish;
	my $status = $? >> 8;
	$_->quit for $holder, $other;
	is($status, 3, "a deadlock, $isolation") or diag($$output);
	is( sql(q{SELECT count(*), count(*) FILTER (WHERE doc ? 'held'), (SELECT string_agg(position || ' ' || left(reason, 9), ',') FROM deadlocked_rejected) FROM deadlocked}
		),
		'10|1|1 duplicate',
		'the batch is tried again, and no document is lost');
}
{
	# document 5 meets a row that has been changed since its transaction began
	sql('TRUNCATE deadlocked, deadlocked_rejected; DELETE FROM objectid_import');
	local $ENV{PGOPTIONS} = '-c default_transaction_isolation=serializable';
	my $holder = $node->background_psql('postgres');
	$holder->query_safe('BEGIN; UPDATE other SET n = 0');
	my ($running, $output) = start_import('-t', 'deadlocked', $ten);
	wait_for_lock(1);
	$holder->query_safe('COMMIT');
	$running->finish;
	$holder->quit;
	is($? >> 8, 0, 'a serialization failure is tried again') or diag($$output);
	is(sql(q{SELECT count(*), (SELECT count(*) FROM deadlocked_rejected) FROM deadlocked}),
		'10|0', 'and no document is lost');
}
{
	# The server reads the small table of records as a whole, so the updates of two processes
	# conflict, and are tried again.
	sql("ANALYZE objectid_import; CREATE TABLE parts $table");
	local $ENV{PGOPTIONS} = '-c default_transaction_isolation=serializable';
	import_ok('two processes with serializable transactions',
		'400000|0', '', '-j', 2, '-t', 'parts',
		write_file('parts.bson', join('', map { bson(id($_), string('pad', 'x' x 60)) } 1 .. 400_000)));
}
sql(q{
CREATE SEQUENCE tries;
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		IF nextval('tries') <= 5 OR TG_ARGV[0] = 'always' THEN
			RAISE 'try again' USING ERRCODE = CASE TG_ARGV[0] WHEN 'deadlock' THEN '40P01' ELSE '40001' END;
		END IF;
		RETURN NEW;
	END$$});
for my $failure (qw(deadlock serialization always))
{
	sql(    "ALTER SEQUENCE tries RESTART; CREATE TABLE $failure $table;"
		  . "CREATE TRIGGER t BEFORE INSERT ON $failure FOR EACH ROW EXECUTE FUNCTION fail('$failure')");
	if ($failure eq 'always')
	{
		import_fails(
			'what fails each time is given up',
			qr/error: could not load table public\.always: ERROR:  try again/,
			'', '-t', $failure, $ten);
	}
	else
	{
		import_ok("$failure: the sixth try is no failure", '10|0', '', '-t', $failure, $ten);
	}
}

# A trigger that raises an error which ends the program
sql(qq{
CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'no 0' USING ERRCODE = '57014', HINT = 'ask'; END\$\$;
CREATE TABLE stopping $table; CREATE TRIGGER t BEFORE INSERT ON stopping FOR EACH ROW EXECUTE FUNCTION stop()});
import_fails('class 57', qr/error: could not load table public\.stopping: no 0\n.*hint: ask\n/,
	'', '-t', 'stopping', $ten);

# Names that are reserved
my $reserved = 'error: the name "objectid_import" is reserved .*\n.*hint: .*--exclude';
write_file('reserved/information_schema/x.bson', numbered(1));
write_file('own/db/objectid_import.bson', numbered(1));
import_fails("reserved: @$_", qr/$reserved/, '', @$_, $ten)
  for [ '-t', 'objectid_import' ], [ '-t', 'public.objectid_import' ], [ '--side-table', 'objectid_import' ];
import_fails('reserved: a collection', qr/$reserved/, '', "$work/own");
import_fails(
	'reserved: a database',
	qr/error: schema "information_schema" is reserved for the server\n.*hint: .*--schema/,
	'', "$work/reserved");
import_fails('reserved: a schema', qr/error: schema "pg_catalog" is reserved/, '', '-n', 'pg_catalog', $ten);

# --max-rejected
for ([ 0, 3 ], [ 7, 3 ], [ 8, 0 ])
{
	my ($most, $status) = @$_;
	sql('TRUNCATE judged, judged_rejected; DELETE FROM objectid_import');
	is((run_import('', '-t', 'judged', '--max-rejected', $most, $ten))[0],
		$status, "--max-rejected=$most of 8: exit status $status");
	is(sql('SELECT count(*) FROM judged'), 2, 'the load stays');
}

# The tables are checked before anything is loaded.  Each of these is refused, and all is as before.
sql(q{
CREATE TABLE no_doc (_id objectid PRIMARY KEY);
CREATE TABLE doc_json (_id objectid PRIMARY KEY, doc json);
CREATE TABLE id_varchar (_id varchar PRIMARY KEY, doc jsonb);
CREATE TABLE id_generated (_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, doc jsonb);
CREATE TABLE doc_generated (_id objectid PRIMARY KEY, doc jsonb GENERATED ALWAYS AS ('{}') STORED);
CREATE TABLE no_key (_id objectid, doc jsonb);
CREATE TABLE partial_key (_id objectid, doc jsonb); CREATE UNIQUE INDEX ON partial_key (_id) WHERE doc IS NOT NULL;
CREATE TABLE two_keys (_id objectid, doc jsonb, UNIQUE (_id, doc));
CREATE TABLE late_key (_id objectid PRIMARY KEY DEFERRABLE, doc jsonb);
CREATE VIEW view AS SELECT * FROM judged;
CREATE TABLE ruled (_id objectid PRIMARY KEY, doc jsonb); CREATE RULE r AS ON INSERT TO ruled DO INSTEAD NOTHING;
CREATE TABLE side_old (_id objectid PRIMARY KEY, doc jsonb); CREATE TABLE side_old_rejected (position bigint, reason text, raw bytea);
CREATE TABLE side_generated (_id objectid PRIMARY KEY, doc jsonb);
CREATE TABLE side_generated_rejected (file text, run bigint, position bigint, reason text GENERATED ALWAYS AS ('x') STORED, raw bytea)}
);
my $cannot = 'error: table public\.%s cannot be loaded\n.*detail: .*';
for (
	[ 'no_doc', 'no column "doc"' ],
	[ 'doc_json', 'no column "doc" of type jsonb' ],
	[ 'id_varchar', 'no column "_id" of type objectid, text, bigint, uuid or jsonb' ],
	[ 'id_generated', 'error: cannot insert a non-DEFAULT value into column "_id"' ],
	[ 'doc_generated', 'error: cannot insert a non-DEFAULT value into column "doc"' ],
	[ 'no_key', 'no primary key or unique index' ],
	[ 'partial_key', 'no primary key or unique index' ],
	[ 'two_keys', 'no primary key or unique index' ],
	[ 'late_key', 'no primary key or unique index' ],
	[ 'view', 'not a table' ],
	[ 'ruled', 'It has a rule for INSERT' ],
	[ 'side_old', 'error: column "file" of relation "side_old_rejected" does not exist' ],
	[ 'side_generated', 'error: cannot insert a non-DEFAULT value into column "reason"' ])
{
	my ($name, $detail) = @$_;
	my $message = $detail =~ /^error/ ? $detail : sprintf($cannot, $name) . $detail;
	import_fails("refused: $name", qr/$message/, '', '-t', $name, $ten);
	is(sql("SELECT count(*) FROM objectid_import WHERE target = 'public.$name'"), 0, 'and nothing is recorded');
}
sql('CREATE SCHEMA old; CREATE TABLE old.objectid_import (target text, source text)');
import_fails('a table of records of a different form', qr/error: column .* does not exist/, '', '-n', 'old', $ten);
is(sql(q{SELECT to_regclass('old.ten'), to_regclass('old.ten_rejected')}), '|', 'makes no tables');

# What others have put into the search path is not run
sql(q{
CREATE FUNCTION keep(integer[], integer) RETURNS integer[] LANGUAGE sql AS 'SELECT $1';
CREATE OPERATOR || (LEFTARG = integer[], RIGHTARG = integer, FUNCTION = keep);
CREATE TABLE referring (_id objectid PRIMARY KEY, doc jsonb NOT NULL,
	other objectid GENERATED ALWAYS AS ((doc->>'other')::objectid) STORED REFERENCES referring)});
import_ok(
	'an operator that hides one of ours',
	'2|1', '',
	write_file(
		'referring.json',
		join('',
			map { sprintf("{%s,\"other\":\"%s\"}\n", json_id($_->[0]), hex_id($_->[1])) }[ 1, 2 ],
			[ 2, 2 ],
			[ 3, 9 ])));
is(sql('SELECT count(*) FROM referring'), 2, 'the documents are there');

# Rights
sql(qq{
CREATE TABLE secured $table; ALTER TABLE secured ENABLE ROW LEVEL SECURITY; GRANT SELECT, INSERT ON secured TO filler;
CREATE SCHEMA private; GRANT USAGE ON SCHEMA private TO filler; CREATE TABLE private.ten $table});
import_fails(
	'without the right to create tables',
	qr/permission denied for schema private/,
	'', '-U', 'filler', '-n', 'private', write_file('eleven.bson', ''));
import_fails(
	'row-level security',
	qr/table public\.secured cannot be loaded\n.*detail: Row-level security applies to your role/,
	'', '-U', 'filler', '-t', 'secured', $ten);
import_ok('by the owner', '10|0', '', '-n', 'private', $ten);
my @rights = (
	[ 'private.ten', 'SELECT, INSERT', 'SELECT' ],
	[ 'private.ten', 'SELECT, INSERT', 'INSERT' ],
	[ 'private.ten_rejected', 'INSERT', 'INSERT' ],
	map { [ 'private.objectid_import', 'SELECT, INSERT, UPDATE, DELETE', $_ ] } qw(SELECT INSERT UPDATE DELETE));
sql("GRANT $_->[1] ON $_->[0] TO filler") for @rights;
for (@rights)
{
	my ($relation, $all, $right) = @$_;
	my $name = $relation =~ s/.*\.//r;
	sql("TRUNCATE private.ten, private.objectid_import; REVOKE $right ON $relation FROM filler");
	import_fails(
		"without $right on $relation",
		qr/error: permission denied for table $name/,
		'', '-U', 'filler', '-n', 'private', $ten);
	is(sql('SELECT (SELECT count(*) FROM private.ten) + (SELECT count(*) FROM private.objectid_import)'),
		0, 'loads nothing');
	sql("GRANT $right ON $relation TO filler");
}
import_ok('by a role that may only fill the tables', '10|0', '', '-U', 'filler', '-n', 'private', $ten);

# Temporary functions and plpgsql are needed only if the server refuses a row.
sql('CREATE DATABASE bare; REVOKE TEMPORARY ON DATABASE bare FROM PUBLIC');
$node->safe_psql('bare', "CREATE EXTENSION objectid; CREATE SCHEMA AUTHORIZATION filler; DROP EXTENSION plpgsql");
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', $node->connstr('bare'));
	import_ok('without TEMPORARY and plpgsql', '10|0', '', '-U', 'filler', '-n', 'filler', $ten);
	import_ok('a pipe', '10|0', numbered(1 .. 10), '-U', 'filler', '-t', 'filler.piped', '--format', 'bson', '-');
	import_fails('a duplicate', qr/error: permission denied to create temporary tables|error: .*temporary/,
		'', '-U', 'filler', '-n', 'filler', write_file('again.bson', numbered(1, 1)));
}

# Other columns may have the names of the variables of the block that inserts row by row
{
	my $twice = write_file('twice.json', join('', map { '{' . json_id($_) . "}\n" } 1, 2, 1));
	sql('CREATE TABLE twice (id serial, r text, why text, rows int, _id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	import_is('a table with a column "id"', '2|1', '', $twice);

	# names that end a literal, and the settings of those who want all names quoted
	for my $quote ('off', 'on')
	{
		local $ENV{PGOPTIONS} = "-c quote_all_identifiers=$quote";
		import_is("a name with dollars, quote_all_identifiers $quote", '2|1', '', '-t', '"a$$b%s\\"', $twice);
	}
}

# Triggers find what is in the search path of the role, not an empty one
sql(q{
CREATE FUNCTION private.count_all() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM ten_rejected; RETURN NEW; END$$;
CREATE TABLE private.seen (_id public.objectid PRIMARY KEY, doc jsonb);
CREATE TRIGGER t BEFORE INSERT ON private.seen FOR EACH ROW EXECUTE FUNCTION private.count_all();
ALTER ROLE filler SET search_path = private, public; GRANT SELECT ON ALL TABLES IN SCHEMA private TO filler;
GRANT INSERT, UPDATE, DELETE ON private.seen TO filler; GRANT CREATE ON SCHEMA private TO filler});
import_ok('a trigger with names from the search path', '10|0', '', '-U', 'filler', '-t', 'seen', $ten);

done_testing();
