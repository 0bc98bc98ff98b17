# Logical replication carries ids, as text and in binary, the initial copy among
# them, while both servers go on generating.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $publisher = PostgreSQL::Test::Cluster->new('publisher');
$publisher->init(allows_streaming => 'logical');
$publisher->start;
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->start;

for my $binary ('false', 'true')
{
	my $format = $binary eq 'true' ? 'in_binary' : 'as_text';
	for my $node ($publisher, $subscriber)
	{
		$node->safe_psql('postgres', "CREATE DATABASE $format");
		$node->safe_psql(
			$format, q{
CREATE EXTENSION objectid;
CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, ref objectid, refs objectid[], n integer);
});
	}

	# rows that are there before, for the initial copy
	$publisher->safe_psql(
		$format, qq{
INSERT INTO made (ref, refs, n)
SELECT CASE WHEN n % 3 > 0 THEN gen_objectid('2012-10-17 21:13:27+00') END, ARRAY[gen_objectid(), NULL], n FROM generate_series(1, 1000) AS n;
CREATE PUBLICATION $format FOR TABLE made;
});
	my $connection = $publisher->connstr . " dbname=$format";
	$subscriber->safe_psql($format, "CREATE SUBSCRIPTION $format CONNECTION '$connection' PUBLICATION $format WITH (binary = $binary)");
	$subscriber->wait_for_subscription_sync($publisher, $format) if $subscriber->can('wait_for_subscription_sync');
	$subscriber->poll_query_until($format, q{SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel})
	  or BAIL_OUT('no initial copy');

	# changes, by key; and rows of the subscriber's own in the same table
	$publisher->safe_psql(
		$format, q{
INSERT INTO made (n) SELECT n FROM generate_series(1001, 2000) AS n;
UPDATE made SET ref = gen_objectid(), n = -n WHERE n % 10 = 0;
UPDATE made SET id = gen_objectid() WHERE n % 10 = 1;
DELETE FROM made WHERE n % 10 = 2;
});
	$subscriber->safe_psql($format, 'INSERT INTO made (n) SELECT 100000 + n FROM generate_series(1, 1000) AS n');
	$publisher->wait_for_catchup($format);

	my $all = 'SELECT count(*), md5(string_agg((id, ref, refs, n)::text, \',\' ORDER BY id)) FROM made';
	my $expected = $publisher->safe_psql($format, $all);
	like($expected, qr/^1800\|/, "$format: the publisher's rows");
	is($subscriber->safe_psql($format, "$all WHERE n < 100000"), $expected, "$format: are the subscriber's");
	is($subscriber->safe_psql($format, 'SELECT count(*), count(DISTINCT id) FROM made'),
		'2800|2800', "$format: beside its own, no id twice");
	unlike(slurp_file($subscriber->logfile), qr/duplicate key|conflict/, "$format: no conflict");
}
$subscriber->stop;
$publisher->stop;

done_testing();
