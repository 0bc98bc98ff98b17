# Estimates for a foreign table: postgres_fdw estimates the conditions that it sends, and
# then the others for the rows that the remote server returns.  now() stays local.
use strict;
use warnings FATAL => 'all';
use List::Util qw(max);
use PostgreSQL::Test::Utils;
use Test::More;
use Needs;
use TestServer;

need_contrib('postgres_fdw');

my $node = start_node(
	'main',
	conf => "autovacuum = off\ntimezone = 'UTC'\nmax_parallel_workers_per_gather = 0\n",
	sql => slurp_file('sql/setup.sql'));
my ($host, $port) = ($node->host, $node->port);

# 60 days before now and 12 days after it, one row in 10 minutes
$node->safe_psql('postgres', <<"SQL");
CREATE TABLE event (id objectid PRIMARY KEY, created_at timestamptz, kind integer);
INSERT INTO event
SELECT gen_objectid(t), t, abs(n % 5) FROM generate_series(-8639, 1728) AS n, LATERAL (SELECT date_trunc('second', now()) + n * interval '10 minutes') AS i(t);
CREATE INDEX ON event (created_at);
CREATE EXTENSION postgres_fdw;
CREATE SERVER remote FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '$host', port '$port', dbname 'postgres', extensions 'objectid');
CREATE USER MAPPING FOR CURRENT_USER SERVER remote;
CREATE FOREIGN TABLE far (id objectid, created_at timestamptz, kind integer) SERVER remote OPTIONS (table_name 'event');
CREATE TABLE kinds AS SELECT n AS kind FROM generate_series(0, 4) AS n;
ANALYZE event, far, kinds;
SQL

# "$" in a condition is the column
my $sent = sub { "timestamptz '" . $node->safe_psql('postgres', "SELECT now() + interval '$_[0]'") . "'" };
my $local = sub { "now() + interval '$_[0]'" };
my (@queries, @estimates);
my %bounds = (
	'both sent' => [ $sent, $sent ],
	'the lower one sent' => [ $sent, $local ],
	'the upper one sent' => [ $local, $sent ],
	'both local' => [ $local, $local ]);
for my $name (sort keys %bounds)
{
	for my $width ('2 days', '20 days')
	{
		my ($from, $to) = @{ $bounds{$name} };
		my ($lower, $upper) = ('$ >= ' . $from->("-$width"), '$ < ' . $to->('0'));
		check($name, $width, "$lower AND $upper");
		check($name, $width, "$upper AND $lower");
		check("$name, and a condition on a different column", $width, "$upper AND kind < 6 AND $lower");
		check("$name, twice", $width,
			"$upper AND $lower AND \$ >= " . $local->('-50 days') . ' AND $ < ' . $sent->('5 days'));
		check("$name, in a join", $width, "$upper AND $lower", 'far JOIN kinds USING (kind)');
	}
}

# in one session, where a query is planned in the memory of a similar one
my @order = sort { $queries[$a] =~ s/\d//gr cmp $queries[$b] =~ s/\d//gr } keys @queries;
my @in_one = $node->safe_psql('postgres', join "\n", map { "EXPLAIN $_;" } @queries[@order]) =~ /^\w.* rows=(\d+)/mg;
is(scalar @in_one, @queries, 'all queries have estimates in one session');
my @different = grep { abs($in_one[$_] - $estimates[ $order[$_] ]) > 1 } keys @in_one;
is("@queries[@order[@different]]", '', 'an estimate does not depend on the query before');

# The remote server estimates what is sent to it, and core the rest for these rows
$node->safe_psql('postgres', "ALTER SERVER remote OPTIONS (ADD use_remote_estimate 'true')");
for my $name (sort keys %bounds)
{
	my ($from, $to) = @{ $bounds{$name} };
	my ($lower, $upper) = ('id >= ' . $from->('-2 days'), 'id < ' . $to->('0'));
	for my $condition ("$lower AND $upper", "$upper AND $lower",
		"$upper AND id >= " . $local->('-50 days') . " AND $lower")
	{
		near_truth("estimated there, $name", $condition);
	}
}
$node->safe_psql('postgres', "ALTER SERVER remote OPTIONS (DROP use_remote_estimate)");

# a function of somebody else's is no end of a period, whatever its argument
$node->safe_psql('postgres',
	q{CREATE FUNCTION first_of(tstzrange) RETURNS objectid LANGUAGE sql STABLE AS 'SELECT objectid_from_time(lower($1))'}
);
near_truth('a function of a period', "id > first_of(tstzrange(now() - interval '2 days', now())) AND id < now()");

# The remote session has only pg_catalog in its search_path.  Each condition is sent as it is, and gives the
# rows of the table itself; the fragments are what the remote server gets.
my ($id) = split(/\n/, $node->safe_psql('postgres', 'SELECT id FROM event ORDER BY id OFFSET 100'));
my $major = $node->safe_psql('postgres', q{SELECT current_setting('server_version_num')::integer / 10000});
my @conditions = (
	[ "id = '$id'", '(id = ' ],
	[ "id IS DISTINCT FROM '$id'", '(id IS DISTINCT FROM ' ],
	[ "id IS NOT DISTINCT FROM '$id'", '(NOT (id IS DISTINCT FROM ' ],
	[ "id > '$id' AND id < timestamptz '2100-01-01'", '(id > ' ],
	$major >= 17 ? [ "id = ANY ('{$id}')", '(id = ANY (' ] : (),
	[ "CASE id WHEN '$id' THEN kind = kind END", 'CASE id WHEN ' ]);
for (@conditions)
{
	my ($condition, $fragment) = @$_;
	sent_and_right("SELECT count(*), min(id), max(kind) FROM far WHERE $condition", $fragment);
	sent_and_right("UPDATE far SET kind = kind + 1 WHERE $condition RETURNING id, kind", $fragment);
	sent_and_right("DELETE FROM far WHERE $condition RETURNING id", $fragment);
}
sent_and_right("SELECT id FROM far WHERE id <> '$id' ORDER BY id DESC LIMIT 3", 'ORDER BY id DESC');

done_testing();

# a statement sends the fragment, leaves no condition for this server, and does the same with "event"
sub sent_and_right
{
	my ($statement, $fragment) = @_;
	my $plan = $node->safe_psql('postgres', "EXPLAIN (VERBOSE, COSTS OFF) $statement");
	like($plan, qr/Remote SQL: .*\Q$fragment\E/, "sent: $statement");
	unlike($plan, qr/Filter:|Cond:/, "nothing left for this server: $statement");
	my ($far, $here) =
	  map {
		$node->safe_psql('postgres',
			"BEGIN; SELECT md5(string_agg(far::text, ' ' ORDER BY id)) FROM far; ROLLBACK" =~
			  s/BEGIN;/BEGIN; $statement;/r =~ s/\bfar\b/$_/gr)
	  } 'far', 'event';
	is( join("\n", sort split(/\n/, $far)),
		join("\n", sort split(/\n/, $here)),
		"the same as with the table: $statement");
	return;
}

sub near_truth
{
	my ($name, $condition) = @_;
	my ($estimate, $rows) = split /\|/,
	  $node->safe_psql('postgres',
		"SELECT estimate(\$\$SELECT * FROM far WHERE $condition\$\$), (SELECT count(*) FROM event WHERE $condition)");
	ok($estimate <= 1.5 * $rows && $rows <= 1.5 * $estimate, "$name: the estimate is near the number of rows")
	  or diag("$condition: $rows rows, estimated $estimate");
	return;
}

sub check
{
	my ($name, $width, $condition, $from) = @_;
	$from //= 'far';
	my ($by_id, $by_created_at, $rows, $conditions) = split /\|/,
	  $node->safe_psql(
		'postgres',
		join ', ',
		'SELECT '
		  . join(', ',
			map { "estimate(\$\$SELECT * FROM $from WHERE " . $condition =~ s/\$/$_/gr . '$$)' } 'id', 'created_at'),
		'(SELECT count(*) FROM ' . $from =~ s/far/event/r . ' WHERE ' . $condition =~ s/\$/id/gr . ')');
	push @queries, "SELECT * FROM $from WHERE " . $condition =~ s/\$/id/gr;
	push @estimates, $by_id;
	my $text = "$rows rows, by id $by_id, by created_at $by_created_at";
	ok( max($by_id, $rows) <= 1.5 * ($by_id < $rows ? $by_id : $rows)
		  && max($by_id, $by_created_at) <= 1.5 * ($by_id < $by_created_at ? $by_id : $by_created_at),
		"$name, $width: $text") or diag($condition);
}
