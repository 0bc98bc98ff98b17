# Functions of the tests of clients/: they start a server, run clients/<driver>/roundtrip.*, and
# check on the server what the program did.
#
# The program finds the server by PGHOST, PGPORT, PGUSER and PGDATABASE.  It prints a line for each
# of its checks, "ok - WHAT" or "not ok - WHAT".  The test lists each WHAT, too, so a missing check
# fails.  The program has these tables:
#
#	event		for the example in docs/clients*.md
#	made		1,000 ids that the BSON library generated for each way of sending them, HOW, with
#				the digits as the library writes them
#	generated	ids that the server generated, with the seconds of objectid_time()
#	list		arrays
#	dated		10,000 ids, one for each hour from 2024-01-01 00:00 UTC on, and the number n of
#				the hour.  "id > a date" compares "id" with 2025-02-20 05:00 UTC as the language's
#				date type (also with the operands swapped, if the client can), and must get the n
#				greater than 9989.  The server logs its plans: each query of the table must have
#				an index condition.
#	document	an id, and the BSON of {"_id": id} as bytea.  "BSON" serializes the id to the same
#				bytes, deserializes the bytes to an equal id, and finds the row by it.
#
# In the database "other" the type is apart.objectid: it has a different OID, and its schema is not
# on the search path.
package ClientTest;
use strict;
use warnings FATAL => 'all';
use Cwd      qw(abs_path);
use Exporter qw(import);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

our @EXPORT = qw(standard cargo test_client sections);

# standard($how, %without) - the checks for every way to send and read ids.  A test names a check
# that its client cannot pass, with the reason: bson => 'C++ has ...'.
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

# cargo($driver) - arguments of test_client() that build and run the crate of clients/$driver with
# the crates that Debian packages
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
#	npm    => the packages of clients/node/package.json that it needs,
#	build  => a command to run first,
#	run    => the command to run in that directory,
#	checks => the checks that must print "ok",
#	how    => the ways of sending ids that must have inserted 1,000 rows each into "made",
#	tcp    => true for a driver without Unix sockets)
sub test_client
{
	my (%arg) = @_;
	need($arg{driver} =~ s{/.*}{}r);
	need_contrib('auto_explain');
	plan skip_all => 'the packages of clients/node/package.json are not installed (script/setup --clients)'
	  if $arg{npm}
	  && !IPC::Run::run([ 'node', 'clients/node/installed.js', @{ $arg{npm} } ], '<', \undef, '>&', \my $installed);

	# Debian's packages of Go contain sources, so keep the build cache for the next test.  Go finds
	# the modules of clients/ as example.org/objectid/DIRECTORY.
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
-- of now, of the first and the last second of the type, and around 2038
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

	# client and server have different time zones other than UTC, so a date that loses its zone is wrong by hours
	local $ENV{TZ} = 'America/St_Johns';
	local $ENV{PGHOST} = $arg{tcp} ? '127.0.0.1' : $node->host;
	local $ENV{PGPORT} = $node->port;
	local $ENV{PGDATABASE} = 'postgres';
	local $ENV{PGUSER} = getpwuid($<);
	my ($output, $error);
	my $done = IPC::Run::run($arg{run}, '<', \undef, '>', \$output, '2>', \$error,
		init => sub { chdir("clients/$arg{driver}") or die "clients/$arg{driver}: $!\n" });

	ok($done, "$arg{driver}: the program exits with 0");
	diag("it printed:\n$output$error") unless $done;

	my %is = map { /^((?:not )?ok) - (.*)$/ ? ($2 => $1) : () } split(/\n/, $output);
	is(delete $is{$_}, 'ok', "$arg{driver}: $_") for @{ $arg{checks} };
	is(join(', ', sort keys %is), '', "$arg{driver}: the program runs no unlisted check");

	query_is(
		$node,
		'SELECT how, count(*), count(*) FILTER (WHERE id::text <> hex) FROM made GROUP BY how ORDER BY how',
		join("\n", map { "$_|1000|0" } sort @{ $arg{how} }),
		"$arg{driver}: the server writes each id as the BSON library does");
	query_is($node, 'SELECT count(*) FROM event', '1', "$arg{driver}: the example inserted its row");
	$node->stop;

	# plans of the queries of "dated"
	my @plans = grep { / on dated\b.*\(cost=/ } slurp_file($node->logfile) =~ /^\S.* plan:\n(?:\t.*\n)+/mg;
	cmp_ok(
		scalar @plans,
		'>=',
		scalar grep({ /: id > a date$/ } @{ $arg{checks} }),
		"$arg{driver}: each condition with a date reached the server");
	is(join("\n", grep { !/\bIndex Cond: / } @plans), '', "$arg{driver}: each condition with a date uses the index");

	shown($arg{driver});
	done_testing();
}

# sections($driver) - the sections of docs/clients*.md whose first link leads to clients/$driver,
# each as [page, heading, text]
sub sections
{
	my ($driver) = @_;
	my @found;
	for my $page (glob('docs/clients*.md'))
	{
		for (split(/^(?=#+ )/m, slurp_file($page)))
		{
			push @found, [ $page, $1, $2 ] if m{\A#+ ([^\n]*)\n([^\]]*\]\(\.\./clients/\Q$driver\E/.*)\z}s;
		}
	}
	return @found;
}

# Each part of an example, up to an empty line, is in the program that was run.  TypeScript is
# checked by t/client_node_modules.pl.
sub shown
{
	my ($driver) = @_;
	my ($program) = map { slurp_file($_) } glob("clients/$driver/[rR]ound[tT]rip.*");
	my @parts = map { split(/\n\n/) } map { $_->[2] =~ /^```(?!ts)\w+\n(.*?)^```$/msg } sections($driver);

	for ($program, @parts)
	{
		s/^[ \t]+//mg;
		s/[ \t]+/ /g;
	}
	cmp_ok(scalar @parts, '>', 0, "$driver: docs/clients*.md has an example");
	is(join("\n", grep { index($program, $_) < 0 } @parts), '', "$driver: the program contains the example");
}

1;
