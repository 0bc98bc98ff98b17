# Two servers make ids and publish them; a third takes both, while it makes its own,
# in the same table, and from 16 on they take those.  No conflict, nothing lost,
# nothing twice.
use strict;
use warnings;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my %node;
for my $name (qw(a b reader))
{
	$node{$name} = PostgreSQL::Test::Cluster->new($name);
	$node{$name}->init(allows_streaming => 'logical');
	$node{$name}->start;
	$node{$name}->safe_psql('postgres', "CREATE EXTENSION objectid; CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, made_by text DEFAULT '$name')");
}
# before 16 a row that came would go on, and back to where it came from
my $two_way = $node{reader}->safe_psql('postgres', q{SELECT current_setting('server_version_num')::integer >= 160000}) eq 't';
for my $name (qw(a b))
{
	# rows that are there before, for the initial copy
	$node{$name}->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 1000); CREATE PUBLICATION events FOR TABLE event');
	my $connection = $node{$name}->connstr . ' dbname=postgres';
	$node{reader}->safe_psql('postgres', "CREATE SUBSCRIPTION from_$name CONNECTION '$connection' PUBLICATION events WITH (binary" . ($two_way ? ', origin = none)' : ')'));
}
$node{reader}->poll_query_until('postgres', q{SELECT count(*) = 2 FROM pg_subscription_rel WHERE srsubstate = 'r'}) or BAIL_OUT('no initial copy');

# the way back: changes of the reader's own
if ($two_way)
{
	$node{reader}->safe_psql('postgres', 'CREATE PUBLICATION events FOR TABLE event');
	my $connection = $node{reader}->connstr . ' dbname=postgres';
	for my $name (qw(a b))
	{
		$node{$name}->safe_psql('postgres', "CREATE SUBSCRIPTION to_$name CONNECTION '$connection' PUBLICATION events WITH (binary, copy_data = false, origin = none)");
		$node{$name}->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_subscription_rel WHERE srsubstate = 'r'}) or BAIL_OUT('no way back');
	}
}

# all at a time
my $script = $node{a}->basedir . '/insert.sql';
append_to_file($script, "INSERT INTO event DEFAULT VALUES;\n");
my @running = map {
	IPC::Run::start([ 'pgbench', '--no-vacuum', '--client=4', '--transactions=500', "--file=$script", $_->connstr('postgres') ],
		'<', \undef, '>', \my $out, '2>', \my $err)
} values %node;
ok($_->finish, 'a server makes its rows') for @running;
$node{$_}->wait_for_catchup("from_$_") for qw(a b);

is($node{reader}->safe_psql('postgres', 'SELECT made_by, count(*), count(DISTINCT id) FROM event GROUP BY made_by ORDER BY made_by'),
	"a|3000|3000\nb|3000|3000\nreader|2000|2000", 'the reader has all rows of all');
my $ids = q{SELECT md5(string_agg(id::text, ',' ORDER BY id)) FROM event WHERE made_by = };
is($node{reader}->safe_psql('postgres', "$ids '$_'"), $node{$_}->safe_psql('postgres', "$ids '$_'"), "the ids of $_") for qw(a b);
is($node{reader}->safe_psql('postgres', 'SELECT count(DISTINCT id) FROM event'), '8000', 'no id twice');
SKIP:
{
	skip 'before 16 a subscription has no origin', 2 unless $two_way;
	for my $name (qw(a b))
	{
		$node{reader}->wait_for_catchup("to_$name");
		is($node{$name}->safe_psql('postgres', 'SELECT made_by, count(*), count(DISTINCT id) FROM event GROUP BY made_by ORDER BY made_by'),
			"$name|3000|3000\nreader|2000|2000", "$name has its own and the reader's");
	}
}
unlike(slurp_file($_->logfile), qr/duplicate key|conflict/, 'no conflict') for values %node;
$_->stop for @node{qw(reader a b)};

done_testing();
