# What objectid-import --schema-only prints for a database that has something already: plain statements, which fail if
# the database has changed since; what is there keeps its names, types and definitions, and nothing is lost, silently
# wrong, or run that is in a name.
use strict;
use warnings FATAL => 'all';
use ImportTest;

set_up(sql => join(';', 'CREATE EXTENSION objectid', map { "CREATE ROLE $_ LOGIN" } qw(ann bob mallory)));

# json($name, @documents) - a file of documents with the ids 1, 2, ...
sub json
{
	my ($name, @documents) = @_;
	return write_file("$name.json", lines_of(@documents));
}

# The frame; an error in the middle ends it
my $first = json(
	'film/movies',
	'"title":"One","cast":[{"name":"x"}],"m":1',
	'"title":"Two","seen":"2020-01-02T03:04:05.5+01:00","by":"500000000000000000000001","m":"x","kids":{"n":3}',
	'"title":"Three","seen":"2020-01-02 03:04:05Z","kids":[{"n":1},{"n":2}]');
my @first = ('-t', 'film.movies', $first);
my $script = script_of('--schema-only', @first);
like($script, qr/\A\\set ON_ERROR_STOP on\n\\encoding UTF8\n/, 'how a script begins');
like($script, qr/^COMMIT;\n\\echo complete: 1 table, 2 views\n\z/m, 'how a script ends');
is(not_plain($script), '', 'a script has plain statements only');
script_ends('a statement that fails', $script =~ s/^COMMENT ON VIEW/SELECT 1 \/ 0;\n$&/mr, 3, qr/division by zero/);
is(sql(q{SELECT count(*) FROM pg_namespace WHERE nspname = 'film'}), 0, 'a statement that fails: nothing is made');
script_ends('as another role', $script, 3, qr/"ann is not \S+, for whom this script was printed"/, '-U', 'ann');
{
	local $ENV{PGOPTIONS} = '-c role=ann';
	script_ends('with SET ROLE', $script, 3, qr/"postgres as ann is not postgres, for whom this script was printed"/);
}

my @lines = split(/^/, $script);
for my $count (map { int(@lines * $_ / 4) } 1 .. 3)
{
	my (undef, $out) = run_psql(join('', @lines[ 0 .. $count - 1 ]));
	unlike($out, qr/complete/, "a script that is cut off after $count lines");
}
is(sql(q{SELECT count(*) FROM pg_namespace WHERE nspname = 'film'}), 0, 'scripts that are cut off: nothing is made');

# What another role plants between printing and running is an error, and nothing is made.
sql('CREATE SCHEMA planted; GRANT ALL ON SCHEMA planted TO mallory');
my $others =
  q{SELECT count(*) FROM pg_class WHERE relnamespace = 'planted'::regnamespace AND relowner <> 'mallory'::regrole};
my $planted = script_of('--schema-only', '-t', 'planted.movies', $first);
for my $object (
	'TABLE planted.movies (_id objectid PRIMARY KEY, doc jsonb NOT NULL)',
	'VIEW planted.movies_cast AS SELECT 1 AS movies_id',
	'FUNCTION planted.ejson_date(value jsonb) RETURNS timestamptz LANGUAGE sql RETURN now()',
	'TYPE planted.movies AS (a int)')
{
	my ($kind, $name) = $object =~ /^(\w+) (\S+?)(?: |\()/;
	sql("SET ROLE mallory; CREATE $object");
	script_ends("mallory's $object", $planted, 3, qr/ERROR:  \S+ "\w+" already exists/);
	is(sql($others), 0, "mallory's $object: nothing is made");
	my $refused =
	  $kind eq 'FUNCTION'
	  ? qr/error: function planted\.ejson_date belongs to mallory/
	  : qr/error: (?:code of role "mallory"|planted\.movies is there for something else)/;
	import_fails("mallory's $object, before", $refused, qw(--schema-only -t planted.movies), $first) if $kind ne 'VIEW';
	sql("DROP $kind $name" . ($kind eq 'FUNCTION' ? '(jsonb)' : ''));
}
sql(q{CREATE SCHEMA hers AUTHORIZATION mallory});
import_fails('a schema of hers', qr/schema hers belongs to mallory/, '--schema-only', '-t', 'hers.movies', $first);

# What the owner of a view has changed between printing and running is not undone.
make_schema('-t', $_, json('edited', '"a":[{"v":1}]')) for 'edited.movies', qq(edited."m\nn");
make_schema('-t', qq(edited."m\nn"), json('edited_more', '"a":[{"v":1,"w":2}]'));
my $edited = script_of('--schema-only', '-t', 'edited.movies', json('edited_later', '"a":[{"v":1,"w":2}]'));
my $view = sql(q{SELECT rtrim(pg_get_viewdef('edited.movies_a'::regclass), ';')});
for my $edit ("CREATE OR REPLACE VIEW edited.movies_a WITH (security_invoker = true) AS $view WHERE a1.position < 9",
	'ALTER VIEW edited.movies_a SET (security_barrier)')
{
	sql($edit);
	script_ends("after $edit", $edited, 3, qr/"movies_a has changed: print this script again"/);
}

# An ordinary role that owns nothing but its schema; and settings of a database
sql('CREATE SCHEMA bobs AUTHORIZATION bob; CREATE SCHEMA other');
{
	local @ImportTest::command = (@ImportTest::command, '-U', 'bob');
	my $bobs = script_of('--schema-only', '-t', 'bobs.movies', $first);
	script_ends('an ordinary role', $bobs, 0, qr/^complete/m, '-U', 'bob');
	is(statements(script_of('--schema-only', '-t', 'bobs.movies', $first)),
		'', 'an ordinary role: then nothing is missing');
	ok(script_of('--schema-only', '-t', 'other.movies', $first), 'a schema that it cannot use');
}
{
	local $ENV{PGOPTIONS} = '-c role=bob';
	import_fails(
		'a role that is not the session\'s',
		qr/schema bobs belongs to bob, who could run code/,
		'--schema-only', '-t', 'bobs.movies', $first);
}
sql(    'CREATE DATABASE odd; ALTER DATABASE odd SET standard_conforming_strings = off;'
	  . 'ALTER DATABASE odd SET quote_all_identifiers = on; ALTER DATABASE odd SET client_encoding = latin1;'
	  . q{ALTER DATABASE odd SET default_transaction_isolation = 'repeatable read'; ALTER DATABASE odd SET datestyle = 'SQL, DMY'}
);
connect_to('odd');
sql('CREATE EXTENSION objectid');
my @odd = ('-t', '"O dd"', json('odd', qq("a\\\\'":"\\\\'","\xc3\xa9":{"b\\n":[{"\xc3\xa9\\\\":1}]},"c":1)));
make_schema(@odd);
import_ok('odd settings', '1|0', @odd);
make_schema('-t', '"O dd"', json('odder', qq("a\\\\'":"\\\\'","\xc3\xa9":{"b\\n":[{"\xc3\xa9\\\\":1,"d":2}]},"e":1)));
is(sql(qq{SET client_encoding = utf8; SELECT a, "\xc3\xa9" FROM "O dd", "O dd_\xc3\xa9_b"}),
	q{\\'|1}, 'odd settings: the values');
connect_to('postgres');

# A schema has the name of the column, a table one that views use, and a column one that only later servers reserve.
like(
	make_schema('-t', 'doc.a1', json('doc', '"d":{"$date":"2020-01-02T03:04:05Z"},"systemUser":"x","a":[{"v":1}]')),
	qr/^  "system_user" text /m,
	'a name that a later server reserves');

# Scenarios: a table has columns and views of the first documents; then there is SQL; then this is printed of a later dump
# of other documents, run, and nothing is missing; and queries show what is expected.
my @scenarios = (
	{
		name => 'columns in the order of the documents',
		first => ['"z":1,"b":{"y":1,"x":2},"c":[{"v":1,"u":2}],"a":1'],
		later => ['"z":1,"b":{"y":1,"x":2},"c":[{"v":1,"u":2}],"a":1'],
		q{SELECT string_agg(attname, ' ' ORDER BY attrelid, attnum) FROM pg_attribute WHERE attrelid IN ('%s'::regclass, '%s_c'::regclass) AND attnum > 2}
		  => 'z b_y b_x a v u'
	},
	{
		name => 'a rare new field wants a name that is there',
		first => ['"Tag":"x"'],
		later => [ '"Tag":"x"', '"tag":"y"' ],
		has => [qr/^  ADD tag_[0-9a-f]{8} text GENERATED ALWAYS AS \(doc->>'tag'\) STORED;$/m],
		'SELECT max(tag) FROM %s' => 'x'
	},
	{
		name => 'two new fields want the same name',
		first => ['"n":1'],
		later => [ '"Tag":"x"', '"tag":"y","Tag":"x"' ],
		has => [
			qr/^  ADD tag text GENERATED ALWAYS AS \(doc->>'Tag'\) STORED,\n  ADD tag_[0-9a-f]{8} text .*doc->>'tag'\) STORED;$/m
		]
	},
	{
		name => 'names and types that a person has chosen',
		first => [ '"n":1,"s":"x","a":[{"v":1}]', '"n":"1"' ],
		sql =>
		  q{ALTER TABLE %s RENAME s TO said; ALTER TABLE %s ADD number numeric GENERATED ALWAYS AS (%s.ejson_numeric(doc->'n')) STORED;
			ALTER VIEW %s_a RENAME v TO value_of_v; ALTER VIEW %s_a RENAME TO %n_as; ALTER TABLE %s ADD own int, ADD note text GENERATED ALWAYS AS (lower(doc->>'note')) STORED},
		later => [ '"n":1,"s":1,"a":[{"v":1}],"note":"x"', '"n":"1","own":2' ],
		lacks => [qr/WARNING|^-- .*ADD (?:n|number)/m],
		has => [
			qr/^-- column said stays text; these documents alone would have bigint\nALTER TABLE \S+\n  ADD own_\w+ bigint/m
		],
		q{SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = '%s'::regclass AND attnum > 2 AND attname !~ '^own_'}
		  => 'said number own note'
	},
	{
		name => 'columns of their own by a subscript and by a path are none of a field',
		first => ['"n":1'],
		sql => q{ALTER TABLE %s ADD own text GENERATED ALWAYS AS (doc['e']->>'f') STORED,
			ADD other text GENERATED ALWAYS AS ((doc #> '{e}')->>'g') STORED},
		later => ['"n":1,"f":1,"g":2'],
		has => [qr/^ALTER TABLE \S+\n  ADD f bigint .* STORED,\n  ADD g bigint .* STORED;$/m]
	},
	{
		name => 'one ALTER TABLE for all columns, comments with their evidence',
		first => ['"a":1'],
		later =>
		  [ '"a":1,"b":2,"c":"500000000000000000000001","d":1', '"a":1,"b":3,"c":"500000000000000000000002","d":"x"' ],
		has => [
			qr/^ALTER TABLE \S+\n  ADD b bigint .* STORED,\n--  ADD c objectid .* STORED, -- 2 of 2 texts are ids\n  ADD c text .* STORED;$/m,
			qr/^--  ALTER TABLE \S+ ADD d bigint .*; -- 1 integer, 1 text: other values become NULL$/m,
			qr/^-- ALTER TABLE \S+ ALTER b SET NOT NULL;  -- in all 2 documents$/m
		],
	},
	{
		name => 'new columns of a view that a person has edited',
		first => ['"a":[{"v":1,"z":"z"},{"v":2}],"b":[{"v":1}]'],
		sql =>
		  q{CREATE OR REPLACE VIEW %s_a WITH (security_barrier, security_invoker) AS SELECT _id AS %n_id, a1.position::integer AS position,
			%s.ejson_integer(a1.element->'v') AS v, a1.element->>'z' AS z, 'it''s ( FROM' || chr(10) AS own
			FROM %s AS m, jsonb_array_elements(CASE jsonb_typeof(doc->'a') WHEN 'array' THEN doc->'a' END) WITH ORDINALITY AS a1 (element, position)
			WHERE a1.element->'v' = '1'; GRANT SELECT ON %s_a TO ann; CREATE VIEW %s_own AS SELECT * FROM %s_a},
		later => ['"a":[{"v":1,"x":"x","m":true},{"v":2}]'],
		q{SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = '%s_a'::regclass} =>
		  '%n_id position v z own x m',
		q{SELECT reloptions::text ~ 'barrier.*invoker', relacl::text ~ 'ann=r' FROM pg_class WHERE oid = '%s_a'::regclass}
		  => 't|t',
		'SELECT count(*), max(x) FROM %s_a' => '1|x',
		'SELECT count(*) FROM %s_b' => 0
	},
	{
		name => 'a view that cannot get columns',
		first => ['"a":[{"v":1}]'],
		sql =>
		  'CREATE OR REPLACE VIEW %s_a AS SELECT _id AS %n_id, 1 AS position, 2::bigint AS v FROM %s UNION ALL SELECT NULL, 1, 2::bigint',
		later => ['"a":[{"v":1,"x":"x"}]'],
		has => [qr/^-- \S+ is not as this program makes it: .*\n--   a1\.element->>'x' AS x$/m]
	},
	{
		name => 'an array after objects, and the other way round',
		first => ['"k":{"n":3},"o":[{"n":1}]'],
		later => [ '"k":[{"n":4}],"o":{"n":5}', '"k":{"n":3}' ],
		'SELECT count(k_n), max(k_n) FROM %s' => '1|3',
		q{SELECT string_agg(n::text, ' ' ORDER BY n) FROM %s_k} => '3 4',
		'SELECT n FROM %s_o' => 5
	},
	{
		name => 'a collection that is empty now',
		first => ['"n":1'],
		later => [],
		has => [qr/^COMMIT/m]
	},
	{
		name => 'columns that are there count, dropped ones too',
		first => ['"n":1'],
		sql => q{DO $$BEGIN FOR i IN 1 .. 1590 LOOP EXECUTE 'ALTER TABLE %s ADD x' || i || ' int';
			IF i > 1000 THEN EXECUTE 'ALTER TABLE %s DROP x' || i; END IF; END LOOP; END$$},
		later => [ '"n":1,' . join(',', map { qq("b$_":true) } 1 .. 20) ],
		has => [qr/no place for more columns/],
		q{SELECT count(*) FROM pg_attribute WHERE attrelid = '%s'::regclass AND attnum > 0} => 1600
	},
	{
		name => 'our foreign keys and unique indexes go at the end, and no others',
		first => [ '"n":1,"r":{"$oid":"' . hex_id(1) . '"}', '"n":2' ],
		sql =>
		  q{CREATE UNIQUE INDEX ours ON %s (n); COMMENT ON INDEX %s.ours IS 'index n_1, by objectid-import'; CREATE UNIQUE INDEX ON %s (n, r);
			ALTER TABLE %s ADD CONSTRAINT ours FOREIGN KEY (r) REFERENCES %s, ADD CONSTRAINT theirs FOREIGN KEY (r) REFERENCES %s; COMMENT ON CONSTRAINT ours ON %s IS 'r, by objectid-import'},
		later => ['"n":1,"z":1'],
		has => [
			qr/^-- drops 1 foreign key and 1 unique index: post-data makes them again\nALTER TABLE \S+ DROP CONSTRAINT ours;\nDROP INDEX \S+\.ours;\nCOMMIT;$/m
		],
		q{SELECT (SELECT count(*) FROM pg_index WHERE indrelid = '%s'::regclass), (SELECT string_agg(conname, ' ') FROM pg_constraint WHERE conrelid = '%s'::regclass AND contype = 'f')}
		  => '2|theirs'
	},
	{
		name => 'keys of another type',
		first => ['"n":1'],
		text => qq({"_id":"x","n":1}\n),
		fails => qr/error: the keys of table \S+ are of type objectid, and these documents need text/
	},
	{
		name => 'a name that is there for something else',
		first => ['"n":1'],
		sql => 'DROP TABLE %s; CREATE VIEW %s AS SELECT 1 AS _id',
		later => ['"n":1'],
		fails => qr/error: \S+ is there for something else/
	},
	{
		name => 'a table that the application writes',
		first => ['"n":1'],
		sql => 'ALTER TABLE %s ALTER n DROP EXPRESSION; ALTER TABLE %s DROP doc',
		later => ['"n":1,"z":1'],
		has => [qr/^-- It has no documents: the application writes it, and it is left out\.$/m]
	});

sub run_scenario
{
	my ($number, %scenario) = @_;
	my $table = "t$number";
	my $name = $scenario{name};
	# %s is the table, in a schema of its name; %n its name
	my $fill = sub { $_[0] =~ s/%s\./$table./gr =~ s/%s/$table.$table/gr =~ s/%n/$table/gr };
	my @before = ('-n', $table, json("first/$table", @{ $scenario{first} }));
	make_schema(@before);
	import_ok("$name: the first documents", scalar(@{ $scenario{first} }) . '|0', @before);
	sql($fill->($scenario{sql})) if $scenario{sql};
	my $file = write_file("later/$table.json", $scenario{text} // lines_of(@{ $scenario{later} }));
	return import_fails($name, $scenario{fails}, '--schema-only', '-n', $table, $file) if $scenario{fails};
	my $script = make_schema('-n', $table, $file);
	like($script, $_, $name)   for @{ $scenario{has}   // [] };
	unlike($script, $_, $name) for @{ $scenario{lacks} // [] };
	run_import('--truncate', '-n', $table, $file);
	is(sql($fill->($_)), $fill->($scenario{$_}), $name) for grep { /^SELECT/ } sort keys %scenario;
	return;
}
run_scenario($_, %{ $scenarios[$_] }) for 0 .. $#scenarios;
import_fails(
	'a load of what the application writes', qr/leave the collection out with --exclude/,
	'--truncate', '-n',
	"t$#scenarios", "$work/later/t$#scenarios.json");

# Choices that a person takes: texts that are ids or times; fields of several types; names, in one place
my $chosen =
  $script =~ s/^  (?:seen|by) text .*\n//mgr =~ s/^--  (?=seen |by |m bigint)//mgr =~ s/^  title text/  name text/mr;
like($chosen, qr/^seen timestamptz .* -- 2 of 2 texts are times with a zone\n/m, 'texts that are times');
run_script($chosen);
is(statements(script_of('--schema-only', @first)), '', 'what is chosen is not missing');
import_ok('documents', '3|0', @first);
is( sql(q{SET timezone = 'UTC'; SELECT string_agg(concat_ws('|', name, by, m, seen), ' ' ORDER BY _id) FROM film.movies}
	),
	'One|1 Two|500000000000000000000001|2020-01-02 02:04:05.5+00 Three|2020-01-02 03:04:05+00',
	'choices: the values');
is( sql(q{SELECT string_agg(n || ' ' || position, ', ' ORDER BY movies_id, position) FROM film.movies_kids}),
	'3 1, 1 1, 2 2',
	'an object is one element');
my ($status, $out, $err) = run_import('--schema-only', '-t', 'new.movies', $first);
my ($line) =
  $err =~
  /^objectid-import: pre-data\.sql: 1 table, 2 views, 5 columns\. To choose: 1 field of several types \(line (\d+)\)\. Perhaps: 2 fields of texts/m
  or diag($err);
like((split(/\n/, $out))[ ($line // 1) - 1 ], qr/^--  m text/, 'the summary names the line');

# Names: dollar quotes, too long, with control characters; other encodings
for my $name ('AaBb' x 13 . 's', map { "$_ \\! touch pwned #" } 'x$$', "new\nline")
{
	my @arguments = ('-t', qq("$name"), json('names', '"a":[{"v":1,"' . 'n' x 70 . '":"x","c\u0001\u0085\u007f":2}]'));
	my ($view) = make_schema(@arguments) =~ /^CREATE VIEW (.*?) WITH \(security/ms;
	import_ok($name, '1|0', @arguments);
	is(sql("SELECT count(*) FROM $view"), 1, "$name: its view");
}
for my $encoding (qw(LATIN1 SJIS))
{
	local $ENV{PGCLIENTENCODING} = $encoding;
	my $file = json("fields_\L$encoding", qq("pr\xc3\xa9nom":"x","a\xc3\x81\\\\' \xc3\x81\\\\! touch pwned #":1));
	make_schema($file);
	import_ok($encoding, '1|0', $file);
	is(sql(qq(SET client_encoding = utf8; SELECT "pr\xc3\xa9nom" FROM fields_\L$encoding)), 'x',
		"$encoding: the value");
}
ok(!-e "$work/pwned", 'no name has run');

# A file is written whole, and not over another one
script_of('--schema-only', '-f', "$work/new.sql", @first);
like(slurp_file("$work/new.sql"), qr/^\\echo complete: nothing is missing\n\z/m, 'a file');
import_fails(
	'a file that is there',
	qr/could not create file ".*new\.sql": File exists/,
	'--schema-only', '-f', "$work/new.sql", @first);
{
	local @ImportTest::command = ('sh', '-c', q{trap '' XFSZ; ulimit -f 1; exec "$@"}, 'sh', @ImportTest::command);
	import_fails('a full disk', qr/could not write file/, '--schema-only', '--offline', '-f', "$work/full.sql", @first);
}
is(join(' ', glob("$work/full.sql*")), '', 'a full disk: no file remains');
{
	local @ImportTest::command = ($ImportTest::command[0], '-d', 'host=/nowhere');
	($status, $out) = run_import('--schema-only', @first);
	is("$status$out", 1, 'no server: nothing is printed');
	like(script_of('--schema-only', '--offline', @first), qr/^\\echo complete: 1 table, 2 views$/m, '--offline');
}
done_testing();
