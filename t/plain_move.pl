# plain/to-extension.sql and plain/from-extension.sql: after a conversion in both directions,
# all columns have the same values, and the schema is the same.  As an ordinary user, in a
# schema whose name needs quotes.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

my $node = start_node(
	'move', sql => q{
CREATE ROLE regress_objectid_ann LOGIN;
CREATE DATABASE regress_objectid_ann OWNER regress_objectid_ann;
ALTER DATABASE regress_objectid_ann SET search_path = "Its Ids", public;
ALTER DATABASE regress_objectid_ann SET timezone = 'UTC'});
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGUSER} = 'regress_objectid_ann';
local $ENV{PGDATABASE} = 'regress_objectid_ann';

# run a script of plain/, and return what it prints to stderr
sub psql_file
{
	my ($file) = @_;
	IPC::Run::run([ 'psql', '-X', '-q', '-f', $file ], '>', \my $stdout, '2>', \my $stderr);
	return $stderr;
}

# the results of all statements
sub query { return $node->safe_psql('regress_objectid_ann', @_); }

# pg_dump's text, without what differs from run to run
sub schema
{
	my ($stdout, $stderr) = run_command([ 'pg_dump', '--schema-only' ]);
	die($stderr) if $stderr;
	return $stdout =~ s/^\\(?:un)?restrict .*\n//mgr;
}

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
INSERT INTO base DEFAULT VALUES;
INSERT INTO child SELECT gen_objectid(), ARRAY[gen_objectid()];
});

my $data = q{
SELECT md5(string_agg(c::text, ' ' ORDER BY id::text)) FROM shop.customer AS c;
SELECT md5(string_agg(i::text, ' ' ORDER BY id::text, "its customer"::text)) FROM "Invoice" AS i;
SELECT md5(string_agg(l::text, ' ' ORDER BY invoice::text, n)) FROM line AS l;
SELECT string_agg(id::text, ' ' ORDER BY id::text) FROM base;
SELECT more FROM child;
SELECT count(*) FROM shop.customer WHERE id < timestamptz '2016-01-01 00:00:00+00'};
my ($data_before, $schema_before) = (query($data), schema());

is(psql_file('plain/to-extension.sql'), '', 'plain/to-extension.sql runs');
is(query($data), $data_before, 'all values are there');
is( query(
		q{SELECT typname, typlen, count(*) FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid JOIN pg_class AS c ON c.oid = attrelid
WHERE typname ~ '^_?objectid$' AND relkind IN ('r', 'p') GROUP BY 1, 2 ORDER BY 1;
SELECT nspname FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace WHERE extname = 'objectid'}),
	"_objectid|-1|2\nobjectid|12|12\nIts Ids",
	'columns, partitions, children and arrays have the type of the extension, in the same schema');
is(query(q{SELECT count(*) FROM pg_type WHERE typname = 'objectid' AND typtype = 'd'}), 0, 'the domain is gone');

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

# Objects that cannot be converted raise an error, and nothing changes.
for my $case (
	[ 'a view', 'CREATE VIEW v AS SELECT id FROM shop.customer', 'DROP VIEW v', qr/used by a view/ ],
	[
		'a function',
		q{CREATE FUNCTION f(objectid) RETURNS integer LANGUAGE sql AS 'SELECT 1'},
		'DROP FUNCTION f',
		qr/function f\(objectid\) depends on type objectid/
	],
	[
		'a partition key',
		'CREATE TABLE by_id (id objectid) PARTITION BY RANGE (id)',
		'DROP TABLE by_id',
		qr/part of the partition key/
	])
{
	my ($what, $create, $drop, $error) = @$case;
	query($create);
	like(psql_file('plain/to-extension.sql'), $error, "$what is an error that says so");
	query($drop);
	is(schema(), $schema_before, "$what: nothing has changed");
}

# plain/drop.sql
like(
	psql_file('plain/drop.sql'),
	qr/column id of table shop\.customer depends on/,
	'plain/drop.sql refuses while there are columns') or diag(schema());

done_testing();
