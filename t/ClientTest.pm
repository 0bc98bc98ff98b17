# What the tests of clients/ share: a server, a run of clients/<driver>/roundtrip.*,
# and a look from the server's side at what it left.
#
# The program is told by PGHOST, PGPORT, PGUSER and PGDATABASE where the server is.
# It prints a line for each of its checks, "ok - WHAT" or "not ok - WHAT".  WHAT is
# listed in the test too, so that a check that is not made fails.  Tables for it:
#
#	event		for the example of docs/clients.md
#	made		1,000 ids that the BSON library made for each way in, HOW, with
#				the digits as the library writes them
#	generated	ids that the server made, with the seconds of objectid_time()
#	list		arrays
package ClientTest;
use lib 't';
use TestServer;

our @ISA = qw(TestServer);
our @EXPORT = qw(standard test_client);

# standard($how) - the checks that are made of every way to send and to read ids
sub standard
{
	my ($how) = @_;
	return map { "$how: $_" }
	  '1,000 ids come back equal',
	  'generated ids have the time of objectid_time()',
	  'NULL',
	  'WHERE with an ObjectId';
}

# test_client(
#	driver => its directory in clients/,
#	npm    => what it needs of clients/node/package.json,
#	build  => a command that is run before,
#	run    => the command, in that directory,
#	checks => what it must print "ok" for,
#	how    => the ways in that must have left 1,000 rows each in "made",
#	tcp    => for a driver that knows no Unix sockets)
sub test_client
{
	my (%arg) = @_;
	need($arg{driver} =~ s{/.*}{}r);
	plan skip_all => 'what is in clients/node/package.json is not installed (script/setup --clients)'
	  if $arg{npm}
	  && !IPC::Run::run([ 'node', 'clients/node/installed.js', @{ $arg{npm} } ], '<', \undef, '>&', \my $installed);

	# Debian's packages of Go are sources; what is built of them is kept for the next test
	local @ENV{qw(GOPATH GO111MODULE GOCACHE)} =
	  ('/usr/share/gocode', 'off', "${PostgreSQL::Test::Utils::tmp_check}/go");
	system_or_bail(@{ $arg{build} }) if $arg{build};

	my $node = start_node(
		'client_' . $arg{driver} =~ s/\W/_/gr,
		conf => $arg{tcp} && "listen_addresses = '127.0.0.1'",
		sql => q{
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text);
CREATE TABLE made (how text, id objectid, hex text NOT NULL, PRIMARY KEY (how, id));
CREATE TABLE list (n integer PRIMARY KEY, ids objectid[]);
-- of now, and of the first and the last second there is and around 2038
CREATE TABLE generated AS
  SELECT id, extract(epoch FROM objectid_time(id))::bigint AS seconds
  FROM (SELECT gen_objectid() AS id FROM generate_series(1, 1000)
        UNION ALL
        SELECT gen_objectid(to_timestamp(s)) FROM unnest('{0, 2147483647, 2147483648, 4294967295}'::bigint[]) AS s
        OFFSET 0) AS g;
});

	local $ENV{PGHOST} = $arg{tcp} ? '127.0.0.1' : $node->host;
	local $ENV{PGPORT} = $node->port;
	local $ENV{PGDATABASE} = 'postgres';
	local $ENV{PGUSER} = getpwuid($<);
	my ($output, $error);
	my $done = IPC::Run::run($arg{run}, '<', \undef, '>', \$output, '2>', \$error,
		init => sub { chdir("clients/$arg{driver}") or die "clients/$arg{driver}: $!\n" });

	ok($done, "$arg{driver}: the program runs to its end");
	diag("it printed:\n$output$error") unless $done;

	my %is = map { /^((?:not )?ok) - (.*)$/ ? ($2 => $1) : () } split(/\n/, $output);
	is(delete $is{$_}, 'ok', "$arg{driver}: $_") for @{ $arg{checks} };
	is(join(', ', sort keys %is), '', "$arg{driver}: no check that the test does not know");

	query_is(
		$node,
		'SELECT how, count(*), count(*) FILTER (WHERE id::text <> hex) FROM made GROUP BY how ORDER BY how',
		join("\n", map { "$_|1000|0" } sort @{ $arg{how} }),
		"$arg{driver}: the server has each id as the BSON library writes it");
	query_is($node, 'SELECT count(*) FROM event', '1', "$arg{driver}: the example did what it shows");
	$node->stop;

	shown($arg{driver});
	done_testing();
}

# The page's example is a part of the program that was run, or parts with an empty
# line between them.
sub shown
{
	my ($driver) = @_;
	my $page = slurp_file('docs/clients.md');
	my ($program) = map { slurp_file($_) } glob("clients/$driver/[rR]ound[tT]rip.*");
	my ($example) = $page =~ m{^## [^\n]*clients/\Q$driver\E/.*?\n```\w+\n(.*?)^```$}ms;

	$example //= '';
	for ($program, $example)
	{
		s/^[ \t]+//mg;
		s/[ \t]+/ /g;
	}
	ok($example, "$driver: docs/clients.md has an example");
	is(join("\n", grep { index($program, $_) < 0 } split(/\n\n/, $example)), '', "$driver: and it is what was run");
}

1;
