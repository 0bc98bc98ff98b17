# Random conditions on random tables: the planner estimates conditions on the id as it
# does conditions on a created_at with the second of the id.  If the estimates differ, the
# one for the id is nearer to the number of rows.  5,000 conditions; 50,000 with script/test
# --long.
use strict;
use warnings FATAL => 'all';
use List::Util qw(max min shuffle);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use TestServer;

my $per_table = 250;
my $tables = $long ? 200 : 20;
my $seed = $ENV{OBJECTID_SEED} // 507;
srand($seed);
note("$tables tables, $per_table conditions each, OBJECTID_SEED=$seed");

my $node = start_node(
	'main',
	conf => "autovacuum = off\nfsync = off\ntimezone = 'UTC'\nmax_parallel_workers_per_gather = 0\n",
	sql => slurp_file('sql/setup.sql') . <<'SQL');
CREATE TABLE condition (n integer, by_id text, by_created_at text);
CREATE FUNCTION row_count(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  result bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM (%s) AS q', query) INTO result;
  RETURN result;
END$$;
SQL

sub pick   { return $_[ rand @_ ]; }
sub chance { return rand() < $_[0]; }

# seconds since 1970 as an instant, some slightly shifted; some are NULL or far away instead
sub instant
{
	my ($seconds) = @_;
	return "timestamptz '" . pick('-infinity', 'infinity', '1960-01-01', '2200-01-01') . "'" if chance(0.02);
	return 'nullif(now(), now())' if chance(0.01);
	return "to_timestamp($seconds)"
	  . pick('', '', '', " + interval '0.5 s'", " - interval '1 us'", " + interval '1 s'");
}

# one bound of a column, "$", on either side of the operator
sub bound
{
	my ($operators, $instant) = @_;
	my $operator = pick(@$operators);
	return "\$ $operator $instant" if chance(0.7);
	return "$instant " . $operator =~ tr/<>/></r . ' $';
}
sub lower { return bound([ '>', '>=' ], @_); }
sub upper { return bound([ '<', '<=' ], @_); }

# the error of an estimate, as the logarithm of a factor
sub error
{
	my ($estimate, $truth) = @_;
	return abs(log(max($estimate, 1) / max($truth, 1)));
}

my @factors;
my ($compared, $worse) = (0, 0);
for my $table (1 .. $tables)
{
	# a table: the times of its rows, the number of processes, other values
	my $rows = int(1000 * 30**rand());
	my $start = int(rand() * 3.5e9);
	my $span = max(2 * $rows, int(10**(4 + rand() * 4)));
	my %has = (
		nulls => chance(0.3) ? rand(0.5) : 0,
		frequent => chance(0.3) ? rand(0.3) : 0,
		repeated => chance(0.3) ? int(2 + rand(50)) : 1,
		processes => pick(1, 1, 2, 8, 1e9),
		skew => pick(1, 1, 0.3, 3, 10),
		target => pick(10, 100, 100, 1000),
		index => pick('none', '(%s)', '(%s)', '(%s)', '(%s DESC)', '(kind, %s)', '(%s) WHERE kind = 1'),
		growth => pick(0, 0, 0.01, 0.5),
		deleted => pick(0, 0, 0, 0.1));
	my $description = join ', ', "table $table: $rows rows, $start + $span s", map { "$_ $has{$_}" } sort keys %has;

	# no two values share a second, so that both columns have the same number of distinct values
	my $middle = int($start + $span / 3);
	my $make = sub {
		my ($first, $last, $from, $width) = @_;
		return <<SQL;
INSERT INTO event (id, kind)
SELECT CASE WHEN random() < $has{nulls} THEN NULL
            WHEN random() < $has{frequent} THEN (lpad(to_hex($middle), 8, '0') || 'aaaaaaaaaa000001')::objectid
            ELSE (lpad(to_hex(second), 8, '0') || substr(md5('$table.' || second % $has{processes}::bigint), 1, 10) || lpad(to_hex(second % 16777216), 6, '0'))::objectid END,
       n % 5
FROM generate_series($first, $last) AS n,
     LATERAL (SELECT $from + floor($width * power((n - $first) / $has{repeated} * $has{repeated} / ($last - $first + 1.0)::float8, $has{skew}))::bigint) AS t(second);
SQL
	};
	my $grown = int($rows * $has{growth});
	my $later = $start + $span + int($span * $has{growth});
	my $values = $node->safe_psql(
		'postgres',
		join "\n",
		'DROP TABLE IF EXISTS event;',
		'CREATE TABLE event (id objectid, created_at timestamptz GENERATED ALWAYS AS (objectid_time(id)) STORED, kind integer);',
		"ALTER TABLE event ALTER id SET STATISTICS $has{target}, ALTER created_at SET STATISTICS $has{target};",
		'SELECT setseed(' . ($seed / 1e4 + $table / 1e6) . ') \gset',
		$make->(1, $rows, $start, $span),
		(map { sprintf "CREATE INDEX ON event $has{index};", $_ } $has{index} eq 'none' ? () : qw(id created_at)),
		'ANALYZE event;',
		($grown > 10 ? $make->($rows + 1, $rows + $grown, $start + $span + 1, $later - $start - $span) : ''),
		(   $has{deleted}
			? "DELETE FROM event WHERE objectid_time(id) > to_timestamp($later - $span * $has{deleted}); VACUUM event;"
			: ''),
		# some of the values, the greatest one first
		'(SELECT extract(epoch FROM created_at)::bigint FROM event ORDER BY id DESC NULLS LAST LIMIT 1)',
		'UNION ALL (SELECT extract(epoch FROM created_at)::bigint FROM event WHERE id IS NOT NULL ORDER BY md5(ctid::text) LIMIT 20);'
	);
	my @seconds = split /\n/, $values;

	# conditions on the table
	my $time = sub {
		return pick($seconds[0], @seconds) if chance(0.1);
		return int($start - 0.05 * $span + 1.1 * rand() * ($later - $start));
	};
	my $side = sub { return pick(\&lower, \&upper)->(instant($time->())); };
	my $window = sub {
		my $from = $time->();
		my $width = int(10**rand(log(max($span, 10)) / log(10)));
		my ($low, $high) = (instant($from), instant($from + $width));
		return "\$ BETWEEN $low AND $high" if chance(0.2);
		my @bounds = (lower($low), upper($high));
		push @bounds, lower(instant($from - int(rand($width)))) if chance(0.15);
		push @bounds, upper(instant($from + $width + int(rand($width)))) if chance(0.15);
		push @bounds, pick(\&lower, \&upper)->(pick($low, $high)) if chance(0.15);
		return join ' AND ', shuffle @bounds;
	};
	my @conditions = map {
		my $what = rand();
			$what < 0.2  ? $side->()
		  : $what < 0.65 ? $window->()
		  : $what < 0.72 ? 'NOT (' . $window->() . ')'
		  : $what < 0.79 ? '(' . $window->() . ') OR $ IS NULL'
		  : $what < 0.86 ? $window->() . ' AND kind = ' . int(rand(5))
		  : $what < 0.93 ? '(' . $window->() . ') IS ' . pick('TRUE', 'NOT TRUE', 'FALSE')
		  :                join ' AND ', map { $side->() } 1 .. 3;
	} 1 .. $per_table;
	my $result = $node->safe_psql(
		'postgres',
		join "\n",
		'TRUNCATE condition;',
		'\copy condition FROM STDIN',
		(   map {
				my $n = $_;
				join "\t", $n, map { "SELECT * FROM event WHERE $conditions[$n]" =~ s/\$/$_/gr } qw(id created_at)
			} 0 .. $#conditions),
		'\.',

		# Estimates for created_at round the ends of a window to seconds, so that a repeated value
		# at an end can be in one window only: allow for one value at each end.
		'\set slack ' . (1 + 2 * ($has{repeated} > 1 ? $has{repeated} : 0)),
		'SELECT n, i, c, greatest(1, factor), CASE WHEN factor > 1.5 THEN row_count(by_id) END',
		'FROM condition, LATERAL (SELECT estimate(by_id), estimate(by_created_at) OFFSET 0) AS e(i, c),',
		'  LATERAL (SELECT (greatest(i, c) - :slack) / (least(i, c) + :slack)) AS f(factor) ORDER BY n;');
	for (split /\n/, $result)
	{
		my ($n, $by_id, $by_created_at, $factor, $truth) = split /\|/;
		$compared++;

		# if nothing is found, the bounds contradict each other: core expects 0.005 of the table
		push @factors, $factor if $truth ne '0';
		next if $truth eq '' || error($by_id, $truth) <= error($by_created_at, $truth);
		diag("$description\n$conditions[$n]: $truth rows, by id $by_id, by created_at $by_created_at");
		$worse++;
	}
}

@factors = sort { $a <=> $b } @factors;
note(sprintf 'factor between the estimates: median %.3f, 98 %% %.3f, worst %.2f',
	@factors[ @factors / 2, @factors * 0.98, -1 ]);
is($compared, $tables * $per_table, 'all conditions have estimates');
is($worse, 0,
	'if estimates on id and created_at differ by more than a factor of 1.5, the one on id is nearer to the truth');
cmp_ok($factors[ @factors * 0.98 ], '<', 1.01, '98 % of the estimates differ by less than 1 %');

done_testing();
