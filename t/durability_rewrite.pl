# Commands that rewrite tables and indexes: VACUUM FULL, CLUSTER, REINDEX CONCURRENTLY.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use Everywhere;
use TestServer;

need_contrib('amcheck');
my $node = start_node('rewrite');
create_everywhere($node, 'postgres');
my $contents = contents($node, 'postgres');
like($contents, qr/^event\|1003\|/m, 'there are rows');

# Each statement, and the relations that get new files.  CONCURRENTLY does not rewrite the
# indexes of exclusion constraints and of temporal keys.
for my $rewrite (
	[ 'VACUUM (FULL, ANALYZE)' => 'true' ],
	[
		'CLUSTER app.by_gist USING by_gist_index' =>
		  q{c.oid IN ('app.by_gist'::regclass, 'app.by_gist_index'::regclass)}
	],
	[ 'REINDEX SCHEMA CONCURRENTLY app' => 'relkind = $$i$$ AND NOT indisexclusion' ],
	[ 'REINDEX DATABASE postgres' => 'relkind = $$i$$' ])
{
	my ($statement, $which) = @$rewrite;
	my $files = qq{SELECT string_agg(relfilenode::text, ' ') FROM pg_class AS c LEFT JOIN pg_index ON indexrelid = c.oid
WHERE relnamespace = 'app'::regnamespace AND relfilenode <> 0 AND $which};
	my %before = map { $_ => 1 } split(/ /, $node->safe_psql('postgres', $files));
	$node->safe_psql('postgres', $statement);
	my @after = split(/ /, $node->safe_psql('postgres', $files));
	cmp_ok(scalar(@after), '>', 1, "$statement: there are files");
	is(scalar(grep { !$before{$_} } @after), scalar(keys %before), "$statement: all files are new");
	is(contents($node, 'postgres'), $contents, "$statement: the rows are the same");
	check_indexes($node, 'postgres', $statement);
}

# CLUSTER by ids, with a sort and with an index scan: the rows are in order
for my $table (
	[ 'by_btree', 'by_btree_index', 'id' ],
	[ 'by_descending', 'by_descending_index', 'id DESC NULLS FIRST' ],
	[ 'tenant', 'tenant_pkey', 'id' ])
{
	for my $sort ('on', 'off')
	{
		my ($name, $index, $order) = @$table;
		query_is(
			$node, qq{
CREATE TEMP TABLE mixed AS SELECT * FROM app.$name ORDER BY md5(n::text);
BEGIN;
ALTER TABLE app.event DROP CONSTRAINT event_tenant_fkey;
TRUNCATE app.$name;
INSERT INTO app.$name TABLE mixed;
COMMIT;
SET enable_sort = $sort;
SET enable_seqscan = $sort;
CLUSTER app.$name USING $index;
ALTER TABLE app.event ADD CONSTRAINT event_tenant_fkey FOREIGN KEY (tenant) REFERENCES app.tenant ON UPDATE CASCADE;
RESET enable_seqscan;
SELECT string_agg(n::text, ' ' ORDER BY ctid) = string_agg(n::text, ' ' ORDER BY $order),
       (SELECT string_agg(n::text, ' ' ORDER BY ctid) FROM mixed) = string_agg(n::text, ' ' ORDER BY $order)
FROM app.$name;
}, 't|f', "CLUSTER $name, enable_sort = $sort: the rows are in the index's order");
	}
}
is(contents($node, 'postgres'), $contents, 'CLUSTER: the rows are the same');
check_indexes($node, 'postgres', 'CLUSTER');
use_everywhere($node, 'postgres', 'rewritten');

# REINDEX CONCURRENTLY during inserts and deletes
my @names = map { $_->{name} } index_kinds();
my $load = start_load(
	$node,
	join(
		'',
		map {
			qq{
INSERT INTO app.by_$_ SELECT gen_objectid(), 10000 FROM generate_series(1, 3);
UPDATE app.by_$_ SET id = gen_objectid() WHERE n = :client_id + 1;
DELETE FROM app.by_$_ WHERE n = 100 + :client_id;
}
		} @names),
	'--client=4');
for my $round (1 .. 5)
{
	$node->poll_query_until('postgres', "SELECT count(*) > $round * 300 FROM app.by_$names[-1] WHERE n = 10000")
	  or BAIL_OUT('the load stopped');
	$node->safe_psql('postgres', "REINDEX TABLE CONCURRENTLY app.by_$_") for @names;
}
stop_load($load);
check_indexes($node, 'postgres', 'REINDEX CONCURRENTLY under load');

done_testing();
