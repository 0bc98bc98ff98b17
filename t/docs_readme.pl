# The SQL of the tables in README.md does what they say.
use strict;
use warnings FATAL => 'all';
use File::Copy qw(copy);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use TestServer;

my $text = slurp_file('README.md');
like($text, qr/\A(?:.*\n){1,14}```sql\n/, 'SQL within 15 lines');
my $node = start_node('readme', sql => join('', $text =~ /^```sql\n(.*?)^```$/msg));

# The rows of the table in the section of this heading, each with the code of its cells
sub table
{
	my ($heading) = @_;
	my ($section) = $text =~ /^## \Q$heading\E\n(.*?)^## /ms or die("README.md has no section $heading");
	return map {
		[ map { /`(.*?)`/ } split(/ \| /) ]
	} $section =~ /^\| (`.*) \|$/mg;
}

my @shell = table('From MongoDB');
cmp_ok(@shell, '>=', 7, 'the cheat sheet has rows');
for (@shell)
{
	my ($method, $sql) = @$_;
	my $query = $sql =~ /^(?:WHERE|ORDER) / ? "SELECT * FROM event $sql" : "SELECT $sql FROM event";
	is($node->psql('postgres', $query), 0, "$method: $sql");
}

# The error of the SQL in a cell, or its plan
sub outcome
{
	my ($sql) = @_;
	my $statements = $sql =~ /^FOR VALUES/
	  ? "CREATE TEMP TABLE log (id objectid) PARTITION BY RANGE (id);
		CREATE TEMP TABLE log_2024 PARTITION OF log @{[ $sql =~ s/ FROM \K(.*)/$1 TO (MAXVALUE)/r ]};"
	  : "PREPARE query AS SELECT * FROM event $sql;
		EXPLAIN (COSTS OFF) EXECUTE query" . ($sql =~ /\$1/ ? '(now())' : '');
	my ($status, $out, $err) =
	  $node->psql('postgres', "SET enable_seqscan = off; SET enable_bitmapscan = off; $statements");
	return $status ? $err : $out;
}
my @time = table('Queries by time');
cmp_ok(@time, '>=', 6, 'the table of do and don\'t has rows');
for (@time)
{
	my ($do, $dont) = @$_;
	unlike(outcome($do), qr/ERROR|Filter|Sort/, "do: $do");
	like(outcome($dont), qr/ERROR|Filter|Sort/, "don't: $dont");
}

# without the server's headers, or with those of a server that is too old, make says what to install
for
  my $case ([ 15, PostgreSQL::Test::Utils::tempdir() ], [ 14, (run_command([ $pg_config, '--includedir-server' ]))[0] ])
{
	my ($major, $headers) = @$case;
	my $config = PostgreSQL::Test::Utils::tempdir() . '/pg_config';
	append_to_file($config,
		qq{#!/bin/sh\ncase \$1 in --version) echo PostgreSQL $major.1 ;; *) echo '$headers' ;; esac\n});
	chmod(0755, $config);
	my (undef, $message) = run_command([ 'make', "PG_CONFIG=$config" ]);
	like(
		$message,
		qr/no server headers of PostgreSQL 15 or later: install them \(Debian: postgresql-server-dev-$major/,
		"make without headers, PostgreSQL $major");
}

# one clone for two servers
my $build = PostgreSQL::Test::Utils::tempdir();
my $other = "$build/pg_config";
append_to_file($other, qq{#!/bin/sh\n"$pg_config" "\$@" | sed 's/^PostgreSQL /&of another kind, /'\n});
chmod(0755, $other);
copy($_, $build) or die "$_: $!" for qw(Makefile objectid.control), glob('*.[ch]');
my @make = ('make', '-C', $build, 'objectid.o');
delete local $ENV{MAKEFLAGS};    # of the tests' own make, which is silent
my @built = map { (run_command([ @make, "PG_CONFIG=$_" ]))[0] =~ /-c\b/ ? 1 : 0 } $pg_config, $pg_config, $other,
  $other;
is("@built", '1 0 1 0', 'make builds once for each server');

done_testing();
