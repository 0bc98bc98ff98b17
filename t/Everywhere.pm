# Shared by the tests of dumps, copies, crashes and upgrades: a database that uses the
# type in every possible place, and checks that everything is still there.
package Everywhere;
use strict;
use warnings FATAL => 'all';
use Exporter qw(import);
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

our @EXPORT = qw(index_kinds create_everywhere use_everywhere contents check_indexes);

my @kinds = index_kinds();

# The lines of t/index_kinds: a name, an index in the syntax of CREATE INDEX, for a table
# (id objectid, n integer), and a condition that the index supports.  An index with " (id"
# supports "id = ...".  A line without a condition supports all comparisons of "id".
sub index_kinds
{
	return
	  map { my %kind; @kind{qw(name index condition)} = split(/\t/); \%kind } split(/\n/, slurp_file('t/index_kinds'));
}

# Fill a database: the extension, if it is not there, and everything that uses it in "app"
sub create_everywhere
{
	my ($node, $database) = @_;
	$node->safe_psql($database, slurp_file('t/everywhere.sql'));
	return;
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
UPDATE app.node SET parent = '507f1f77bcf86cd799439011' WHERE n IN (10, 12) RETURNING n;
DELETE FROM app.node_rules WHERE n = 11 RETURNING n;
CALL app.change('507f1f77bcf86cd799439014');
ROLLBACK;
INSERT INTO app.event (id) VALUES ('000000000000000000000001');
INSERT INTO app.event (kind) VALUES ('507f1f77bcf86cd79943901');
INSERT INTO app.event (tenant, during) SELECT tenant, during FROM app.event LIMIT 1;
INSERT INTO app.event (tenant) VALUES ('507f1f77bcf86cd799439012');
}, on_error_stop => 0);
	is( $stdout,
		"100|100|100|t\n100|1\n100\n1\n10010\n10012\n11\n507f1f77bcf86cd799439014",
		"$what: everything that uses the type works");
	is(join(' ', $stderr =~ /ERROR:\s+(\w+)/g), '23514 22P02 23P01 23503', "$what: constraints are enforced");
}

# All rows: a line for each table, materialised view, and view of "node", in any schema
sub contents
{
	my ($node, $database) = @_;
	my $query = $node->safe_psql(
		$database, q{
SELECT string_agg(format('SELECT %L, count(*), md5(string_agg(t::text, E''\n'' ORDER BY t::text COLLATE "C")) FROM %s AS t', relname, c.oid::regclass),
                  E'\nUNION ALL ' ORDER BY relname)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace
WHERE (relkind IN ('r', 'm', 'p') OR relname LIKE 'node\_%' AND relkind = 'v') AND nspname !~ '^pg_|^information_schema$'
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

	my $query = '';
	for my $kind (@kinds)
	{
		my $condition = $kind->{condition} || q{id BETWEEN '10000000bcf86cd799439011' AND '6fffffffbcf86cd799439011'};
		my $select =
		  "SELECT '$kind->{name}', count(*) > 0, md5(string_agg(n::text, ' ' ORDER BY n)) FROM app.by_$kind->{name} WHERE $condition";

		# the rows that were written last, one by one, if they are in the index
		my $table = "app.by_$kind->{name}";
		my ($key) = $kind->{index} =~ / \((\w+(?:\(id\))?)/;
		my $where = $kind->{index} =~ / WHERE (.*)/ ? $1 : "$key IS NOT NULL";
		my $last =
		  "bool_or(included) AND bool_and((SELECT true FROM $table WHERE $key = key AND id = last_id AND $where LIMIT 1) IS TRUE OR included IS NOT TRUE)";
		$query .= qq{
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) $select;
$select;
SELECT '$kind->{name} last', $last FROM (SELECT id AS last_id, $key AS key, $where AS included FROM $table ORDER BY ctid DESC LIMIT 100) AS last;
SET enable_seqscan = on; SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_indexonlyscan = off;
$select;
RESET enable_indexscan; RESET enable_bitmapscan; RESET enable_indexonlyscan;
};
	}
	my $output = $node->safe_psql($database, "SET search_path = pg_catalog; $query");
	for my $index (map { $_->{name} } @kinds)
	{
		like($output, qr/Scan.* (?:using|on) by_${index}_index\b/, "$what: $index: the index is used");
		my ($by_index, $by_scan) = $output =~ /^\Q$index\E\|t\|(\w+)$/mg;
		is($by_index, $by_scan // 'nothing', "$what: $index: the index finds the same rows as a scan");
		like($output, qr/^$index last\|t$/m, "$what: $index: the index finds the last rows");
	}
}

1;
