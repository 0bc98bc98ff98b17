# Abbreviated keys tell ids apart, so that sorts rarely compare whole values.  A sort gives
# them up if too many tie.  With trace_sort the server logs this.
use strict;
use warnings FATAL => 'all';
use Test::More;
use TestServer;

my $node = start_node('main', sql => <<'SQL');
CREATE EXTENSION objectid;
-- an id of a process, known by 10 digits; its counter starts anywhere
CREATE FUNCTION id(second bigint, process text, n bigint) RETURNS objectid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex(second), 8, '0') || process || lpad(to_hex((n + ('x' || left(md5(process), 6))::bit(24)::integer) % 16777216), 6, '0'))::objectid $$;
SQL

plan skip_all => '[expected] a Datum of this server has 4 bytes, so keys contain the second only'
  if $node->safe_psql('postgres',
	q{SELECT version() ~ '32-bit' AND current_setting('server_version_num')::integer < 190000}) eq 't';

my $rows = 30_000;

# Sorts ids, given as an expression of n, and checks the order and whether the sort kept its keys
sub keys_kept
{
	my ($name, $id, $order, $expected) = @_;
	my ($stdout, $stderr);
	$node->psql('postgres', <<"SQL", stdout => \$stdout, stderr => \$stderr, on_error_die => 1);
CREATE TEMP TABLE ids AS SELECT $id AS id FROM generate_series(0, $rows - 1) AS n ORDER BY $order;
SET client_min_messages = log;
SET trace_sort = on;
CREATE TEMP TABLE sorted AS SELECT row_number() OVER () AS n, id FROM (SELECT id FROM ids ORDER BY id) AS s;
RESET trace_sort;
RESET client_min_messages;
SELECT count(*) FROM (SELECT n, row_number() OVER (ORDER BY id::bytea, n) AS true_n FROM sorted) AS s WHERE n <> true_n;
SQL
	is($stdout, '0', "$name: sorted");
	like($stderr, qr/begin (tuple|datum) sort/, "$name: the sort was traced");
	if ($expected)
	{
		unlike($stderr, qr/objectid_abbrev: aborting/, "$name: keys are kept");
	}
	else
	{
		like(
			$stderr,
			qr/\A(?!.*objectid_abbrev.*objectid_abbrev).*objectid_abbrev: aborting abbreviation, with [1-9][0-9]* keys of [1-9][0-9]* values/s,
			"$name: keys are given up once");
	}
}

my $random = 'random()';
my $process = q{substr(md5((n %% %d)::text), 1, 10)};
keys_kept('one process', q{id(1700000000 + n / 10000, 'aabbccddee', n)}, $random, 1);
keys_kept('one process, in order', q{id(1700000000 + n / 10000, 'aabbccddee', n)}, 'n', 1);
keys_kept("$_ processes", 'id(1700000000 + n / 10000, ' . sprintf($process, $_) . ', n)', $random, 1) for 2, 8, 64;
keys_kept('8 processes, in order', 'id(1700000000 + n / 10000, ' . sprintf($process, 8) . ', n)', 'n', 1);
keys_kept('years', 'id(1500000000 + n * 5000::bigint, ' . sprintf($process, 8) . ', n)', $random, 1);
keys_kept('random ids', q{substr(md5(n::text), 1, 24)::objectid}, $random, 1);
keys_kept('few ids, many times', q{id(1700000000, 'aabbccddee', n % 100)}, $random, 1);

# the layout before 2018: machine, process and counter
keys_kept('pids of a machine', q{id(1300000000, 'aabbcc' || lpad(to_hex(n % 8), 4, '0'), n)}, $random, 1);

# many processes of a machine, in a second
my $alike = q{('4d7c6d00aabbcc0' || left(md5((n % 1000)::text), 9))::objectid};
keys_kept('alike', $alike, $random, 0);
keys_kept(
	'alike, then random ids',
	"CASE WHEN n < 2000 THEN $alike ELSE substr(md5(n::text), 1, 24)::objectid END",
	'n', 1);

done_testing();
