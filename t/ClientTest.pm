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
#	dated		10,000 ids, one for each hour from 2024-01-01 00:00 UTC on, and the number n of
#				the hour.  "id > a date" reads the n that are greater than 9989 by a comparison
#				of "id" with 2025-02-20 05:00 UTC as the language's date type (also with the
#				operands swapped, if the client can).  The server logs its plans, where each
#				query of the table must have an index condition.
#	document	an id, and the BSON of {"_id": id} as bytea.  "BSON" writes these very bytes
#				from the id, and reads from them what equals the id and finds the row.
#
# In the database "other" the type is apart.objectid: of another OID, and in a schema that
# is not on the search path.
package ClientTest;
use Cwd qw(abs_path);
use lib 't';
use TestServer;

our @ISA = qw(TestServer);
our @EXPORT = qw(standard cargo test_client);

# standard($how, %without) - the checks that are made of every way to send and to read
# ids.  What a client cannot do, it declares with the reason: bson => 'C++ has ...'.
sub standard
{
	my ($how, %without) = @_;
	my %optional = (time => 'id > a date', bson => 'BSON');
	for (sort keys %without)
	{
		my $what = delete $optional{$_} or die "there is no check $_\n";
		note("$how: no check \"$what\": $without{$_}");
	}
	return map { "$how: $_" }
	  '1,000 ids come back equal',
	  'generated ids have the time of objectid_time()',
	  'NULL',
	  'WHERE with an ObjectId', map { $optional{$_} } sort keys %optional;
}

# cargo($driver) - how to build and to run the crate of clients/$driver, of the crates that
# Debian packages
sub cargo
{
	my ($driver) = @_;
	my $directory = $ENV{CARGO_TARGET_DIR} // "${PostgreSQL::Test::Utils::tmp_check}/cargo";
	return (
		build => [
			'env',
			"CARGO_HOME=$directory/home",
			'cargo',
			'build',
			'--quiet',
			'--offline',
			"--manifest-path=clients/$driver/Cargo.toml",
			"--target-dir=$directory",
			'--config=source.crates-io.replace-with="debian"',
			'--config=source.debian.directory="/usr/share/cargo/registry"'
		],
		run => ["$directory/debug/roundtrip-$driver"]);
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
	need_contrib('auto_explain');
	plan skip_all => 'what is in clients/node/package.json is not installed (script/setup --clients)'
	  if $arg{npm}
	  && !IPC::Run::run([ 'node', 'clients/node/installed.js', @{ $arg{npm} } ], '<', \undef, '>&', \my $installed);

	# Debian's packages of Go are sources; what is built of them is kept for the next test.  The
	# modules of clients/ are found as example.org/objectid/DIRECTORY.
	my $go = "${PostgreSQL::Test::Utils::tmp_check}/go";
	mkdir $_ for $go, map { "$go/$_" } qw(cache src src/example.org);
	symlink(abs_path('clients'), "$go/src/example.org/objectid");
	local @ENV{qw(GOPATH GO111MODULE GOCACHE)} =
	  (join(':', $go, grep({ defined } $ENV{GOPATH}), '/usr/share/gocode'), 'off', "$go/cache");
	die "$arg{driver}: the program cannot be built\n"
	  if $arg{build} && PostgreSQL::Test::Utils::system_log(@{ $arg{build} }) != 0;

	my $node = start_node(
		'client_' . $arg{driver} =~ s/\W/_/gr,
		conf => join("\n",
			"TimeZone = 'Asia/Kolkata'",
			"session_preload_libraries = 'auto_explain'",
			'auto_explain.log_min_duration = 0',
			$arg{tcp} ? "listen_addresses = '127.0.0.1'" : ()),
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
CREATE TABLE dated AS
  SELECT n, gen_objectid(timestamptz '2024-01-01 00:00Z' + n * interval '1 hour') AS id FROM generate_series(0, 9999) AS n;
ALTER TABLE dated ADD PRIMARY KEY (id);
ANALYZE dated;
CREATE TABLE document AS
  SELECT id, '\x16000000075f696400'::bytea || id::bytea || '\x00'::bytea AS bson
  FROM (SELECT gen_objectid() AS id OFFSET 0) AS g;
ALTER TABLE document ADD PRIMARY KEY (id);
CREATE DATABASE other;
});
	$node->safe_psql('other', 'CREATE SCHEMA apart; CREATE EXTENSION objectid SCHEMA apart');

	# a date that loses its time zone is wrong by hours: client and server are in two, neither of them UTC
	local $ENV{TZ} = 'America/St_Johns';
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

	# plans of the table's queries, after that of ANALYZE
	my @plans = grep { / on dated\b.*\(cost=/ } slurp_file($node->logfile) =~ /^\S.* plan:\n(?:\t.*\n)+/mg;
	cmp_ok(
		scalar @plans,
		'>=',
		scalar grep({ /: id > a date$/ } @{ $arg{checks} }),
		"$arg{driver}: the server was asked for ids of a time");
	is(join("\n", grep { !/\bIndex Cond: / } @plans), '', "$arg{driver}: the index answers");

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
