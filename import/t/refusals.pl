# objectid-import: what the server refuses or does not keep is a rejected document, alone,
# with the reason; what would go wrong for all is said before anything is loaded.
use strict;
use warnings FATAL => 'all';
use ImportTest;

set_up(conf => 'max_prepared_transactions = 0');

my $table = '(_id objectid PRIMARY KEY, doc jsonb NOT NULL)';

# reasons($table) - what is in the side table: "position reason" of each
sub reasons
{
	return sql(qq{SELECT string_agg(position || ' ' || reason, E'\\n' ORDER BY position) FROM $_[0]_rejected});
}
my $ten = write_file('ten.bson', documents(0, 1 .. 10));

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
my $unplaced =
  'no partition of relation "partitioned" found for row (Partition key of the failing row contains (_id) = (50000000000000000000000a).)';
for ([ 'swallowing', "4 $discarded\n8 $discarded" ], [ 'partitioned', "8 $discarded\n10 $unplaced" ])
{
	my ($name, $expected) = @$_;
	import_ok($name, '8|2', '-t', $name, $ten);
	is(sql("SELECT count(*) FROM $name"), 8, "$name: what the server keeps is in the table");
	is(reasons($name), $expected, "$name: the others are rejected");
}

sql('CREATE ROLE regress_objectid_filler LOGIN; GRANT CREATE ON SCHEMA public TO regress_objectid_filler; GRANT ALL ON objectid_import TO regress_objectid_filler'
);

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
import_ok('a trigger that raises errors', '1|9', '-t', 'raising', $ten);
is( reasons('raising') =~ s/ \(Failing row.*//r,
	"1 plain\n2 with more (these are the details)\n3 insufficient_privilege\n4 checked\n5 asserted\n6 a state of its own\n"
	  . "7 division by zero\n8 caf\xc3\xa9\n10 new row for relation \"raising\" violates check constraint \"raising_n_check\"",
	'errors of a trigger: each document has its own reason');
like(
	reasons('raising'),
	qr/ \(Failing row contains \(50000000000000000000000a, \{"n": 10,.*\)\.\)$/,
	'a constraint: the detail of the reason');

# Deferred constraints: a child may come before its parent
sql(q{
CREATE TABLE tree (_id objectid PRIMARY KEY, doc jsonb NOT NULL,
	parent objectid GENERATED ALWAYS AS ((doc->'parent'->>'$oid')::objectid) STORED REFERENCES tree DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE strict (LIKE tree INCLUDING ALL);
ALTER TABLE strict ADD FOREIGN KEY (parent) REFERENCES strict;
CREATE TABLE judged (_id objectid PRIMARY KEY, doc jsonb NOT NULL);
CREATE CONSTRAINT TRIGGER t AFTER INSERT ON judged DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION complain()}
);
# Documents from this id on, which refer to these
sub children
{
	my ($id, @parents) = @_;
	return join('', map { bson(id($id++), $_ ? element(7, 'parent', pack('NNN', 0x50000000, 0, $_)) : ()) } @parents);
}
my $tree = write_file('tree.bson', children(1, 2, 3, 0, 4, 99, 5, 8, 7));
for my $name (qw(tree strict))
{
	# 7 and 8 need each other, which row by row cannot give them
	import_ok("$name: a child before its parent", '4|4', '-t', $name, $tree);
	is(sql("SELECT string_agg(right(_id::text, 1), '' ORDER BY _id) FROM $name"),
		'1234', "$name: children with their parents are loaded");
	like(
		reasons($name),
		qr/\A5 insert .* foreign key constraint "${name}_parent_fkey" \(Key \(parent\)=\(500000000000000000000063\) is not present.*\)\n6 .*5\) is not.*\n7 .*\n8 /,
		"$name: children whose parent is missing are rejected");
}
import_ok('only whole families', '4|0', qw(--format bson -t tree -), children(10, 11, 10, 13, 12));
import_ok('deferred constraint triggers', '2|8', '-t', 'judged', $ten);
like(reasons('judged'), qr/\A1 plain\n2 with more \(these are the details\)\n3 /, 'each document has its own reason');

# Many refused documents among many good ones
my $many = 12_000;
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
FROM generate_series(1, 12000) AS n};
my $rejected = sql("SELECT count(reason) FROM ($expected) AS e");
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 1_000_000;    # several batches
	import_ok('a table that refuses many rows', ($many - $rejected) . "|$rejected", "$work/picky.bson");
}
is( sql("
WITH expected AS ($expected), found AS (
	SELECT (doc->>'n')::bigint AS n, NULL AS reason FROM picky UNION ALL SELECT position, left(reason, 3) FROM picky_rejected)
SELECT count(*), count(*) FILTER (WHERE e.reason IS DISTINCT FROM f.reason), (SELECT count(*) FROM found) FROM expected AS e LEFT JOIN found AS f USING (n)"
	),
	"$many|0|$many",
	'each document is where it belongs');

# After a deadlock or a serialization failure, a batch is tried again: the first six times, of
# which the sixth finds the document that the table refuses; and once more row by row.
sql(qq{
CREATE SEQUENCE tries;
CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS \$\$
	DECLARE n int := nextval('tries');
	BEGIN
		IF TG_NARGS > 0 OR n IN (1, 3, 5) THEN RAISE 'try again' USING ERRCODE = '40001'; END IF;
		IF n IN (2, 4, 7) THEN RAISE 'try again' USING ERRCODE = '40P01'; END IF;
		RETURN NEW;
	END\$\$;
CREATE TABLE sometimes (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (doc->>'n' <> '1')); CREATE TABLE always $table;
CREATE TRIGGER t BEFORE INSERT ON sometimes FOR EACH ROW EXECUTE FUNCTION fail();
CREATE TRIGGER t BEFORE INSERT ON always FOR EACH ROW EXECUTE FUNCTION fail('')});
import_ok('what fails seven times', '9|1', '-t', 'sometimes', $ten);
like(
	reasons('sometimes'),
	qr/^1 new row .* violates check constraint.*$/,
	'what fails seven times: the reason of what is refused');
import_fails(
	'what fails each time is given up',
	qr/error: could not load table public\.always: ERROR: try again/,
	'-t', 'always', $ten);
{
	# The server reads the small table of records as a whole, so the updates of two processes
	# would conflict.
	sql("ANALYZE objectid_import; CREATE TABLE parts $table");
	local $ENV{PGOPTIONS} = '-c default_transaction_isolation=serializable';
	local $ENV{OBJECTID_IMPORT_WINDOW} = 100_000;
	import_ok('two processes with serializable transactions',
		'20000|0', '-j', 2, '-t', 'parts', write_file('parts.bson', documents(60, 1 .. 20_000)));
}

# A trigger that raises an error which ends the program
sql(qq{
CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'no 0' USING ERRCODE = '57014', HINT = 'ask'; END\$\$;
CREATE TABLE stopping $table; CREATE TRIGGER t BEFORE INSERT ON stopping FOR EACH ROW EXECUTE FUNCTION stop()});
import_fails('class 57', qr/error: could not load table public\.stopping: no 0\n.*hint: ask\n/, '-t', 'stopping', $ten);

# Names that are reserved
write_file('reserved/information_schema/x.bson', documents(0, 1));
write_file('own/db/objectid_import.bson', documents(0, 1));
my $reserved = qr/error: the name "objectid_import" is reserved .*\n.*hint: .*--exclude/;
run_scenarios(
	{ name => 'a reserved table', run => '-t objectid_import ten.bson', fails_like => $reserved },
	{
		name => 'a reserved table with its schema',
		run => '-t public.objectid_import ten.bson',
		fails_like => $reserved
	},
	{ name => 'a reserved collection', run => 'own', fails_like => $reserved },
	{
		name => 'a reserved database',
		run => 'reserved',
		fails_like => qr/error: schema "information_schema" is reserved for the server\n.*hint: .*--schema/
	},
	{
		name => 'a reserved schema',
		run => '-n pg_catalog ten.bson',
		fails_like => qr/error: schema "pg_catalog" is reserved/
	});

# --max-rejected ends the load when there are more, and what is loaded stays
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 100;
	my $stopped =
	  qr/error: could not load table public\.picked: more than (\d+) documents of "picked\.bson" are rejected\n(?:.*detail: The first reason is: .*check.*\n)?.*hint: Use a larger --max-rejected/;
	sql(qq{CREATE TABLE picked (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK ((doc->>'n')::int % 10 <> 0))});
	my @arguments = ('-t', 'picked', write_file('picked.bson', documents(20, 1 .. 100)));
	for my $jobs (1, 3)
	{
		sql('TRUNCATE picked; DROP TABLE IF EXISTS picked_rejected, objectid_import');
		import_fails('--max-rejected=4 of 10', $stopped, '-j', $jobs, '--max-rejected=4', @arguments);
		my ($rows, $rejected, $documents) = split(
			/\|/,
			sql('SELECT (SELECT count(*) FROM picked), (SELECT count(*) FROM picked_rejected), sum(documents) FROM objectid_import'
			));
		cmp_ok($rows, '<', 90, "--max-rejected=4, -j $jobs: the load has ended after $rows documents");
		is($rows + $rejected, $documents, "--max-rejected=4, -j $jobs: what was loaded and rejected stays");
		import_fails('--max-rejected=4 again', $stopped, '-j', $jobs, '--max-rejected=4', @arguments);
		is(sql('SELECT count(*) FROM picked'), $rows, '--max-rejected=4 again loads no more');
		import_fails('--max-rejected=9 of 10', $stopped, '--max-rejected=9', @arguments);
		like(
			import_is('--max-rejected=10 of 10', '90|10', '--max-rejected=10', @arguments),
			qr/continuing run 1 /,
			'--max-rejected=10 of 10 resumes the load');
	}
}

# Without it, the load ends if the first 10,000 documents are all rejected for one reason
write_file("$_->[0]first.bson", documents($_->[1], 1 .. 10_500)) for [ '', 0 ], [ 'again/', 1 ], [ 'more/', 2 ];
write_file('mixed.bson',
	join('', map { bson($_ % 2 ? id($_) : int32('_id', $_)) } 1 .. 10_501)
	  . bson(element(5, '_id', pack('VCa16', 16, 4, ''))));
run_scenarios(
	{ name => 'new documents', run => 'first.bson', loads => '10500|0' },
	{
		name => 'documents that are all in the table',
		run => 'again/first.bson',
		fails_like =>
		  qr/error: could not load table public\.first: the first 10000 documents of "first\.bson" are all rejected\n.*detail: The first reason is: duplicate: the table has this _id already\.\n.*hint: Use --upsert .*--drop .*--id-type .*--max-rejected/
	},
	{
		name => '--upsert of documents that are all in the table begins with the first',
		run => '--upsert again/first.bson',
		loads => '0|10500|0|0',
		gives => [ 'SELECT count(*) FROM first_rejected' => 0 ]
	},
	{
		name => '--max-rejected of documents that are all in the table',
		run => '--max-rejected=20000 more/first.bson',
		loads => '0|10500'
	},
	{ name => 'keys of two wrong types', run => '--id-type=uuid -t mixed mixed.bson', loads => '1|10501' },
	{
		name => 'keys of a wrong type',
		run => '--id-type=uuid -t wrong first.bson',
		fails_like => qr/The first reason is: _id is an ObjectId, not a UUID\./
	},
	{
		name => 'reasons that differ in their values',
		sql => q{CREATE TABLE checked (_id objectid PRIMARY KEY, doc jsonb NOT NULL CHECK (doc->>'n' = '0'))},
		run => '-t checked first.bson',
		fails_like => qr/The first reason is: new row .*00000001,\s/
	});

# The tables are checked before anything is loaded.  Each of these is refused, and all is as before.
my $id = '_id objectid PRIMARY KEY';
my $no_key = qr/cannot be loaded\n.*detail: .*no primary key or unique index/;
my $generated = 'error: cannot insert a non-DEFAULT value into column';
for (
	{ name => 'no_doc', columns => $id, fails_like => qr/cannot be loaded\n.*detail: .*no column "doc"/ },
	{ name => 'doc_json', columns => "$id, doc json", fails_like => qr/detail: .*no column "doc" of type jsonb/ },
	{
		name => 'id_varchar',
		columns => '_id varchar PRIMARY KEY, doc jsonb',
		fails_like => qr/detail: .*no column "_id" of type objectid, text, bigint, uuid or jsonb/
	},
	{
		name => 'id_generated',
		columns => '_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, doc jsonb',
		fails_like => qr/$generated "_id"/
	},
	{
		name => 'doc_generated',
		columns => "$id, doc jsonb GENERATED ALWAYS AS ('{}') STORED",
		fails_like => qr/$generated "doc"/
	},
	{ name => 'no_key', columns => '_id objectid, doc jsonb', fails_like => $no_key },
	{ name => 'two_keys', columns => '_id objectid, doc jsonb, UNIQUE (_id, doc)', fails_like => $no_key },
	{ name => 'late_key', columns => "$id DEFERRABLE, doc jsonb", fails_like => $no_key },
	{
		name => 'partial',
		columns => '_id objectid, doc jsonb',
		sql => 'CREATE UNIQUE INDEX ON partial (_id) WHERE doc IS NOT NULL',
		fails_like => $no_key
	},
	{ name => 'view', sql => 'CREATE VIEW view AS SELECT * FROM judged', fails_like => qr/detail: .*not a table/ },
	{
		name => 'ruled',
		columns => "$id, doc jsonb",
		sql => 'CREATE RULE r AS ON INSERT TO ruled DO INSTEAD NOTHING',
		fails_like => qr/detail: .*It has a rule/
	},
	{
		name => 'old',
		columns => "$id, doc jsonb",
		sql => 'CREATE TABLE old_rejected (raw bytea)',
		fails_like => qr/error: column "target" of relation "old_rejected"/
	},
	{
		name => 'side',
		columns => "$id, doc jsonb",
		sql => 'CREATE TABLE side_rejected (LIKE raising_rejected);
			ALTER TABLE side_rejected ALTER run SET NOT NULL, ALTER run ADD GENERATED ALWAYS AS IDENTITY',
		fails_like => qr/$generated "run"/
	})
{
	my %scenario = %$_;
	my $name = $scenario{name};
	sql("CREATE TABLE $name ($scenario{columns})") if $scenario{columns};
	sql($scenario{sql}) if $scenario{sql};
	import_fails("refused: $name", $scenario{fails_like}, '-t', $name, $ten);
	is(sql("SELECT count(*) FROM objectid_import WHERE target = 'public.$name'"),
		0, "refused, $name: nothing is recorded");
}
sql('CREATE TABLE kept_rejected (target text, n int); INSERT INTO kept_rejected VALUES (NULL, 1)');
for my $option ('--truncate', '--drop')
{
	import_fails(
		"$option, and somebody's table has the name of that of rejected documents",
		qr/error: column "file" of relation "kept_rejected"/,
		$option, '-t', 'kept', $ten);
	is(ask('SELECT n FROM kept_rejected'), 1, "$option: the table of somebody is kept");
}
sql('CREATE SCHEMA old; CREATE TABLE old.objectid_import (target text, source text)');
import_fails('a table of records of a different form', qr/error: column .* does not exist/, '-n', 'old', $ten);
is(sql(q{SELECT to_regclass('old.ten'), to_regclass('old.ten_rejected')}),
	'|', 'a table of records of a different form: no tables are made');

# Rights
sql(qq{
CREATE TABLE secured $table; ALTER TABLE secured ENABLE ROW LEVEL SECURITY; GRANT SELECT, INSERT ON secured TO regress_objectid_filler;
CREATE TABLE secured_rejected (target text, file text, run bigint, position bigint, reason text, raw bytea); GRANT INSERT ON secured_rejected, objectid_import TO regress_objectid_filler;
CREATE SCHEMA private; GRANT USAGE ON SCHEMA private TO regress_objectid_filler; CREATE TABLE private.ten $table});
write_file('eleven.bson', '');
run_scenarios(
	{
		name => 'a role without CREATE',
		run => '-U regress_objectid_filler -n private eleven.bson',
		fails_like => qr/permission denied for schema private/
	},
	{
		name => 'row-level security',
		run => '-U regress_objectid_filler -t secured ten.bson',
		fails_like => qr/table public\.secured cannot be loaded\n.*detail: Row-level security applies to your role/
	},
	{ name => 'a load by the owner of a schema', run => '-n private ten.bson', loads => '10|0' });
sql(qq{
GRANT SELECT, INSERT ON private.ten TO regress_objectid_filler; GRANT INSERT ON private.ten_rejected TO regress_objectid_filler;
GRANT SELECT, INSERT, UPDATE, DELETE ON private.objectid_import TO regress_objectid_filler; TRUNCATE private.ten, private.objectid_import}
);
my @filler = qw(-U regress_objectid_filler -n private);
import_fails('--upsert without the right UPDATE', qr/error: permission denied for table ten/, @filler, '--upsert',
	$ten);
import_ok('by a role that may only fill the tables', '10|0', @filler, $ten);

# Temporary functions and plpgsql are needed only if the server refuses a row.
sql('CREATE DATABASE bare; REVOKE TEMPORARY ON DATABASE bare FROM PUBLIC');
$node->safe_psql('bare', 'CREATE EXTENSION objectid; CREATE SCHEMA s AUTHORIZATION regress_objectid_filler');
$node->safe_psql('bare', 'DROP EXTENSION plpgsql');
write_file('again.bson', documents(0, 1, 1));
{
	local (@ImportTest::command, $ImportTest::database) = @ImportTest::command;
	connect_to('bare', '-U', 'regress_objectid_filler');
	run_scenarios(
		{ name => 'a load without TEMPORARY and plpgsql', run => '-n s ten.bson', loads => '10|0' },
		{
			name => 'a duplicate without TEMPORARY and plpgsql',
			run => '-n s again.bson',
			fails_like => qr/error: permission denied to create temporary tables|error: .*temporary/
		});
}

# Other columns may have the names of the variables of the block that inserts row by row
{
	my $twice = write_file('twice.json', join('', map { '{' . json_id($_) . "}\n" } 1, 2, 1));
	sql('CREATE TABLE twice (id serial, r text, why text, rows int, _id objectid PRIMARY KEY, doc jsonb NOT NULL)');
	import_is('a table with a column "id"', '2|1', $twice);

	# names that end a literal, and the settings of those who want all names quoted
	for my $quote ('off', 'on')
	{
		local $ENV{PGOPTIONS} = "-c quote_all_identifiers=$quote";
		import_is("a name with dollars, quote_all_identifiers $quote", '2|1', '-t', '"a$$b%s\\"', $twice);
	}
}

# Triggers find what is in the search path of the role, not an empty one
sql(q{
CREATE FUNCTION private.count_all() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM ten_rejected; RETURN NEW; END$$;
CREATE TABLE private.seen (_id objectid PRIMARY KEY, doc jsonb);
CREATE TRIGGER t BEFORE INSERT ON private.seen FOR EACH ROW EXECUTE FUNCTION private.count_all();
ALTER ROLE regress_objectid_filler SET search_path = private, public; GRANT SELECT ON ALL TABLES IN SCHEMA private TO regress_objectid_filler;
GRANT INSERT, UPDATE, DELETE ON private.seen TO regress_objectid_filler; GRANT CREATE ON SCHEMA private TO regress_objectid_filler}
);
import_ok('a trigger with names from the search path', '10|0', @filler[ 0, 1 ], '-t', 'seen', $ten);

done_testing();
