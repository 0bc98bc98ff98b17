# Logical replication of ids, as text and in binary, with the initial copy, while all
# servers generate ids: two servers publish their rows, and a third subscribes to one as text
# and to the other in binary, and has rows of its own.  No conflicts, no lost rows, no
# duplicates.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

# one worker for each subscription, and some for initial copies
my $conf = "max_logical_replication_workers = 10\nmax_worker_processes = 20";
my %node = map { $_ => start_node($_, allows_streaming => 'logical', conf => $conf) } qw(a b reader);

# subscribe($subscriber, $name, $publisher, $options), and wait for the initial copy
sub subscribe
{
	my ($subscriber, $name, $publisher, $options) = @_;
	my $connection = $publisher->connstr . ' dbname=postgres';
	$subscriber->safe_psql('postgres',
		"CREATE SUBSCRIPTION $name CONNECTION '$connection' PUBLICATION events WITH ($options)");
	$subscriber->poll_query_until('postgres', q{SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel})
	  or die("$name: no initial copy");
}

# from 16 on, which tracks the origin of rows, replication in both directions
my $two_way =
  $node{reader}->safe_psql('postgres', q{SELECT current_setting('server_version_num')::integer >= 160000}) eq 't';
my $origin = $two_way ? ', origin = none' : '';
$node{$_}->safe_psql(
	'postgres', qq{
CREATE EXTENSION objectid;
CREATE TABLE event (
  id objectid DEFAULT gen_objectid() PRIMARY KEY, made_by text DEFAULT '$_', refs objectid[] DEFAULT ARRAY[gen_objectid(), NULL], n integer);
CREATE PUBLICATION events FOR TABLE event;
}) for keys %node;

# rows without an id, which the reader generates
$node{a}->safe_psql('postgres', 'CREATE TABLE sent (n integer); ALTER PUBLICATION events ADD TABLE sent');
$node{reader}->safe_psql('postgres', 'CREATE TABLE sent (n integer, id objectid DEFAULT gen_objectid() PRIMARY KEY)');

my %binary = (a => 'false', b => 'true');
for my $name (qw(a b))
{
	$node{$name}->safe_psql('postgres', 'INSERT INTO event (n) SELECT n FROM generate_series(1, 1000) AS n');
	subscribe($node{reader}, "from_$name", $node{$name}, "binary = $binary{$name}$origin");

	# changes by key
	$node{$name}->safe_psql(
		'postgres', q{
UPDATE event SET refs = ARRAY[gen_objectid()] WHERE n % 10 = 0;
UPDATE event SET id = gen_objectid() WHERE n % 10 = 1;
DELETE FROM event WHERE n % 10 = 2;
});
}
if ($two_way)
{
	subscribe($node{$_}, "to_$_", $node{reader}, "binary, copy_data = false$origin") for qw(a b);
}
$node{a}->safe_psql('postgres', 'INSERT INTO sent SELECT n FROM generate_series(1, 1000) AS n');
$node{reader}->safe_psql('postgres', 'INSERT INTO sent SELECT n FROM generate_series(1001, 2000) AS n');

# all servers at the same time
my @running =
  map { start_load($_, "INSERT INTO event DEFAULT VALUES;\n", '--client=4', '--transactions=500') } values %node;
is(finish_load($_), 0, 'each server inserts its rows') for @running;
$node{$_}->wait_for_catchup("from_$_") for qw(a b);

my $rows = 'SELECT made_by, count(*), count(DISTINCT id) FROM event GROUP BY made_by ORDER BY made_by';
query_is($node{reader}, $rows, "a|2900|2900\nb|2900|2900\nreader|2000|2000", 'the reader has all rows of all servers');
my $all = q{SELECT md5(string_agg((id, refs, n)::text, ',' ORDER BY id)) FROM event WHERE made_by = };
query_is($node{reader}, "$all '$_'", $node{$_}->safe_psql('postgres', "$all '$_'"), "the rows of $_") for qw(a b);
query_is($node{reader}, 'SELECT count(DISTINCT id) FROM event', '7800', 'no id is duplicated');
query_is($node{reader}, 'SELECT count(DISTINCT id), count(DISTINCT substring(id::bytea, 5, 4)) FROM sent',
	'2000|1', q{an apply worker takes ids of its server's generator});
SKIP:
{
	skip '[expected] before 16 a subscription has no origin', 2 unless $two_way;
	for my $name (qw(a b))
	{
		$node{reader}->wait_for_catchup("to_$name");
		is( $node{$name}->safe_psql('postgres', $rows),
			"$name|2900|2900\nreader|2000|2000",
			"$name has its own and the reader's");
	}
}
unlike(slurp_file($_->logfile), qr/duplicate key|conflict/, 'no conflict') for values %node;

done_testing();
