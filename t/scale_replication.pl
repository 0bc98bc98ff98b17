# Logical replication of ids, as text and in binary, with the initial copy, while all
# servers generate ids: two servers publish their rows, and a third subscribes to both and
# has rows of its own.  No conflicts, no lost rows, no duplicates.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

# one worker for each subscription, and some for initial copies
my $conf = "max_logical_replication_workers = 10\nmax_worker_processes = 20";
my %node = map { $_ => start_node($_, allows_streaming => 'logical', conf => $conf) } qw(a b reader);

# subscribe($subscriber, $database, $name, $publisher, $publication, $options), and wait for the initial copy
sub subscribe
{
	my ($subscriber, $database, $name, $publisher, $publication, $options) = @_;
	my $connection = $publisher->connstr . " dbname=$database";
	$subscriber->safe_psql($database,
		"CREATE SUBSCRIPTION $name CONNECTION '$connection' PUBLICATION $publication WITH ($options)");
	$subscriber->poll_query_until($database, q{SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel})
	  or BAIL_OUT("$name: no initial copy");
}

# one publisher, in both formats
for my $binary ('false', 'true')
{
	my $format = $binary eq 'true' ? 'in_binary' : 'as_text';
	my ($publisher, $subscriber) = @node{qw(a reader)};
	for my $node ($publisher, $subscriber)
	{
		$node->safe_psql('postgres', "CREATE DATABASE $format");
		$node->safe_psql(
			$format, q{
CREATE EXTENSION objectid;
CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, ref objectid, refs objectid[], n integer);
});
	}
	$publisher->safe_psql($format, 'CREATE TABLE sent (n integer)');
	$subscriber->safe_psql($format, 'CREATE TABLE sent (n integer, id objectid DEFAULT gen_objectid() PRIMARY KEY)');

	# rows for the initial copy
	$publisher->safe_psql(
		$format, qq{
INSERT INTO made (ref, refs, n)
SELECT CASE WHEN n % 3 > 0 THEN gen_objectid('2012-10-17 21:13:27+00') END, ARRAY[gen_objectid(), NULL], n FROM generate_series(1, 1000) AS n;
CREATE PUBLICATION $format FOR TABLE made, sent;
});
	subscribe($subscriber, $format, $format, $publisher, $format, "binary = $binary");

	# changes by key, and the subscriber's own rows in the same tables
	$publisher->safe_psql(
		$format, q{
INSERT INTO made (n) SELECT n FROM generate_series(1001, 2000) AS n;
UPDATE made SET ref = gen_objectid(), n = -n WHERE n % 10 = 0;
UPDATE made SET id = gen_objectid() WHERE n % 10 = 1;
DELETE FROM made WHERE n % 10 = 2;
INSERT INTO sent SELECT n FROM generate_series(1, 1000) AS n;
});
	$subscriber->safe_psql(
		$format, q{
INSERT INTO made (n) SELECT 100000 + n FROM generate_series(1, 1000) AS n;
INSERT INTO sent SELECT n FROM generate_series(1001, 2000) AS n;
});
	$publisher->wait_for_catchup($format);

	my $all = 'SELECT count(*), md5(string_agg((id, ref, refs, n)::text, \',\' ORDER BY id)) FROM made';
	my $expected = $publisher->safe_psql($format, $all);
	like($expected, qr/^1800\|/, "$format: the publisher's rows");
	is($subscriber->safe_psql($format, "$all WHERE n < 100000"), $expected, "$format: the subscriber has them");
	is($subscriber->safe_psql($format, 'SELECT count(*), count(DISTINCT id) FROM made'),
		'2800|2800', "$format: beside its own, no id twice");
	is( $subscriber->safe_psql(
			$format, 'SELECT count(*), count(DISTINCT id), count(DISTINCT substring(id::bytea, 5, 4)) FROM sent'),
		'2000|2000|1',
		"$format: an apply worker takes ids of its server's generator");
}

# two publishers; from 16 on, which tracks the origin of rows, replication in both directions
my $two_way =
  $node{reader}->safe_psql('postgres', q{SELECT current_setting('server_version_num')::integer >= 160000}) eq 't';
my $origin = $two_way ? ', origin = none' : '';
$node{$_}->safe_psql(
	'postgres', qq{
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, made_by text DEFAULT '$_');
CREATE PUBLICATION events FOR TABLE event;
}) for keys %node;
for my $name (qw(a b))
{
	$node{$name}->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 1000)');
	subscribe($node{reader}, 'postgres', "from_$name", $node{$name}, 'events', "binary$origin");
}
if ($two_way)
{
	subscribe($node{$_}, 'postgres', "to_$_", $node{reader}, 'events', "binary, copy_data = false$origin") for qw(a b);
}

# all servers at the same time
my @running =
  map { start_load($_, "INSERT INTO event DEFAULT VALUES;\n", '--client=4', '--transactions=500') } values %node;
is(finish_load($_), 0, 'a server inserts its rows') for @running;
$node{$_}->wait_for_catchup("from_$_") for qw(a b);

my $rows = 'SELECT made_by, count(*), count(DISTINCT id) FROM event GROUP BY made_by ORDER BY made_by';
query_is($node{reader}, $rows, "a|3000|3000\nb|3000|3000\nreader|2000|2000", 'the reader has all rows of all servers');
my $ids = q{SELECT md5(string_agg(id::text, ',' ORDER BY id)) FROM event WHERE made_by = };
query_is($node{reader}, "$ids '$_'", $node{$_}->safe_psql('postgres', "$ids '$_'"), "the ids of $_") for qw(a b);
query_is($node{reader}, 'SELECT count(DISTINCT id) FROM event', '8000', 'no id is duplicated');
SKIP:
{
	skip '[expected] before 16 a subscription has no origin', 2 unless $two_way;
	for my $name (qw(a b))
	{
		$node{reader}->wait_for_catchup("to_$name");
		is( $node{$name}->safe_psql('postgres', $rows),
			"$name|3000|3000\nreader|2000|2000",
			"$name has its own and the reader's");
	}
}
unlike(slurp_file($_->logfile), qr/duplicate key|conflict/, 'no conflict') for values %node;

done_testing();
