# plain/to-extension.sql and plain/from-extension.sql: after a conversion in both directions,
# all columns have the same values, and the schema is the same.  What cannot be converted is
# named, and nothing changes.  As an ordinary user, in a schema whose name needs quotes.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use TestServer;

my $node = start_node(
	'move', sql => q{
CREATE ROLE regress_objectid_ann LOGIN;
CREATE ROLE regress_objectid_bob LOGIN;
CREATE DATABASE regress_objectid_ann OWNER regress_objectid_ann;
ALTER DATABASE regress_objectid_ann SET search_path = "Its Ids", public;
ALTER DATABASE regress_objectid_ann SET timezone = 'UTC'});
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGUSER} = 'regress_objectid_ann';
local $ENV{PGDATABASE} = 'regress_objectid_ann';

my $superuser = getpwuid($<);

# run a script of plain/ as a role, with settings that change what expressions look like, and return what it prints
sub psql_file
{
	my ($file, $role, @options) = @_;
	local $ENV{PGOPTIONS} =
	  '-c quote_all_identifiers=on -c timezone=Asia/Kolkata -c datestyle=SQL,DMY -c extra_float_digits=-5';
	IPC::Run::run([ 'psql', '-X', '-q', '-f', $file, '-U', $role // $ENV{PGUSER}, @options ], '>&', \my $output);
	return $output;
}

# Run a script that has to name these objects, and only these, and to change nothing.
sub refuses
{
	my ($file, $objects, $what) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $before = schema();
	my ($detail) = psql_file("plain/$file.sql") =~ /ERROR:  some objects .* cannot be converted\nDETAIL:  (.*)\nHINT:/s;
	$detail =~ s/^default value for (column made)/$1/m
	  if defined $detail;    # the dependency of a generated column, from 15 on
	is(join("\n", sort split(/\n/, $detail // '')), join("\n", sort @$objects), "$what are named");
	is(schema(), $before, "$what: nothing has changed");
}

# the results of all statements
sub query
{
	my ($sql, $role) = @_;
	return $node->safe_psql('regress_objectid_ann', $sql, $role ? (extra_params => [ '-U', $role ]) : ());
}

# pg_dump's text, without what differs from run to run
sub schema
{
	my ($stdout, $stderr) = run_command([ 'pg_dump', '--schema-only' ]);
	die($stderr) if $stderr;
	return $stdout =~ s/^\\(?:un)?restrict .*\n//mgr;
}

query(
	'CREATE FOREIGN DATA WRAPPER nothing; CREATE SERVER nowhere FOREIGN DATA WRAPPER nothing; GRANT USAGE ON FOREIGN SERVER nowhere TO PUBLIC; CREATE PUBLICATION everything FOR ALL TABLES',
	$superuser);
query(q{CREATE SCHEMA "Its Ids"});
is(psql_file('plain/objectid.sql'), '', 'plain/objectid.sql');
query(
	q{
CREATE SCHEMA shop;
CREATE TABLE shop.customer (
  id objectid DEFAULT gen_objectid() PRIMARY KEY,
  name text NOT NULL,
  referred_by objectid REFERENCES shop.customer DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT recent CHECK (id >= timestamptz '2000-01-01 00:00:00+00' AND timestamptz '2100-01-01 00:00:00+00' > id));
CREATE INDEX made ON shop.customer (objectid_time(id));
CREATE INDEX old ON shop.customer (name) WHERE id < timestamptz '2020-01-01 00:00:00+00';
CREATE UNIQUE INDEX ON shop.customer (referred_by, id);
CREATE TABLE "Invoice" (
  id objectid DEFAULT gen_objectid(now()),
  "its customer" objectid NOT NULL DEFAULT '507f1f77bcf86cd799439011' REFERENCES shop.customer ON UPDATE CASCADE ON DELETE RESTRICT,
  goods objectid[] DEFAULT '{507f1f77bcf86cd799439011}',
  raw text CHECK (objectid_is_valid(raw)),
  PRIMARY KEY (id, "its customer"));
CREATE TABLE line (
  invoice objectid, customer objectid, n integer, amount numeric,
  PRIMARY KEY (invoice, n), FOREIGN KEY (invoice, customer) REFERENCES "Invoice") PARTITION BY RANGE (n);
CREATE TABLE line_1 PARTITION OF line FOR VALUES FROM (0) TO (100) PARTITION BY RANGE (n);
CREATE TABLE line_1_1 PARTITION OF line_1 FOR VALUES FROM (0) TO (50);
CREATE INDEX line_made ON line (objectid_time(invoice)) WHERE amount > 1;
CREATE INDEX only_here ON line_1_1 (n) WHERE customer > timestamptz '2020-01-01 00:00:00+00';
CREATE TABLE base (id objectid DEFAULT gen_objectid());
CREATE TABLE child (more objectid[]) INHERITS (base);
INSERT INTO shop.customer SELECT gen_objectid(timestamptz '2015-01-01 00:00:00+00' + n * interval '1 day'), 'customer ' || n FROM generate_series(1, 2000) AS n;
INSERT INTO shop.customer VALUES ('507f1f77bcf86cd799439011', 'Ann');
UPDATE shop.customer SET referred_by = '507f1f77bcf86cd799439011' WHERE name LIKE '%7';
INSERT INTO "Invoice" SELECT gen_objectid('2023-01-01 00:00:00+00'), id, ARRAY[id, NULL, referred_by], id FROM shop.customer;
INSERT INTO line SELECT id, "its customer", n, n FROM "Invoice", generate_series(1, 3) AS n;
CREATE TABLE parent (id objectid, CONSTRAINT late CHECK (id >= '500000000000000000000000'), CHECK (id <> 'ffffffffffffffffffffffff') NO INHERIT);
CREATE TABLE kind (CONSTRAINT late CHECK (id >= '500000000000000000000000'), other objectid, EXCLUDE USING btree (id WITH =) WHERE (id < other)) INHERITS (parent);
CREATE TABLE kind_of_kind () INHERITS (kind);
CREATE TABLE stored (id objectid, plain objectid[], external objectid[], CHECK (id = ANY (external) AND id <> ALL (plain)));
ALTER TABLE stored ALTER plain SET STORAGE PLAIN, ALTER external SET STORAGE EXTERNAL;
CREATE INDEX listed ON stored (id) WHERE id IN ('600000000000000000000001', '600000000000000000000002');
CREATE INDEX bounded ON stored (id) WHERE id >= objectid_lower_bound('2025-01-01 00:00:00+00');
CREATE INDEX since ON stored (id) WHERE id >= '600000000000000000000000';
CREATE TEMPORARY TABLE forgotten (id objectid);
CREATE TABLE secret (id objectid PRIMARY KEY, of objectid REFERENCES secret, n integer);
CREATE POLICY few ON secret USING (n > 1);
ALTER TABLE secret ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE TABLE once (id objectid, n integer, f float8, raw text, CHECK (id IS NULL OR f < 0.12345678901234567), CHECK (num_nonnulls(id, n) > 0),
  EXCLUDE USING btree (n WITH =) WHERE (id > '600000000000000000000000'));
CREATE FOREIGN TABLE far (id objectid, ids objectid[], CHECK (id <> 'ffffffffffffffffffffffff')) SERVER nowhere;
INSERT INTO kind VALUES ('507f1f77bcf86cd799439011', '600000000000000000000000');
INSERT INTO stored VALUES ('600000000000000000000001', '{}', '{600000000000000000000001,600000000000000000000002}');
ALTER TABLE secret NO FORCE ROW LEVEL SECURITY;
INSERT INTO secret VALUES ('600000000000000000000001', NULL, 1), ('600000000000000000000002', '600000000000000000000001', 2);
ALTER TABLE secret FORCE ROW LEVEL SECURITY;
INSERT INTO base DEFAULT VALUES;
INSERT INTO child SELECT gen_objectid(), ARRAY[gen_objectid()];
});

my $data = q{
SELECT md5(string_agg(c::text, ' ' ORDER BY id::text)) FROM shop.customer AS c;
SELECT md5(string_agg(i::text, ' ' ORDER BY id::text, "its customer"::text)) FROM "Invoice" AS i;
SELECT md5(string_agg(l::text, ' ' ORDER BY invoice::text, n)) FROM line AS l;
SELECT string_agg(id::text, ' ' ORDER BY id::text) FROM base;
SELECT more FROM child;
SELECT * FROM kind, stored;
SELECT count(*) FROM shop.customer WHERE id < timestamptz '2016-01-01 00:00:00+00'};
my ($data_before, $schema_before) = (query($data), schema());

# conditions on the text of ids
query(
	q{CREATE TABLE checked (id objectid, other objectid, raw text,
CHECK (id > '600000000000000000000000'), CHECK (id IN ('600000000000000000000001', '600000000000000000000002')), CHECK ('600000000000000000000001' <= id),
CHECK (id ~ '^6'), CHECK (left(id, 8) < raw), CHECK ((id, raw) >= (other, raw)));
CREATE INDEX part ON checked (left(id, 8)) WHERE id ~ '^6' AND id <> other;
CREATE UNIQUE INDEX single ON checked (raw) WHERE id < raw AND id >= '600000000000000000000000'::objectid});

# a constraint that another session adds while the conversion waits for its table
my $session = $node->background_psql('regress_objectid_ann', extra_params => [ '-U', $ENV{PGUSER} ]);
$session->query_safe(q{BEGIN; ALTER TABLE checked ADD CONSTRAINT late CHECK (id > '5')});
my $conversion = IPC::Run::start([ 'psql', '-X', '-q', '-f', 'plain/to-extension.sql' ], '>&', \my $printed);
$node->poll_query_until('regress_objectid_ann', 'SELECT count(*) > 0 FROM pg_locks WHERE NOT granted')
  or die('the conversion does not wait');
$session->query_safe('COMMIT');
$conversion->finish;
is($printed // '', '', 'plain/to-extension.sql runs');
is(query($data), $data_before, 'all values are there');
is( query(
		q{SELECT typname, typlen, count(*) FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid JOIN pg_class AS c ON c.oid = attrelid
WHERE typname ~ '^_?objectid$' AND relkind IN ('r', 'p') GROUP BY 1, 2 ORDER BY 1;
SELECT nspname FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace WHERE extname = 'objectid'}),
	"_objectid|-1|4\nobjectid|12|23\nIts Ids",
	'columns, partitions, children and arrays have the type of the extension, in the same schema');
is(query(q{SELECT count(*) FROM pg_type WHERE typname = 'objectid' AND typtype = 'd'}), 0, 'the domain is gone');
like(
	psql_file('plain/to-extension.sql'),
	qr/ERROR:  the search_path leads to no domain objectid/,
	'again, that is an error');
is( query(
		q{SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'checked'::regclass ORDER BY pg_get_constraintdef(oid) COLLATE "C";
SELECT pg_get_expr(indexprs, indrelid), pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = 'part'::regclass;
SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid IN ('since'::regclass, 'listed'::regclass, 'bounded'::regclass) ORDER BY indexrelid::regclass::text COLLATE "C";
SELECT pg_get_expr(indpred, indrelid) FROM pg_index WHERE indexrelid = 'single'::regclass; DROP TABLE checked}),
	q{CHECK (("left"(((id)::text COLLATE "C"), 8) < raw))
CHECK (('600000000000000000000001'::objectid <= id))
CHECK ((((id)::text COLLATE "C") > '5'::text))
CHECK ((((id)::text COLLATE "C") ~ '^6'::text))
CHECK ((ROW(((id)::text COLLATE "C"), raw) >= ROW(((other)::text COLLATE "C"), raw)))
CHECK ((id = ANY (ARRAY[('600000000000000000000001'::text)::objectid, ('600000000000000000000002'::text)::objectid])))
CHECK ((id > '600000000000000000000000'::objectid))
"left"((id)::text, 8)|(((id)::text ~ '^6'::text) AND (id <> other))
(id >= objectid_lower_bound('2025-01-01 00:00:00+00'::timestamp with time zone))
(id = ANY (ARRAY[('600000000000000000000001'::text)::objectid, ('600000000000000000000002'::text)::objectid]))
(id >= '600000000000000000000000'::objectid)
((((id)::text COLLATE "C") < raw) AND (id >= '600000000000000000000000'::objectid))},
	'comparisons of ids are those of the extension; text in a constraint keeps its collation');

query(
	q{INSERT INTO shop.customer (name) VALUES ('new'); INSERT INTO "Invoice" DEFAULT VALUES;
DO $$BEGIN INSERT INTO shop.customer VALUES (gen_objectid('1999-01-01 00:00:00+00'), 'old'); RAISE 'refused by nothing'; EXCEPTION WHEN check_violation THEN END$$;
DO $$BEGIN INSERT INTO "Invoice" VALUES (DEFAULT, gen_objectid()); RAISE 'refused by nothing'; EXCEPTION WHEN foreign_key_violation THEN END$$;
DO $$BEGIN INSERT INTO "Invoice" (raw) VALUES ('x'); RAISE 'refused by nothing'; EXCEPTION WHEN check_violation THEN END$$}
);
is(query(q{SELECT max(id) = (SELECT id FROM shop.customer WHERE name = 'new') FROM shop.customer}),
	't', 'defaults make ids; constraints and foreign keys refuse what they did');
query(q{DELETE FROM "Invoice" WHERE raw IS NULL; DELETE FROM shop.customer WHERE name = 'new'});

is(psql_file('plain/from-extension.sql'), '', 'plain/from-extension.sql runs');
is(query($data), $data_before, 'all values are there again');
is(schema(), $schema_before, 'and the schema is what it was, word for word');

# Objects that cannot be converted: from the extension, and to it
is(psql_file('plain/to-extension.sql'), '', 'plain/to-extension.sql runs again');
query(
	q{
CREATE TABLE special (id objectid, since timestamptz DEFAULT gen_objectid()::timestamptz, CHECK (id <@ tstzrange('2000-01-01', NULL)), CHECK (length(id::bytea) = 12));
CREATE INDEX near ON special USING gist (id);
CREATE FUNCTION alike(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN lower($1) OPERATOR(pg_catalog.=) lower($2);
CREATE OPERATOR = (LEFTARG = text, RIGHTARG = text, FUNCTION = alike);
CREATE TABLE own (id objectid, t text, CHECK (id > '600000000000000000000000' AND t OPERATOR("Its Ids".=) 'x'))});
refuses(
	'from-extension',
	[
		'default value for column since of table "Its Ids".special, which casts an id',
		'constraint special_id_check on table "Its Ids".special: operator does not exist: objectid Its Ids.<@ "Its Ids".objectid_period',
		'constraint special_id_check1 on table "Its Ids".special, which casts an id',
		'constraint own_check on table "Its Ids".own, which has operators of other types in the schema of the extension',
		'index "Its Ids".near: data type objectid has no default operator class for access method "gist"'
	],
	'objects that only the extension has');
query('DROP TABLE special, own; DROP OPERATOR "Its Ids".= (text, text); DROP FUNCTION alike');
is(psql_file('plain/from-extension.sql'), '', 'plain/from-extension.sql runs again');
is(schema(), $schema_before, 'the schema is still what it was');

query(
	q{
CREATE TABLE various (id objectid, digits objectid, n integer, t text, made timestamptz GENERATED ALWAYS AS (objectid_time(digits)) STORED,
  CHECK (id::bytea <> ''), CHECK (id ~ '^6' AND t <> '(id)::text'), CHECK (coalesce(id, digits) > t));
CREATE INDEX patterns ON various (id text_pattern_ops);
CREATE STATISTICS guess ON objectid_time(id), n FROM various;
CREATE VIEW v AS SELECT id FROM various;
CREATE MATERIALIZED VIEW m AS SELECT id FROM various;
CREATE VIEW bare AS SELECT '507f1f77bcf86cd799439011'::objectid AS id;
CREATE FUNCTION f(objectid) RETURNS integer LANGUAGE sql AS 'SELECT 1';
CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER changed AFTER UPDATE OF id ON various EXECUTE FUNCTION nothing();
CREATE TRIGGER recent AFTER INSERT ON various FOR EACH ROW WHEN (NEW.id > now()) EXECUTE FUNCTION nothing();
CREATE POLICY recent ON various USING (id > now());
CREATE DOMAIN given AS objectid NOT NULL;
CREATE DOMAIN id_text AS text CONSTRAINT valid CHECK (objectid_is_valid(VALUE));
CREATE TYPE pair AS (a objectid, b integer);
CREATE TABLE copies (row various, given given);
CREATE TABLE by_id (id objectid) PARTITION BY RANGE (id);
CREATE TABLE aunt (id objectid);
CREATE TABLE uncle (id objectid);
CREATE TABLE nephew () INHERITS (aunt, uncle);
CREATE TABLE folded (id objectid COLLATE "POSIX");
CREATE TABLE parts (id objectid, n integer) PARTITION BY LIST (n);
CREATE FOREIGN TABLE part_far PARTITION OF parts DEFAULT SERVER nowhere;
CREATE TABLE doubled (id objectid);
INSERT INTO doubled VALUES ('600000000000000000000000'), ('600000000000000000000000');
CREATE FUNCTION objectid_time(timestamptz) RETURNS integer LANGUAGE sql RETURN 1;
CREATE TABLE texts (id text COLLATE "C" PRIMARY KEY);
CREATE TABLE pointers (id objectid PRIMARY KEY REFERENCES texts, up objectid REFERENCES pointers);
});
query('ALTER TABLE pointers DISABLE TRIGGER ALL', $superuser);
$node->psql('regress_objectid_ann', 'CREATE UNIQUE INDEX CONCURRENTLY never ON doubled (id)');
$session->query_safe('CREATE TEMPORARY TABLE passing (id objectid)');
my ($temporary) = query('SELECT relnamespace::regnamespace FROM pg_class WHERE relname = $$passing$$');
refuses(
	'to-extension',
	[
		'constraint various_id_check on table "Its Ids".various, which casts an id',
		'constraint various_check on table "Its Ids".various, which has a literal that contains SQL',
		'column id of table "Its Ids".folded, which has a collation of its own',
		'column id of foreign table "Its Ids".part_far, which is inherited',
		'index "Its Ids".never, which is invalid',
		'constraint various_check1 on table "Its Ids".various: it compares the text of an id in a different collation',
		'index "Its Ids".patterns: operator class "text_pattern_ops" does not accept data type "Its Ids".objectid',
		'column made of table "Its Ids".various',
		'statistics object "Its Ids".guess',
		'view "Its Ids".v',
		'materialized view "Its Ids".m',
		'view "Its Ids".bare',
		'function "Its Ids".f(objectid)',
		'trigger changed on table "Its Ids".various',
		'trigger recent on table "Its Ids".various',
		'policy recent on table "Its Ids".various',
		'type "Its Ids".given',
		'constraint valid',
		'column a of composite type "Its Ids".pair',
		'column row of table "Its Ids".copies, whose type is that of table "Its Ids".various',
		'partition key of table "Its Ids".by_id',
		'column id of table "Its Ids".nephew, which several tables inherit to it',
		'constraint pointers_id_fkey on table "Its Ids".pointers, whose columns have different types',
		'constraint pointers_id_fkey on table "Its Ids".pointers, whose triggers are disabled',
		'constraint pointers_up_fkey on table "Its Ids".pointers, whose triggers are disabled',
		"temporary table $temporary.passing of a different session"
	],
	'objects of all kinds');
$session->quit;

# plain/drop.sql
like(
	psql_file('plain/drop.sql'),
	qr/column id of table "shop"\."customer" depends on/,
	'plain/drop.sql refuses while there are columns') or diag(schema());

# whose tables
query(
	'DROP TABLE various, copies, by_id, aunt, uncle, nephew, folded, parts, doubled, texts, pointers CASCADE; DROP FUNCTION objectid_time(timestamptz); DROP FUNCTION f; DROP DOMAIN given, id_text; DROP TYPE pair; DROP VIEW bare'
);
like(
	psql_file('plain/to-extension.sql', $superuser),
	qr/cannot convert tables of other roles\nDETAIL:  .*table shop\.customer belongs to regress_objectid_ann/s,
	'a superuser does not convert what belongs to others');
query(
	'GRANT regress_objectid_bob TO regress_objectid_ann; CREATE TABLE lent (id objectid); ALTER TABLE lent OWNER TO regress_objectid_bob',
	$superuser);
like(
	psql_file('plain/to-extension.sql'),
	qr/cannot convert tables of other roles\nDETAIL:  table .*lent belongs to regress_objectid_bob\n/,
	'nor does a member of the owner');
query('DROP TABLE lent', $superuser);
is(psql_file('plain/to-extension.sql', $superuser, '-v', 'trust_owners=on'),
	'', 'a superuser who trusts the owners does');
like(
	psql_file('plain/from-extension.sql'),
	qr/ERROR:  only "?$superuser"? can drop the extension/,
	'plain/from-extension.sql needs the owner of the extension');
is(psql_file('plain/from-extension.sql', $superuser, '-v', 'trust_owners=on'),
	'', 'the superuser converts in both directions');
is(query($data), $data_before, 'and all values are there');


# an extension of this name that has nothing to do with the domain
query('CREATE SCHEMA other; CREATE EXTENSION objectid SCHEMA other', $superuser);
like(
	psql_file('plain/to-extension.sql', $superuser, '-v', 'trust_owners=on'),
	qr/ERROR:  the extension objectid already exists/,
	'a different extension is an error');
query('DROP EXTENSION objectid', $superuser);

# pg_tle: an extension that consists of the domain and its functions.  That of a module of contrib gets them.
SKIP:
{
	my ($sharedir) = run_command([ $pg_config, '--sharedir' ]);
	skip 'tcn, of contrib, is not installed', 2 if !-f "$sharedir/extension/tcn.control";
	query(
		q{CREATE EXTENSION tcn; ALTER EXTENSION tcn DROP FUNCTION triggered_change_notification(); DROP FUNCTION triggered_change_notification();
SELECT format('ALTER EXTENSION tcn ADD %s %s', type, identity)
FROM (SELECT 'pg_proc'::regclass AS classid, oid FROM pg_proc WHERE proname ~ 'objectid'
  UNION ALL SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprcode::regproc::text ~ 'objectid'
  UNION ALL SELECT 'pg_type'::regclass, oid FROM pg_type WHERE typname = 'objectid') AS ours, pg_identify_object(classid, oid, 0) \gexec
UPDATE pg_extension SET extname = 'objectid' WHERE extname = 'tcn'},
		$superuser);
	is(psql_file('plain/to-extension.sql', $superuser, '-v', 'trust_owners=on'),
		'', "plain/to-extension.sql converts the type of pg_tle's extension");
	is(query($data), $data_before, 'and all values are there');
}

done_testing();
