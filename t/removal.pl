# The query of docs/operations.md lists what must go before columns are converted and the extension is dropped:
# with one of each kind, it lists each, and nothing that can stay.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my ($query) = slurp_file('docs/operations.md') =~ /^(WITH member AS .*?;)$/ms or die('no query on the page');
my $node = start_node('removal', conf => 'wal_level = logical', sql => <<'SQL');
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid PRIMARY KEY, what text, refs objectid[], CHECK (id IS NOT NULL));
CREATE INDEX ON event USING hash (id);
CREATE INDEX ON event USING brin (id);
CREATE INDEX ON event USING gin (refs);
CREATE INDEX ON event (id, what text_pattern_ops);
CREATE STATISTICS of_columns ON id, what FROM event;
CREATE FUNCTION new() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TABLE shown (id objectid);
INSERT INTO event VALUES (gen_objectid(), 'log in', ARRAY[gen_objectid()]);
SQL

# what is made, how it is listed, and how it is dropped
my @kinds = (
	[
		'ALTER TABLE event ALTER id SET DEFAULT gen_objectid()',
		'default value for column id of table event',
		'ALTER TABLE event ALTER id DROP DEFAULT'
	],
	[
		'ALTER TABLE event ADD at timestamptz GENERATED ALWAYS AS (objectid_time(id)) STORED',
		'default value for column at of table event',
		'ALTER TABLE event DROP at'
	],
	[
		'ALTER TABLE event ADD digits text GENERATED ALWAYS AS (id::text) STORED',
		'default value for column digits of table event',
		'ALTER TABLE event DROP digits'
	],
	[
		q{ALTER TABLE event ADD CONSTRAINT late CHECK (id > timestamptz '2024-01-01 00:00:00+00')},
		'constraint late on table event',
		'ALTER TABLE event DROP CONSTRAINT late'
	],
	[
		'ALTER TABLE event ADD CONSTRAINT apart EXCLUDE USING gist (id WITH =)',
		'index apart',
		'ALTER TABLE event DROP CONSTRAINT apart'
	],
	[
		'CREATE TABLE remark (id objectid REFERENCES event)',
		'constraint remark_id_fkey on table remark',
		'DROP TABLE remark'
	],
	[
		q{CREATE INDEX of_some ON event (what) WHERE id > timestamptz '2024-01-01 00:00:00+00'},
		'index of_some',
		'DROP INDEX of_some'
	],
	[ 'CREATE INDEX by_time ON event (objectid_time(id))', 'index by_time', 'DROP INDEX by_time' ],
	[ 'CREATE INDEX multi ON event USING brin (id objectid_minmax_multi_ops)', 'index multi', 'DROP INDEX multi' ],
	[ 'CREATE INDEX bloom ON event USING brin (id objectid_bloom_ops)', 'index bloom', 'DROP INDEX bloom' ],
	[ 'CREATE INDEX gist ON event USING gist (id)', 'index gist', 'DROP INDEX gist' ],
	[ 'CREATE INDEX gin ON event USING gin (id)', 'index gin', 'DROP INDEX gin' ],
	[ 'CREATE STATISTICS times ON objectid_time(id) FROM event', 'statistics object times', 'DROP STATISTICS times' ],
	[ 'CREATE VIEW seen AS SELECT id FROM event', 'rule _RETURN on view seen', 'DROP VIEW seen' ],
	[ 'CREATE VIEW refer AS SELECT refs FROM event', 'rule _RETURN on view refer', 'DROP VIEW refer' ],
	[
		'CREATE MATERIALIZED VIEW kept AS SELECT id FROM event',
		'rule _RETURN on materialized view kept',
		'DROP MATERIALIZED VIEW kept'
	],
	[
		'CREATE RULE none AS ON UPDATE TO event WHERE OLD.id IS NULL DO ALSO NOTHING',
		'rule none on table event',
		'DROP RULE none ON event'
	],
	[ 'CREATE POLICY mine ON event USING (id IS NOT NULL)', 'policy mine on table event', 'DROP POLICY mine ON event' ],
	[
		'CREATE TRIGGER of_id AFTER UPDATE OF id ON event FOR EACH ROW EXECUTE FUNCTION new()',
		'trigger of_id on table event',
		'DROP TRIGGER of_id ON event'
	],
	[
		'CREATE TRIGGER by_when AFTER UPDATE ON event FOR EACH ROW WHEN (NEW.id IS NULL) EXECUTE FUNCTION new()',
		'trigger by_when on table event',
		'DROP TRIGGER by_when ON event'
	],
	[
		'CREATE PUBLICATION sent FOR TABLE shown (id)',
		'publication of table shown in publication sent',
		'DROP PUBLICATION sent'
	],
	[ 'CREATE DOMAIN key AS objectid', 'type key', 'DROP DOMAIN key' ],
	[ 'CREATE DOMAIN keys AS objectid[]', 'type keys', 'DROP DOMAIN keys' ],
	[ 'CREATE INDEX and_time ON event (id, objectid_time(id))', 'index and_time', 'DROP INDEX and_time' ],
	[
		q{CREATE INDEX late ON event (id) WHERE id > timestamptz '2024-01-01 00:00:00+00'},
		'index late', 'DROP INDEX late'
	],
	[ 'CREATE TYPE pair AS (id objectid)', 'column id of composite type pair', 'DROP TYPE pair' ],
	[
		q{CREATE FUNCTION told(objectid) RETURNS integer LANGUAGE sql AS 'SELECT 1'},
		'function told(objectid)',
		'DROP FUNCTION told'
	],
	[
		'CREATE FUNCTION newest() RETURNS text LANGUAGE sql BEGIN ATOMIC SELECT max(what) FROM event WHERE id IS NOT NULL; END',
		'function newest()',
		'DROP FUNCTION newest'
	],
	[ 'CREATE TABLE parts (id objectid) PARTITION BY RANGE (id)', 'table parts', 'DROP TABLE parts' ]);

my @convert = (
	'ALTER TABLE event ALTER id TYPE char(24), ALTER refs TYPE char(24)[]',
	'ALTER TABLE shown ALTER id TYPE char(24)',
	'DROP EXTENSION objectid');

query_is($node, $query, '', 'tables, and indexes that char(24) can have, are not listed');
for my $kind (@kinds)
{
	my ($create, $listed, $drop) = @$kind;
	$node->safe_psql('postgres', $create);
	query_is($node, $query, $listed, "$create: is listed");
	isnt($node->psql('postgres', join(';', 'BEGIN', @convert)), 0, "$create: is in the way");
	$node->safe_psql('postgres', $drop);
}
is($node->psql('postgres', join(';', 'BEGIN', @convert, 'COMMIT')), 0, 'without them, nothing is in the way');
query_is($node, 'SELECT length(id), length(refs[1]) FROM event', '24|24', 'the ids are kept');
done_testing();
