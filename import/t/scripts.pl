# The scripts of objectid-import --schema-only, and to-tables.sql, run in a database that is not as they expect:
# they refuse or warn, keep what readers have made, and nothing is lost, silently wrong, or run that is in a name.
use strict;
use warnings FATAL => 'all';
use Cwd ();
use lib qw(testlib import/t);
use ImportTest;

set_up(sql => 'CREATE EXTENSION objectid; CREATE ROLE ann LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE mallory LOGIN');
my $convert = slurp_file('import/to-tables.sql') =~ s{^\\ir }{\\i @{[ Cwd::cwd() ]}/import/}gmr;

# json($name, @documents) - a file of documents with the ids 1, 2, ...
sub json
{
	my ($name, @documents) = @_;
	return write_file("$name.json", lines_of(@documents));
}

# script_says($what, $status, $pattern, $script, @options) - run a script in psql: its exit status, and what it prints
sub script_says
{
	my ($what, $status, $pattern, $script, @options) = @_;
	my $file = write_file('script.sql', $script);
	my $dsn = $node->connstr('postgres');
	@options = ('-1') unless @options;
	IPC::Run::run([ 'psql', '-XAtq', @options, '-d', $dsn, '-f', $file ],
		'>&', \my $output, init => sub { chdir $work });
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($? >> 8, $status, "$what: exit status") or diag($output);
	like($output, $pattern, "$what: message");
}

# scripts_say($cases) - each line is SQL; or "what | expected | query"; or "what | status | message | name | documents",
# a script of pre-data that is run, or to-tables.sql, if options of psql are in place of the name
sub scripts_say
{
	local $Test::Builder::Level = $Test::Builder::Level + 2;
	for (map { s/\n\t/ /gr } split(/\n(?!\t)/, $_[0]))
	{
		my ($what, $status, $message, $name, @documents) = split(/ *(?<!\|)\| +/);
		if    (!defined $status) { sql($what) }
		elsif (!defined $name)   { is(sql($message), $status, $what) }
		elsif ($name =~ /^-/)    { script_says($what, $status, qr/$message/s, $convert, split(/ /, $name)) }
		else { script_says($what, $status, qr/$message/s, schema_of('--section=pre-data', json($name, @documents))) }
	}
}

# A script of other documents: views stay, and get their new columns at the end; so do readers' own
my $both = json('lost', '"a":[{"v":1,"z":"z"}],"b":[{"v":1}]', '"n":1');
run_script(schema_of('--section=pre-data', $both));
import_ok('documents with arrays', '2|0', $both);
scripts_say(<<'END');
GRANT SELECT ON lost_a TO ann; ALTER VIEW lost_a SET (security_barrier); CREATE VIEW own AS SELECT * FROM lost_a WHERE v = 1
documents without an array | 0 | ^$ | none/lost | "n":1
new fields of an array | 0 | ^$ | more/lost | "a":[{"v":1,"x":"x","m":true,"z":"z"}]
new columns are at the end | lost position v z m x
	| SELECT string_agg(attname, ' ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'lost_a'::regclass
options and rights stay | t|t
	| SELECT reloptions::text ~ 'barrier', relacl::text ~ 'ann=r' FROM pg_class WHERE relname = 'lost_a'
UPDATE lost SET doc = doc - 'b' || '{"a":[{"v":1,"x":"y"}]}'
views show the documents | 2|y|0|2
	| SELECT count(*), max(x), (SELECT count(*) FROM lost_b), (SELECT count(*) FROM own) FROM lost_a
fields that are gone, and others | 3 | ERROR:  view public\.lost_a also has (z, x|x, z) | other/lost
	| "a":[{"v":1,"m":true,"w":1}]
columns of other types | 0
	| WARNING:  column "n" of public\.lost is of type bigint, [^\n]*need text.*WARNING:  column "v" of public\.lost_a is of type bigint, [^\n]*need double | wide/lost | "a":[{"v":1.5,"x":"","z":"","m":true,"y":1}],"b":[{"v":1}],"n":"x"
UPDATE lost SET doc = doc || '{"a":[{"v":2.0,"y":3},{"v":2.5,"y":4}]}' WHERE doc ? 'a'
the type stays, and a new column is there | bigint|1 2 3, 2 4
	| SELECT pg_typeof(max(v)), string_agg(DISTINCT concat_ws(' ', position, v, y), ', ') FROM lost_a
END

# Names that stand for something else
write_file('people.metadata.json', '{"indexes":[{"key":{"home.n":1},"name":"n_1","unique":true}]}');
scripts_say(<<'END');
CREATE TABLE mine (_id objectid PRIMARY KEY, doc jsonb NOT NULL, title text); CREATE TABLE mine_a (a int)
a column without a comment | 3 | ERROR:  column "title" of public\.mine is there for something else, and not for title
	| mine | "title":"x"
a table | 3 | ERROR:  public\.mine_a is there for something else | mine | "a":[{"v":1}]
COMMENT ON COLUMN mine.title IS 'title'; DROP TABLE mine_a; CREATE VIEW mine_a AS SELECT 1 AS a
a plain column | 0 | WARNING:  column "title" of table public\.mine is not generated | mine | "title":"x"
a reader's view | 3 | ERROR:  public\.mine_a is there for something else | mine | "a":[{"v":1}]
a first dump | 0 | ^$ | people | "addressCity":"x","homePhones":[{"n":1}]
a column | 3 | "address_city" of public\.people is there for addressCity, and not for address_city | people
	| "addressCity":"x","address_city":"y"
a view | 3 | ERROR:  public\.people_home_phones is there for something else | people
	| "homePhones":[{"n":1}],"home_phones":[{"n":2}]
CREATE SEQUENCE "people_n_1"
END
my $index = schema_of('--section=post-data', "$work/people.json");
script_says('an index', 3, qr/ERROR:  public\.people_n_1 is there for something else/, $index);
sql('DROP SEQUENCE "people_n_1"');
script_says("an index, $_ time", 0, qr/^$/, $index, '-v', 'x=1') for 1, 2;
scripts_say(<<'END');
a script again | 0 | ^$ | people | "n":1
CREATE SCHEMA readers; CREATE FUNCTION readers.ejson_date(value jsonb) RETURNS timestamptz LANGUAGE sql RETURN now()
END
my $people = schema_of('--section=pre-data', "$work/people.json");

for my $script ($people, slurp_file('import/ejson.sql'))
{
	local $ENV{PGOPTIONS} = '-c search_path=readers,public';
	script_says(
		"a reader's function",
		3, qr/ERROR:  readers\.ejson_date\(jsonb\) is there for something else/,
		$script, '-1', '-v', 'ON_ERROR_STOP=1');
}
script_says('no transaction', 3, qr/ERROR:  SAVEPOINT can only be used in transaction blocks/, $people, '-q');

# A table with documents and views is read once for new columns; a script that is cut off does nothing
my $once = json('once', '"a":[{"v":1}]');
run_script(schema_of('--section=pre-data', $once));
import_ok('documents with only an array', '1|0', $once);
my $later = schema_of('--section=pre-data', json('later/once', '"a":[{"v":1}],"n":1'));
my $cut = $later =~ s/^DELETE FROM pg_temp\.objectid_import_end;.*//msr;
script_says('a script that is cut off', 3, qr/ERROR: .* "the_script_is_cut_off"$/m, $cut);
script_says('another one after it', 3, qr/ERROR: .* "objectid_import_end_pkey"$/m, $cut . $later);
is(sql('SELECT * FROM once_a'), '500000000000000000000001|1|1', 'the view is as before');
sql(q{CREATE MATERIALIZED VIEW own_once AS TABLE once_a; INSERT INTO once VALUES ('500000000000000000000002', '[5]')});
script_says(
	'new columns beside views',
	0,
	qr/^once: ALTER doc TYPE/,
	$later =~ s/^(?=\$script\$ AS)/REFRESH MATERIALIZED VIEW public.own_once;\n/mr . "\\echo once: :read_once1\n");
is(sql('SELECT (SELECT count(*) FROM own_once), doc FROM once WHERE n IS NULL AND doc[0] IS NOT NULL'),
	'1|[5]', 'a script that reads a view, and documents are as before');
script_says('again', 0, qr/^once: $/, "$later\\echo once: :read_once1\n");

# Keys: those of an empty collection are a guess
write_file("guess/public/$_->[0].json", $_->[1])
  for [ 'empty', '' ], [ 'texts', qq({"_id":"x"}\n) ], [ 'texts2', qq({"_id":"y"}\n) ],
  [ 'ids', '{' . json_id(1) . "}\n" ];
my $guess = schema_of('--section=pre-data', "$work/guess");
like(
	$guess,
	qr/^-- The type of _id is a guess: .*\n.*public\.empty \(_id text PRIMARY KEY/m,
	'the type of other keys is a guess');
run_script($guess);
scripts_say(<<'END');
keys of another type | 3
	| ERROR:  the keys of table public\.empty are of type text, and [^\n]* need objectid\n[^\n]*HINT:  If it is empty, drop it | empty | "n":1
END

# Foreign keys: ours go and come back, the reader's stay; keys of other types; a target that was rejected
write_file('keys/public/z.bson', bson(id(1), string('s', "\0")) . bson(id(2)));
write_file(
	'keys/public/a.bson',
	bson(
		id(3),
		element(7, 'z', pack('NNN', 0x50000000, 0, 1)),
		element(7, 'y', pack('NNN', 0x50000000, 0, 2)),
		string('t', 'key two'),
		int32('i', 1)));
write_file('keys/public/t.json', qq({"_id":"key one"}\n{"_id":"key two"}\n));
write_file('keys/public/i.json', qq({"_id":1}\n));
my ($pre, $post) = map { schema_of("--section=$_-data", "$work/keys") } qw(pre post);
run_script($pre);
import_is('a dump', '1|0 1|0 2|0 1|1', "$work/keys");
script_says('a foreign key', 0, qr/WARNING: .*violates foreign key constraint "a_z_fkey"$/m, $post);
like($post, qr/^--   'ALTER TABLE public\.a ADD CONSTRAINT a_i_fkey /m, 'numbers may be no references');
sql('ALTER TABLE a ADD CONSTRAINT a_z_fkey FOREIGN KEY (z) REFERENCES z (_id) NOT VALID');
my $keys = q{SELECT string_agg(conname, ' ' ORDER BY conname) FROM pg_constraint WHERE contype = 'f'};
is(sql($keys), 'a_t_fkey a_y_fkey a_z_fkey', 'the others are there');
run_script($pre);
is(sql($keys), 'a_z_fkey', "then the reader's own is");
run_script($post);
is(sql($keys), 'a_t_fkey a_y_fkey a_z_fkey', 'and then all are');

# Names: a field with a dot, a table named as an alias, a tag of dollar quotes; too long, with control characters;
# another encoding
write_file('public/dots.json', sprintf("{%s,\"a.b\":1,\"a\":{\"b\":\"x\"}}\n", json_id(1)));
write_file('public/dots.metadata.json', '{"indexes":[{"key":{"a.b":1},"name":"i"}]}');
like(
	schema_of("$work/public/dots.json"),
	qr/^CREATE INDEX IF NOT EXISTS dots_i ON public\.dots \(a_b\);$/m,
	'an index of a.b');
my @hostile = map { "$_ \\! touch pwned #" } 'x$script$', 'x$$', "new\nline";
for my $name ('rows', 'm', 'w', 'AaBb' x 13 . 's', @hostile)
{
	my $file = json('names', '"a":[{"v":1,"' . 'n' x 70 . '":"x","c\u0001\u0085\u007f":2}]');
	my @options = ('-t', '"' . $name . '"');
	my $script = schema_of(@options, $file);
	run_script($script) for 1, 2;
	import_ok($name, '1|0', @options, $file);
	my ($view) = map { s/^CREATE VIEW //r } $script =~ /^(CREATE VIEW \S+.*?) AS -- a/m;
	is(sql("SELECT count(*) FROM $view"), 1, "$name: its view");
	script_says("$name: the conversion", 0, qr/^$/, $convert, '-1', '-v', "relation=$options[1]");
	is(sql("SELECT count(*) FROM $view"), 1, "$name: its table");
}
for my $encoding (qw(LATIN1 SJIS))
{
	my $file = json("fields_\L$encoding", qq("pr\xc3\xa9nom":"x","a\xc3\x81\\\\' \xc3\x81\\\\! touch pwned #":1));
	{
		local $ENV{PGCLIENTENCODING} = $encoding;
		script_says($encoding, 0, qr/^$/, schema_of($file));
	}
	import_ok($encoding, '1|0', $file);
	is(sql(qq(SELECT "pr\xc3\xa9nom" FROM fields_\L$encoding)), 'x', "$encoding: the column has the value");
}
ok(!-e "$work/pwned", 'no name has run');

# Arrays in arrays: deeper than an index has columns
my $deep = json('deep', '"a":' . '[' x 40 . '{"$oid":"' . hex_id(5) . '"}' . ']' x 40);
run_script(schema_of($deep));
import_ok('deep arrays', '1|0', $deep);
script_says('the tables of deep arrays', 0, qr/^$/, $convert, '-1', '-v', 'relation=deep');
my $deepest = sql(
	q{SELECT attrelid::regclass FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid WHERE attname = 'position31' AND relkind = 'r'}
);
like(sql("SELECT string_agg(x::text, '') FROM $deepest AS x"), qr/\[\[\[.*5000/, 'what is deeper is one value');

# A file for each section, which are not written over
schema_of('--file', "$work/files", $both);
is(slurp_file("$work/files/$_-data.sql"), schema_of("--section=$_-data", $both), "$_-data.sql") for qw(pre post);
my ($status, $out, $err) = run_import('--schema-only', '-f', "$work/files", $both);
like("$status $err", qr/^1 .*could not create file ".*pre-data\.sql": File exists/, 'the second time');
{
	# a limit that only the first file reaches
	my $limit = int(((-s "$work/files/pre-data.sql") - 1) / 512);
	local @ImportTest::command =
	  ('sh', '-c', qq{trap '' XFSZ; ulimit -f $limit; exec "\$@"}, 'sh', @ImportTest::command);
	import_fails(
		'a file that is cut off',
		qr/could not write to a file in directory/,
		'--schema-only', '-f', "$work/cut", $both);
}

# to-tables.sql: long names that begin alike, each with a reader's view, and another primary key
my $long = json('long', join(',', map { qq("$_":[{"v":1}]) } map({ 'n' x 50 . $_ } 1, 2), "\xc3\xa9" x 30));
sql('CREATE TABLE long (n serial PRIMARY KEY, _id objectid NOT NULL UNIQUE, doc jsonb NOT NULL)');
run_script(schema_of($long));
import_ok('long names', '1|0', $long);
run_script(
	sql(q{SELECT format('CREATE VIEW own%s AS TABLE %I;', row_number() OVER (), relname) FROM pg_class WHERE relkind = 'v' AND relname ~ '^long_'}
	));
script_says(
	'the tables of long names',
	0, qr/^(?:psql\S+ WARNING:  \S+ is a table[^\n]*\n){3}$/,
	$convert, '-1', '-v', 'relation=long');
is(sql('SELECT count(*) FROM own1, own2, own3'), 1, 'the views read them');

# to-tables.sql counts values with fields that their columns do not have
my %values = (
	r => '{"$oid":"507f1f77bcf86cd799439011"}',
	d => '{"$date":"2020-01-01T00:00:00Z"}',
	e => '{"$date":{"$numberLong":"-5"}}',
	n => '{"$numberLong":"7000000000000"}',
	b => '{"$binary":{"base64":"AP8=","subType":"00"}}');
my $wrappers = json('wrappers', join(',', map { qq("$_":$values{$_},"a$_":[$values{$_}]) } sort keys %values));
run_script(schema_of('--section=pre-data', $wrappers));
import_ok('values of Extended JSON', '1|0', $wrappers);
my $changed =
  join(',', map { my $v = $values{$_} =~ s/(\}+)$/,"note":"x"$1/r; qq("$_":$v,"a$_":[$v]) } sort keys %values);
sql("INSERT INTO wrappers VALUES (gen_objectid(), '{$changed}')");
script_says(
	'values with other fields',
	0, qr/^(?:public\.wrappers\|(?:ar\[\]\.value|a?\w(?:\[\])?)\|[^|]+\|1\n){10}$/,
	$convert, '-1', '-v', 'relation=wrappers');
scripts_say(<<'END');
a conversion of no schema | 3 | ERROR:  there is no such table with columns _id and doc | -1 -v schema=nope
a conversion of nothing | 3 | ERROR:  there is no such table with columns _id and doc | -1
END

# to-tables.sql: rights, also on columns, and not those of new tables; a reader's views and functions; row-level
# security; all of a schema
my $security = $node->pg_version >= 15;
$pre = schema_of(
	'--section=pre-data',
	'-n', 'shop',
	json(
		'orders', '"who":"ann","items":[{"sku":"a","n":1},{"sku":"b","n":"x"}]',
		'"who":"bob","items":[{"sku":"c","n":3}]'));
run_script($pre);
import_ok('documents', '2|0', '-n', 'shop', "$work/orders.json");
scripts_say(<<'END');
GRANT USAGE ON SCHEMA shop TO ann, bob, mallory; GRANT SELECT, UPDATE (doc) ON shop.orders TO ann, bob;
	GRANT SELECT ON shop.orders_items TO ann WITH GRANT OPTION; GRANT SELECT (sku) ON shop.orders_items TO bob;
	ALTER DEFAULT PRIVILEGES IN SCHEMA shop GRANT ALL ON TABLES TO mallory
ALTER TABLE shop.orders ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON shop.orders USING (doc->>'who' = current_user)
CREATE VIEW shop.skus AS SELECT sku FROM shop.orders_items; CREATE VIEW shop.raw AS SELECT doc FROM shop.orders
CREATE FUNCTION shop.skus() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM shop.orders_items; END
CREATE FUNCTION shop.keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
	CREATE TRIGGER keep BEFORE INSERT ON shop.orders FOR EACH ROW EXECUTE FUNCTION shop.keep()
CREATE TABLE shop.empty (_id objectid PRIMARY KEY, doc jsonb NOT NULL); CREATE INDEX ON shop.empty ((doc->'x'))
CREATE RULE r AS ON UPDATE TO shop.orders_items DO INSTEAD NOTHING
a rule | 3 | ERROR:  view shop\.orders_items has triggers or rules | -1 -v schema=shop
DROP RULE r ON shop.orders_items
no transaction | 3 | ERROR:  SAVEPOINT can only be used in transaction blocks | -v schema=shop
GRANT SELECT ON shop.orders TO mallory; GRANT CREATE ON SCHEMA shop TO mallory
SET ROLE mallory;
	CREATE FUNCTION shop.evil() RETURNS int LANGUAGE plpgsql AS 'BEGIN ALTER ROLE mallory SUPERUSER; RETURN 1; END';
	CREATE VIEW shop.planted AS SELECT _id, 1 AS position, shop.evil() AS v FROM shop.orders WHERE doc IS NOT NULL;
	COMMENT ON VIEW shop.planted IS 'planted[]'; COMMENT ON COLUMN shop.planted.v IS 'planted[].v'
somebody else's view | 3 | ERROR:  code of role "mallory" could run with your | -1 -v schema=shop
has not run | f | SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'
DROP VIEW shop.planted; REVOKE ALL ON shop.orders FROM mallory
END
script_says(
	'an old snapshot',
	3,
	qr/ERROR:  SET TRANSACTION ISOLATION LEVEL must be called before any query/,
	"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;\nSELECT;\n$convert",
	'-1', '-v', 'schema=shop');
script_says(
	'the conversion',
	0,
	qr/^psql\S+ WARNING:  shop\.orders_items is a table[^\n]*\nshop\.orders\|perhaps trigger keep\nshop\.orders\|policy own on table shop\.orders\nshop\.orders\|rule _RETURN on view shop\.raw$/ms,
	$convert,
	'-1',
	'-v',
	'schema=shop');
my $as = sub { return $node->safe_psql('postgres', "SET ROLE $_[0]; $_[1]") };
is( $as->('ann', q{SELECT string_agg(sku, ' ' ORDER BY sku) FROM shop.orders_items}),
	$security ? 'a b' : 'a b c',
	'rights, and row-level security');
is( $as->('bob', q{SELECT string_agg(sku, ' ' ORDER BY sku) FROM shop.orders_items}),
	$security ? 'c' : 'a b c',
	'rights on a column');
scripts_say(<<'END');
no others | f|f|t|f | SELECT has_table_privilege('mallory', 'shop.orders_items', 'SELECT'),
	has_column_privilege('bob', 'shop.orders_items', 'n', 'SELECT'),
	has_table_privilege('ann', 'shop.orders_items', 'SELECT WITH GRANT OPTION'),
	has_table_privilege('ann', 'shop.orders_items', 'UPDATE')
INSERT INTO shop.orders_items ("order", position, sku) SELECT _id, 9, 'new' FROM shop.orders WHERE who = 'bob'
views and functions read the table | a b c new|4 | SELECT string_agg(sku, ' ' ORDER BY sku), shop.skus() FROM shop.skus
INSERT INTO shop.orders (who) VALUES ('eve')
new rows get a key | t|t | SELECT _id IS NOT NULL, old_doc IS NULL FROM shop.orders WHERE who = 'eve'
again | 3 | ERROR:  there is no such table with columns _id and doc | -1 -v relation=shop.orders
END
script_says('the first script afterwards', 3, qr/ERROR:  table shop\.orders has no documents/, $pre);
import_fails('a load afterwards', qr/no column "doc"/, '--restart', '-n', 'shop', "$work/orders.json");
done_testing();
