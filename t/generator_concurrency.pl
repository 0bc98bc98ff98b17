# Many sessions insert into one table: no duplicate ids, no lost rows.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use TestServer;

# 5 million rows for each bulk insert; 20 million with script/test --long
my $rows = 5_000_000 * ($long ? 4 : 1);

my $node = start_node(
	'concurrency',
	conf => q{
max_connections = 60
shared_buffers = 256MB
autovacuum = off
},
	sql => q{
CREATE EXTENSION objectid;
CREATE UNLOGGED TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, how integer);
});

# four bulk inserts, each a single statement ...
my @bulk;
for (1 .. 4)
{
	push @bulk,
	  IPC::Run::start(
		[
			'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'),
			'-c', "INSERT INTO made (how) SELECT 0 FROM generate_series(1, $rows)"
		],
		'<',
		\undef,
		'2>',
		\my $error);
}

# ... and meanwhile 40 clients that insert single rows
$node->pgbench(
	'--no-vacuum --client=40 --jobs=2 --transactions=2000',
	0, [qr{processed: 80000/80000}],
	[qr{^$}],
	'40 clients insert single rows',
	{ single => 'INSERT INTO made (how) VALUES (1);' });
ok($_->finish, "bulk insert of $rows rows") for @bulk;

query_is(
	$node,
	'SELECT count(*) FILTER (WHERE how = 0), count(*) FILTER (WHERE how = 1) FROM made',
	4 * $rows . '|80000',
	'every row is there, in a table with a primary key');

done_testing();
