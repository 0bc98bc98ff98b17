# Commands that rewrite tables and indexes: VACUUM FULL, CLUSTER, REINDEX CONCURRENTLY.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib qw(testlib t);
use Everywhere;
use Needs;
use TestServer;

need_contrib('amcheck');
my $node = start_node('rewrite');
create_everywhere($node, 'postgres');
my $contents = contents($node, 'postgres');
like($contents, qr/^event\|1003\|/m, 'there are rows');

# CLUSTER by ids, with a sort and with an index scan: the rows are in order
my %order = (by_btree => 'id', by_descending => 'id DESC NULLS FIRST');
for my $table (sort keys %order)
{
	for my $sort ('on', 'off')
	{
		query_is(
			$node, qq{
CREATE TEMP TABLE mixed AS SELECT * FROM app.$table ORDER BY md5(n::text);
TRUNCATE app.$table;
INSERT INTO app.$table TABLE mixed;
SET enable_sort = $sort;
SET enable_seqscan = $sort;
CLUSTER app.$table USING ${table}_index;
RESET enable_seqscan;
SELECT string_agg(n::text, ' ' ORDER BY ctid) = string_agg(n::text, ' ' ORDER BY $order{$table}),
       (SELECT string_agg(n::text, ' ' ORDER BY ctid) FROM mixed) = string_agg(n::text, ' ' ORDER BY $order{$table})
FROM app.$table;
}, 't|f', "CLUSTER $table, enable_sort = $sort: the rows are in the index's order");
	}
}

for
  my $statement ('CLUSTER app.by_gist USING by_gist_index', 'VACUUM (FULL, ANALYZE)', 'REINDEX SCHEMA CONCURRENTLY app')
{
	$node->safe_psql('postgres', $statement);
	is(contents($node, 'postgres'), $contents, "$statement: the rows are the same");
	check_indexes($node, 'postgres', $statement);
}
use_everywhere($node, 'postgres', 'rewritten');

done_testing();
