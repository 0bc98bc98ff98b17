# The pages of docs/ show what the server really prints.
use lib 't';
use TestServer;

my $node = start_node('docs');
my ($sharedir) = run_command([ $pg_config, '--sharedir' ]);
for my $page (glob('docs/*.md'))
{
	my $text = slurp_file($page);
	next unless $text =~ /^```sql$/m;
	if ($text =~ /CREATE EXTENSION (postgres_fdw)/ && !-f "$sharedir/extension/$1.control")
	{
	  SKIP: { skip "$page: $1, of contrib, is not installed", 2 }
		next;
	}

	my ($database) = $page =~ m{/(\w+)\.md};
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	local $ENV{PGDATABASE} = $database;
	my ($filled, $error) = run_command([ $^X, 'script/fill-page', $page ]);
	is($error, '', "$page: its statements run");
	ok("$filled\n" eq $text, "$page: and print what it shows") or do
	{
		IPC::Run::run([ 'diff', '-u', $page, '-' ], '<', \"$filled\n", '>', \my $difference);
		diag($difference);
	};
}

done_testing();
