# Shared by the tests of dumps, copies, crashes and upgrades: a database that uses the
# type in every possible place, and checks that everything is still there.
package Everywhere;
use strict;
use warnings FATAL => 'all';
use Exporter qw(import);
use Test::More;
use lib 't';
use TestServer;

our @EXPORT = qw(create_everywhere use_everywhere contents check_indexes);

my @kinds = index_kinds();

# Fill a database: the extension in the schema "public" or the given one, everything that
# uses it in "app".
sub create_everywhere
{
	my ($node, $database, $schema) = @_;
	$schema //= 'public';
	my $tables = join(
		'',
		map {
			qq{
CREATE TABLE by_$_->{name} (id objectid, n integer);
CREATE INDEX by_$_->{name}_index ON by_$_->{name} $_->{index};
INSERT INTO by_$_->{name} SELECT * FROM ids;
}
		} @kinds);

	$node->safe_psql(
		$database, qq{
CREATE SCHEMA IF NOT EXISTS $schema;
CREATE EXTENSION objectid SCHEMA $schema;
CREATE SCHEMA app;
SET search_path = app, $schema;
SET timezone = 'UTC';

-- ids of now, of some years, and the ends
CREATE TABLE ids (id objectid DEFAULT gen_objectid(), n integer);
INSERT INTO ids (n) SELECT n FROM generate_series(1, 500) AS n;
INSERT INTO ids SELECT gen_objectid('2000-01-01 00:00:00+00'::timestamptz + n * interval '30 days'), n FROM generate_series(501, 1000) AS n;
INSERT INTO ids VALUES ('507f1f77bcf86cd799439011', 1001), ('000000000000000000000000', 1002), ('ffffffffffffffffffffffff', 1003), (NULL, 1004);
$tables
-- types made of it
CREATE DOMAIN made_id AS objectid DEFAULT gen_objectid() NOT NULL
  CHECK (VALUE <> '000000000000000000000000') CHECK (VALUE > timestamptz '1980-01-01 00:00:00+00');
CREATE TYPE pair AS (one objectid, more objectid[]);
CREATE TYPE id_range AS RANGE (SUBTYPE = objectid);
CREATE FUNCTION sent_at(id objectid DEFAULT '507f1f77bcf86cd799439011') RETURNS timestamptz IMMUTABLE RETURN objectid_time(id);

-- columns: defaults, constraints, a generated one, what is made of the type
CREATE TABLE tenant (id objectid DEFAULT gen_objectid() PRIMARY KEY, n integer UNIQUE);
INSERT INTO tenant SELECT * FROM ids WHERE id IS NOT NULL;
CREATE TABLE event (
  id made_id PRIMARY KEY,
  tenant objectid REFERENCES tenant ON UPDATE CASCADE,
  kind objectid DEFAULT '507f1f77bcf86cd799439011',
  day objectid DEFAULT objectid_from_time('2012-10-17 00:00:00+00'),
  made timestamptz GENERATED ALWAYS AS (sent_at(id)) STORED,
  refs objectid[] DEFAULT ARRAY[gen_objectid(), NULL],
  both_ids pair,
  span id_range,
  during tstzrange,
  n integer,
  CHECK (kind <> id),
  CONSTRAINT one_at_a_time EXCLUDE USING gist (tenant WITH =, during WITH &&)
);
CREATE INDEX event_refs ON event USING gin (refs);
CREATE INDEX event_tenant_refs ON event USING gin (tenant, refs);
CREATE INDEX event_span ON event USING gist (span);
CREATE STATISTICS event_statistics ON tenant, kind, n FROM event;
INSERT INTO event (tenant, both_ids, span, during, n)
SELECT id, (id, ARRAY[id, NULL])::pair, id_range(id, NULL), tstzrange('2024-01-01', '2024-02-01'), n FROM tenant;

-- partitions
CREATE TABLE by_time (id objectid DEFAULT gen_objectid(), n integer, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE by_time_old PARTITION OF by_time FOR VALUES FROM (MINVALUE) TO ('507f1f77bcf86cd799439011');
CREATE TABLE by_time_2012 PARTITION OF by_time FOR VALUES FROM ('507f1f77bcf86cd799439011') TO (objectid_from_time('2013-01-01 00:00:00+00'));
CREATE TABLE by_time_new PARTITION OF by_time FOR VALUES FROM (objectid_from_time('2013-01-01 00:00:00+00')) TO (MAXVALUE);
CREATE TABLE by_list (id objectid, n integer) PARTITION BY LIST (id);
CREATE TABLE by_list_known PARTITION OF by_list FOR VALUES IN ('507f1f77bcf86cd799439011', NULL);
CREATE TABLE by_list_other PARTITION OF by_list DEFAULT;
CREATE TABLE by_modulus (id objectid, n integer) PARTITION BY HASH (id);
CREATE TABLE by_modulus_0 PARTITION OF by_modulus FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE by_modulus_1 PARTITION OF by_modulus FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO by_time SELECT * FROM ids WHERE id IS NOT NULL;
INSERT INTO by_list SELECT * FROM ids;
INSERT INTO by_modulus SELECT * FROM ids;

-- queries that are kept
CREATE VIEW last_day AS SELECT * FROM event WHERE id >= now() - interval '1 day' AND '507f1f77bcf86cd799439011' < id;
CREATE MATERIALIZED VIEW per_tenant AS
  SELECT tenant, min(id) AS first, max(id) AS last, objectid_time(min(id)) AS since,
         count(*) OVER (ORDER BY tenant RANGE BETWEEN interval '1 year' PRECEDING AND CURRENT ROW) AS in_a_year
  FROM event WHERE id >= timestamptz '2000-01-01 00:00:00+00' GROUP BY tenant;
CREATE UNIQUE INDEX per_tenant_key ON per_tenant (tenant);
ALTER TABLE tenant ENABLE ROW LEVEL SECURITY;
CREATE POLICY known ON tenant USING (id <> 'ffffffffffffffffffffffff');
CREATE RULE nothing AS ON DELETE TO ids WHERE old.id > timestamptz '2100-01-01 00:00:00+00' DO INSTEAD NOTHING;
ANALYZE;
});

	# features of newer servers
	$node->safe_psql(
		$database, qq{
SET search_path = app, $schema;
CREATE TABLE price (item objectid, valid_at daterange, amount integer, PRIMARY KEY (item, valid_at WITHOUT OVERLAPS));
INSERT INTO price SELECT id, daterange('2024-01-01', '2024-02-01'), n FROM tenant;
}
	) if $node->safe_psql(
		$database, q{SELECT current_setting('server_version_num')::integer >= 180000 AND
EXISTS (SELECT FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily WHERE opfname = 'objectid_gist_ops' AND amprocnum = 12)}
	) eq 't';
}

# Use the database: defaults and domains generate ids, partitions accept rows, constraints
# are enforced.
sub use_everywhere
{
	my ($node, $database, $what) = @_;
	my ($result, $stdout, $stderr) = $node->psql(
		$database, q{
\set VERBOSITY sqlstate
BEGIN;
INSERT INTO app.event (n) SELECT n FROM generate_series(2001, 2100) AS n;
INSERT INTO app.by_time (n) SELECT n FROM generate_series(2001, 2100) AS n;
SELECT count(*), count(DISTINCT id), count(DISTINCT refs[1]), bool_and(made BETWEEN date_trunc('second', now()) AND clock_timestamp()) FROM app.event WHERE n > 2000;
SELECT count(*), count(DISTINCT tableoid) FROM app.by_time WHERE n > 2000;
SELECT count(*) FROM app.last_day WHERE n > 2000;
REFRESH MATERIALIZED VIEW app.per_tenant;
SELECT count(*) FROM app.per_tenant WHERE tenant IS NULL;
ROLLBACK;
INSERT INTO app.event (id) VALUES ('000000000000000000000001');
INSERT INTO app.event (kind) VALUES ('507f1f77bcf86cd79943901');
INSERT INTO app.event (tenant, during) SELECT tenant, during FROM app.event LIMIT 1;
INSERT INTO app.event (tenant) VALUES ('507f1f77bcf86cd799439012');
}, on_error_stop => 0);
	is($stdout, "100|100|100|t\n100|1\n100\n1", "$what: everything that uses the type works");
	is(join(' ', $stderr =~ /ERROR:\s+(\w+)/g), '23514 22P02 23P01 23503', "$what: constraints are enforced");
}

# All rows: a line for each table and materialised view, in any schema
sub contents
{
	my ($node, $database) = @_;
	my $query = $node->safe_psql(
		$database, q{
SELECT string_agg(format('SELECT %L, count(*), md5(string_agg(t::text, E''\n'' ORDER BY t::text COLLATE "C")) FROM %s AS t', relname, c.oid::regclass),
                  E'\nUNION ALL ' ORDER BY relname)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
WHERE relkind IN ('r', 'm', 'p') AND nspname !~ '^pg_|^information_schema$'
});
	return $node->safe_psql($database, "SET timezone = 'UTC'; $query ORDER BY 1");
}

# Check that every btree index has every row of its table, in order, that amcheck (from 18
# on) finds GIN indexes valid, and that each index finds the rows that a scan of the table
# finds.
sub check_indexes
{
	my ($node, $database, $what) = @_;

	# create amcheck for a moment, unless it exists already: a standby cannot create it
	my $install =
	  $node->safe_psql($database, q{SELECT count(*) = 0 FROM pg_extension WHERE extname = 'amcheck'}) eq 't'
	  ? 'CREATE EXTENSION amcheck;'
	  : '';
	is( $node->safe_psql(
			$database, qq{
BEGIN;
$install
SELECT count(bt_index_check(c.oid, heapallindexed => true)) > 10
FROM pg_class AS c JOIN pg_am AS am ON am.oid = relam JOIN pg_index ON indexrelid = c.oid
WHERE amname = 'btree' AND relkind = 'i' AND indisvalid AND indisready;
DO \$\$
DECLARE
  index regclass;
BEGIN
  IF to_regprocedure('gin_index_check(regclass)') IS NOT NULL THEN
    FOR index IN SELECT c.oid FROM pg_class AS c JOIN pg_am AS am ON am.oid = relam WHERE amname = 'gin' AND relkind = 'i' LOOP
      PERFORM gin_index_check(index);
    END LOOP;
  END IF;
END\$\$;
ROLLBACK;
}),
		't',
		"$what: bt_index_check of all btree indexes, gin_index_check of GIN's");

	my $path = $node->safe_psql($database,
		q{SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace WHERE extname = 'objectid'}
	);
	my $query = '';
	for my $kind (@kinds)
	{
		my $condition = $kind->{condition} || q{id BETWEEN '10000000bcf86cd799439011' AND '6fffffffbcf86cd799439011'};
		my $select =
		  "SELECT '$kind->{name}', count(*) > 0, md5(string_agg(n::text, ' ' ORDER BY n)) FROM app.by_$kind->{name} WHERE $condition";
		$query .= qq{
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) $select;
$select;
SET enable_seqscan = on; SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off;
$select;
RESET enable_indexscan; RESET enable_bitmapscan; RESET enable_indexonlyscan;
};
	}
	my $output = $node->safe_psql($database, "SET search_path = pg_catalog, $path; $query");
	for my $index (map { $_->{name} } @kinds)
	{
		like($output, qr/Scan.* (?:using|on) by_${index}_index\b/, "$what: $index: the index is used");
		my ($by_index, $by_scan) = $output =~ /^\Q$index\E\|t\|(\w+)$/mg;
		is($by_index, $by_scan // 'nothing', "$what: $index: and finds the same rows as a scan");
	}
}

1;
