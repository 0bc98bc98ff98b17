# Many clients share few server sessions through pgbouncer, one transaction at a time: no
# id is duplicated, and the ids of each client increase strictly.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

need('scale_pgbouncer');

my $node = start_node(
	'pgbouncer', sql => q{
CREATE EXTENSION objectid;
-- the order in which a client made them is that of "n"
CREATE TABLE made (id objectid DEFAULT gen_objectid(), session integer DEFAULT pg_backend_pid(), client integer, n bigserial);
});

my $dir = PostgreSQL::Test::Utils::tempdir_short();
my $user = $node->safe_psql('postgres', 'SELECT current_user');
append_to_file("$dir/users", qq("$user" ""\n));
my $port = PostgreSQL::Test::Cluster::get_free_port();
append_to_file(
	"$dir/pgbouncer.ini", "
[databases]
postgres = host=@{[$node->host]} port=@{[$node->port]}
[pgbouncer]
listen_addr =
listen_port = $port
unix_socket_dir = $dir
auth_type = trust
auth_file = $dir/users
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
logfile = $dir/log
pidfile = $dir/pid
");
my $bouncer = IPC::Run::start([ 'sh', '-c', 'PATH=$PATH:/usr/sbin exec pgbouncer "$0"', "$dir/pgbouncer.ini" ],
	'<', \undef, '>', \my $stdout, '2>', \my $stderr);
my $connection = "host=$dir port=$port dbname=postgres user=$user";
my $answers = 0;
for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
{
	$answers =
	  IPC::Run::run([ 'psql', '-XAt', '-c', 'SELECT 1', $connection ], '<', \undef, '>', \my $one, '2>', \my $none)
	  and last;
	$bouncer->pumpable or last;
	select(undef, undef, undef, 0.1);
}
ok($answers, 'pgbouncer answers') or BAIL_OUT(-f "$dir/log" ? slurp_file("$dir/log") : $stderr);

append_to_file("$dir/insert.sql", "INSERT INTO made (client) VALUES (:client_id), (:client_id), (:client_id);\n");
ok( IPC::Run::run(
		[
			'pgbench', '--no-vacuum', '--protocol=simple', '--client=20',
			'--transactions=100', "--file=$dir/insert.sql", $connection
		],
		'<',
		\undef,
		'>',
		\$stdout,
		'2>',
		\$stderr),
	'20 clients insert') or diag($stderr);

query_is($node, 'SELECT count(*), count(DISTINCT id), count(DISTINCT client) FROM made',
	'6000|6000|20', 'no id is duplicated');
query_is($node, 'SELECT count(DISTINCT session) BETWEEN 1 AND 3 FROM made', 't', 'at most three sessions');
query_is($node,
	'SELECT bool_or(clients > 1) FROM (SELECT count(DISTINCT client) AS clients FROM made GROUP BY session) AS s',
	't', 'clients share sessions');
query_is(
	$node,
	'SELECT count(*) FROM (SELECT id <= lag(id) OVER (PARTITION BY client ORDER BY n) AS wrong FROM made) AS s WHERE wrong',
	'0',
	'the ids of each client increase strictly');
$bouncer->kill_kill;

done_testing();
