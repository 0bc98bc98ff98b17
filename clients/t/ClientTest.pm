# Functions of the tests of clients/, which are one file a language: they start a server, install the
# language's package as users do, run a program for each driver, and check on the server what it did.
# A test needs no other "use": it gets strict, warnings, and what the modules below export.
#
# After __END__ a test has a table with a line for each driver, and a second one with other checks of
# the package.  Tabs separate the fields.  A driver has
#
#	driver		its name
#	program		and other files that contain its examples on the page of the language
#	ways		in which the program sends ids, separated by ", ", or "-" if those of the driver below it
#	needs		names of tests in packages, or "sources" (OBJECTID_SOURCES)
#
# The program finds the server by PGHOST, PGPORT, PGUSER and PGDATABASE, with the tables of
# tables.sql.  The environment variable VECTORS has a line "DIGITS SECONDS" for each row of
# "vector".  The program prints TAP, with a plan that it states as a number.  Each way HOW except
# those of COPY has the checks "HOW: " and
#
#	1,000 ids come back equal
#	NULL
#	WHERE with an ObjectId
#	id > a date		"id" of "dated" compared with 2025-02-20 05:00 UTC, as the language's date type:
#				the n greater than 9989.  The server logs its plans: each query of the table
#				must have an index condition.
#	vectors			each id of VECTORS, as it was read, has these digits, bytes and seconds, by
#				functions of the BSON library, and "=" finds it
#
# In the database "other" the type has a different OID, and there is a table of its name.  The database
# "empty" is for the first migration of an application: the type does not exist there.
package ClientTest;
use strict;
use warnings FATAL => 'all';
use Cwd            qw(abs_path);
use Exporter       ();
use File::Basename qw(basename dirname);
use PostgreSQL::Test::Utils;
use TAP::Parser;
use Test::More;
use Needs;
use TestServer;

# the directory of the project
chdir(dirname($0) . '/..') or die("$0: $!");

our @ISA = qw(Exporter);
our @EXPORT = (
	@Needs::EXPORT, @PostgreSQL::Test::Utils::EXPORT,
	@Test::More::EXPORT, @TestServer::EXPORT, qw(basename shell table test_clients));

sub import
{
	strict->import;
	warnings->import(FATAL => 'all');
	return __PACKAGE__->export_to_level(1);
}

# table($test) - the lines of the tables of a test, as hashes
sub table
{
	my ($test) = @_;
	my (@fields, @lines);
	for (split(/\n/, slurp_file($test) =~ s/.*^__END__\n//msr))
	{
		my @values = split(/\t+/);
		if ($values[0] =~ s/^# //) { @fields = @values; next }
		push @lines, { map { $fields[$_] => $values[$_] } 0 .. $#values };
	}
	return @lines;
}

# shell($directory, $command) - runs a shell command there; returns whether it succeeds, and what it prints
sub shell
{
	my ($directory, $command) = @_;
	# some tools color their output if CI is set
	local $ENV{NO_COLOR} = 1;
	my $done = IPC::Run::run([ 'bash', '-e', '-o', 'pipefail', '-c', $command ],
		'<', \undef, '>', \my $output, '2>', \my $error, init => sub { chdir($directory) or die "$directory: $!\n" });
	return ($done, $output, $error);
}

# test_clients(
#	install => shell commands that install the package; they are run in a new directory, which has
#				what is published of the project in "package",
#	run => a shell command that builds and runs a program; it is run in the directory of the program,
#	missing => a reason to skip all drivers, or undef,
#	without => a pattern of ways that the installed drivers do not have, or undef,
#	tcp => true for drivers without Unix sockets)
#
# The environment of the commands: DIRECTORY is the new directory, CLIENT the directory of the project, DRIVER
# the name of the driver, and PROGRAM the file name of the program.
sub test_clients
{
	my (%arg) = @_;
	need_contrib('auto_explain');
	need(my $language = basename($0, '.pl'));
	my $node = start_node(
		"clients_$language",
		conf =>
		  "TimeZone = 'Asia/Kolkata'\nsession_preload_libraries = 'auto_explain'\nauto_explain.log_min_duration = 0\n"
		  . ($arg{tcp} ? "listen_addresses = '127.0.0.1'" : ''),
		sql => slurp_file('t/tables.sql'));
	$node->safe_psql('template1', 'ALTER DATABASE postgres RENAME TO tables; CREATE DATABASE again');
	$node->safe_psql('again', 'CREATE EXTENSION objectid; CREATE TABLE objectid (n integer)');
	my %template = (postgres => 'tables', other => 'again', empty => 'template0');

	# client and server have different time zones other than UTC, so a date that loses its zone is wrong by hours
	local @ENV{qw(TZ PGPORT PGDATABASE)} = ('America/St_Johns', $node->port, 'postgres');
	local $ENV{PGHOST} = $arg{tcp} ? '127.0.0.1' : $node->host;
	local $ENV{VECTORS} = $node->safe_psql('tables', q{SELECT hex || ' ' || seconds FROM vector});
	local @ENV{qw(DIRECTORY CLIENT)} = ('', abs_path('.'));
	for my $line (table("t/$language.pl"))
	{
	  SKIP:
		{
			my @missing = map { $_ eq 'sources' ? missing_sources() : missing($_) // () } split(/ /, $line->{needs});
			push @missing, $arg{missing} // () if $line->{driver};
			skip $missing[0], 1 if @missing;
			$ENV{DIRECTORY} ||= install($arg{install} // '');
			$node->safe_psql('template1',
				"DROP DATABASE IF EXISTS $_ WITH (FORCE); CREATE DATABASE $_ TEMPLATE $template{$_}")
			  for keys %template;
			$line->{driver} ? test_driver($node, $line, $arg{run}, $arg{without}) : test_package($line);
		}
	}
	$node->stop;
	done_testing();
	return;
}

sub install
{
	my ($commands) = @_;
	local $ENV{HOME} = my $directory = abs_path(PostgreSQL::Test::Utils::tempdir());
	my ($done, @printed) = shell('.', "script/package . $directory/package; cd $directory\n$commands");
	$done or die "the package cannot be installed:\n@printed\n";
	return $directory;
}

# a command that succeeds, and prints no line other than those that a pattern matches
sub test_package
{
	my ($check) = @_;
	my ($done, @printed) = shell($ENV{DIRECTORY}, $check->{command});
	my $allowed = $check->{allowed} // '(?!)';
	my @other = grep { !/$allowed/ } map { split(/\n/) } @printed;
	ok($done && !@other, $check->{check}) or diag(join("\n", $done ? @other : @printed));
	return;
}

sub test_driver
{
	my ($node, $driver, $run, $without) = @_;
	my ($name, $program) = ($driver->{driver}, split(/ /, $driver->{program}));
	my @all = sort grep { $_ ne '-' && (!defined $without || !/$without/) } split(/, /, $driver->{ways});
	my @ways = grep { !/^copy/ } @all;
	my $logged = -s $node->logfile;
	local @ENV{qw(DRIVER PROGRAM)} = ($name, basename($program));
	my ($done, $output, $error) = shell(dirname($program), $run);

	ok($done, "$name: the program exits with 0") or diag("it printed:\n$output$error");
	my $tap = TAP::Parser->new({ tap => $output });
	my %checked;
	while (my $line = $tap->next)
	{
		next unless $line->is_test;
		my $what = $line->description =~ s/^- //r;
		ok($line->is_actual_ok && !$line->directive, "$name: $what");
		$checked{$what} = 1;
	}
	is(join("\n", $tap->parse_errors), '', "$name: the program runs the checks that it plans");
	for my $how (@ways)
	{
		my @checks = ('1,000 ids come back equal', 'NULL', 'WHERE with an ObjectId', 'id > a date', 'vectors');
		is(join(', ', grep { !$checked{"$how: $_"} } @checks), '', "$name: $how: no check is missing");
	}

	my $rows = 1000 + (my $vectors = () = $ENV{VECTORS} =~ /^/mg);
	query_is(
		$node, q{
SELECT how, count(*), count(seconds), count(*) FILTER (WHERE id::text = hex AND
  coalesce(objectid_time(id) = to_timestamp(seconds), abs(extract(epoch FROM now() - objectid_time(id))) < 3600))
FROM made LEFT JOIN vector USING (hex) GROUP BY how ORDER BY how},
		join("\n", map { "$_|$rows|$vectors|$rows" } @all),
		"$name: the server writes each id as the BSON library does, and reads its time");
	query_is($node, 'SELECT count(*) FROM event', '1', "$name: the example inserted its row");

	# plans of the queries of "dated", when all sessions of the program have ended
	my $alone = q{SELECT count(*) = 1 FROM pg_stat_activity WHERE backend_type = 'client backend'};
	$node->poll_query_until('postgres', $alone) or die "$name: its sessions did not end\n";
	my $log = substr(slurp_file($node->logfile), $logged);
	my @plans = grep { / on dated\b.*\(cost=/ } $log =~ /^\S.* plan:\n(?:\t.*\n)+/mg;
	cmp_ok(scalar @plans, '>=', scalar @ways, "$name: each condition with a date reached the server");
	is(join("\n", grep { !/\bIndex Cond: / } @plans), '', "$name: each condition with a date uses the index");
	return;
}

1;
