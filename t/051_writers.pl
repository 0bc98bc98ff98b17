# Two servers make ids and publish them; a third takes both, while it makes its own,
# in the same table.  No conflict, nothing lost, nothing twice.
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
for my $name (qw(a b))
{
	# rows that are there before, for the initial copy
	$node{$name}->safe_psql('postgres', 'INSERT INTO event SELECT FROM generate_series(1, 1000); CREATE PUBLICATION events FOR TABLE event');
	my $connection = $node{$name}->connstr . ' dbname=postgres';
	$node{reader}->safe_psql('postgres', "CREATE SUBSCRIPTION from_$name CONNECTION '$connection' PUBLICATION events WITH (binary)");
}
$node{reader}->poll_query_until('postgres', q{SELECT count(*) = 2 FROM pg_subscription_rel WHERE srsubstate = 'r'}) or BAIL_OUT('no initial copy');

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
unlike(slurp_file($node{reader}->logfile), qr/duplicate key|conflict/, 'no conflict');
$_->stop for @node{qw(reader a b)};

done_testing();
