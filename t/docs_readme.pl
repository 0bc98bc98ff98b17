# The SQL of the tables in README.md does what they say.  script/demo says why it cannot run.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
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
cmp_ok(@shell, '>=', 4, 'the cheat sheet has rows');
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

# says($message, $what, $command, NAME => VALUE, ...) - what a shell's command prints in this environment
sub says
{
	my ($message, $what, $command, %environment) = @_;
	local @ENV{ keys %environment } = values %environment;
	like((run_command([ 'bash', '-c', $command ]))[1], $message, $what);
	return;
}
my $dir = PostgreSQL::Test::Utils::tempdir();
says(qr/PG_CONFIG is \Q$dir\E, which is a directory/, 'PG_CONFIG is a directory', 'script/demo', PG_CONFIG => $dir);
says(qr{cannot enter \Q$dir\E/none}, 'no TMPDIR', 'script/demo', TMPDIR => "$dir/none");
mkdir("$dir/with space") or die;
says(qr/the path .* has .* white space/, 'TMPDIR with a space', 'script/demo', TMPDIR => "$dir/with space");
append_to_file("$dir/df", "#!/bin/sh\nprintf 'a head\\nnone 9 4 5 90%% /\\n'\n");
chmod(0755, "$dir/df");
says(
	qr/only 5 MB are free in .*needs/, 'TMPDIR is full', '. script/common.sh; make_work; false',
	TMPDIR => '/tmp',
	PATH => "$dir:$ENV{PATH}");
SKIP:
{
	my ($noexec) =
	  grep { -w } -e '/proc/mounts' ? slurp_file('/proc/mounts') =~ /^\S+ (\S+) tmpfs \S*\bnoexec\b/mg : ();
	skip '[expected] no directory is mounted noexec', 1 if !$noexec;
	says(qr/programs cannot run in \Q$noexec\E, .*noexec/, 'TMPDIR is mounted noexec', 'script/demo',
		TMPDIR => $noexec);
}

done_testing();
