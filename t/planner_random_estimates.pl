# Random conditions on random tables: the planner estimates conditions on the id as it
# does conditions on a created_at with the second of the id. 5,000 conditions; 50,000 with
# script/test --long.
use List::Util qw(max min shuffle);
use lib 't';
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
CREATE TABLE condition (n integer, parameters text, condition text);
-- the number of rows that the planner expects, in its own words, for a condition in which
-- "$" is the column, as a generic plan if it has parameters
CREATE FUNCTION estimate(parameters text, condition text, by text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  query text := 'SELECT * FROM event WHERE ' || regexp_replace(condition, '\$(?!\d)', by, 'g');
  rows text;
BEGIN
  IF parameters IS NULL THEN
    RETURN top_node(query)->>'Plan Rows';
  END IF;
  EXECUTE 'PREPARE q(timestamptz, timestamptz) AS ' || query;
  rows := top_node(format('EXECUTE q(%s)', parameters))->>'Plan Rows';
  DEALLOCATE q;
  RETURN rows;
END$$;
SQL

sub pick   { return $_[ rand @_ ]; }
sub chance { return rand() < $_[0]; }

# seconds since 1970 as an instant, some slightly shifted
sub instant
{
	my ($seconds) = @_;
	return "timestamptz '" . pick('-infinity', 'infinity', '1960-01-01', '2200-01-01') . "'" if chance(0.02);
	return "to_timestamp($seconds)"
	  . pick('', '', '', " + interval '0.5 s'", " - interval '1 us'", " + interval '1 s'");
}

# one bound of a column, on either side of the operator
sub bound
{
	my ($operators, $instant) = @_;
	my $operator = pick(@$operators);
	return "\$ $operator $instant" if chance(0.7);
	return "$instant " . $operator =~ tr/<>/></r . ' $';
}
sub lower { return bound([ '>', '>=' ], @_); }
sub upper { return bound([ '<', '<=' ], @_); }

sub is_empty
{
	my ($condition) = @_;
	return $node->safe_psql('postgres', "SELECT NOT EXISTS (SELECT FROM event WHERE $condition)") eq 't';
}

my @factors;
my ($compared, $unlike, $strange) = (0, 0, 0);
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
		index => pick('none', 'asc', 'asc', 'asc', 'desc', 'second', 'partial'),
		growth => pick(0, 0, 0.01, 0.5),
		deleted => pick(0, 0, 0, 0.1));
	my $description = join ', ', "table $table: $rows rows, $start + $span s", map { "$_ $has{$_}" } sort keys %has;

	# no two values share a second, so that both columns have the same number of distinct values
	my $random = $seed / 1e4 + $table / 1e6;
	my $middle = int($start + $span / 3);
	my $make = sub {
		my ($first, $last, $from, $width) = @_;
		return <<SQL;
INSERT INTO event
SELECT CASE WHEN random() < $has{nulls} THEN NULL
            WHEN random() < $has{frequent} THEN frequent
            ELSE (lpad(to_hex(second), 8, '0') || substr(md5('$table.' || second % $has{processes}::bigint), 1, 10) || lpad(to_hex(second % 16777216), 6, '0'))::objectid END,
       (n % 5)::integer
FROM generate_series($first, $last) AS n,
     LATERAL (SELECT $from + floor($width * power((n - $first) / $has{repeated} * $has{repeated} / ($last - $first + 1.0)::float8, $has{skew}))::bigint) AS t(second),
     LATERAL (SELECT (lpad(to_hex($middle), 8, '0') || 'aaaaaaaaaa000001')::objectid) AS f(frequent);
SQL
	};
	my %indexes = (
		none => '',
		asc => 'CREATE INDEX ON event (id); CREATE INDEX ON event (created_at);',
		desc => 'CREATE INDEX ON event (id DESC); CREATE INDEX ON event (created_at DESC);',
		second => 'CREATE INDEX ON event (kind, id); CREATE INDEX ON event (kind, created_at);',
		partial => 'CREATE INDEX ON event (id) WHERE kind = 1; CREATE INDEX ON event (created_at) WHERE kind = 1;');
	my $grown = int($rows * $has{growth});
	my $later = $start + $span + int($span * $has{growth});
	$node->safe_psql(
		'postgres',
		join "\n",
		'DROP TABLE IF EXISTS event;',
		"CREATE TABLE event (id objectid, kind integer, created_at timestamptz GENERATED ALWAYS AS (objectid_time(id)) STORED);",
		"SELECT setseed($random);",
		$make->(1, $rows, $start, $span),
		"ALTER TABLE event ALTER id SET STATISTICS $has{target}, ALTER created_at SET STATISTICS $has{target};",
		$indexes{ $has{index} },
		'ANALYZE event;',
		($grown > 10 ? $make->($rows + 1, $rows + $grown, $start + $span + 1, $later - $start - $span) : ''),
		(   $has{deleted}
			? "DELETE FROM event WHERE objectid_time(id) > to_timestamp($later - $span * $has{deleted}); VACUUM event;"
			: ''));

	# conditions on the table
	my @conditions;
	my $time = sub { return int($start - 0.05 * $span + 1.1 * rand() * ($later - $start)); };
	my $window = sub {
		my $from = $time->();
		my $width = int(10**rand(log(max($span, 10)) / log(10)));
		my ($low, $high) = (instant($from), instant($from + $width));
		return "\$ BETWEEN $low AND $high" if chance(0.2);
		my @bounds = (lower($low), upper($high));
		push @bounds, lower(instant($from - int(rand($width)))) if chance(0.15);
		push @bounds, upper(instant($from + $width + int(rand($width)))) if chance(0.15);
		return join ' AND ', shuffle @bounds;
	};
	for my $n (1 .. $per_table)
	{
		my $what = rand();
		my $condition =
			$what < 0.2  ? pick(\&lower, \&upper)->(instant($time->()))
		  : $what < 0.7  ? $window->()
		  : $what < 0.76 ? 'NOT (' . $window->() . ')'
		  : $what < 0.82 ? '(' . $window->() . ') OR (' . $window->() . ')'
		  : $what < 0.86 ? '(' . $window->() . ') OR $ IS NULL'
		  : $what < 0.90 ? $window->() . ' AND kind = ' . int(rand(5))
		  : $what < 0.93 ? '(' . $window->() . ' AND kind = 1) OR (' . $window->() . ' AND kind = 2)'
		  : $what < 0.96 ? '(' . $window->() . ') IS ' . pick('TRUE', 'NOT TRUE', 'FALSE')
		  :                join ' AND ', map { pick(\&lower, \&upper)->(instant($time->())) } 1 .. 3;
		my $parameters = 'NULL';
		if (chance(0.1))
		{
			# all instants or some of them are parameters of a generic plan
			my @of = (pick('$1', $time->()), '$2');
			my ($low, $high) = map { /^\$/ ? $_ : instant($_) } @of;
			$condition =
			  pick(lower($low), upper($high), lower($low) . ' AND ' . upper($high), "\$ BETWEEN $low AND $high");
			$parameters = "'now(), now()'";
		}
		push @conditions, "($n, $parameters, \$condition\$$condition\$condition\$)";
	}
	my $result = $node->safe_psql(
		'postgres',
		join "\n",
		'TRUNCATE condition;',
		'INSERT INTO condition VALUES ' . join(",\n", @conditions) . ';',
		'SET plan_cache_mode = force_generic_plan;',
		q{SELECT estimate(parameters, condition, 'id'), estimate(parameters, condition, 'created_at'), condition FROM condition ORDER BY n;}
	);

	for (split /\n/, $result)
	{
		my ($by_id, $by_created_at, $condition) = split /\|/, $_, 3;
		$compared++;
		if ($by_id !~ /^[0-9.e+]+$/ || $by_id < 1)
		{
			diag("$description\n$condition: $by_id rows");
			$strange++;
			next;
		}

		# Estimates for created_at round the ends of a window to seconds, so that a
		# repeated value at an end can be in one window only: allow for one value at each
		# end, and one row for rounding.
		my $slack = 1 + 2 * ($has{repeated} > 1 ? $has{repeated} : 0);
		my ($less, $more) = (min($by_id, $by_created_at), max($by_id, $by_created_at));
		my $factor = max(1, ($more - $slack) / ($less + $slack));
		push @factors, $factor;
		next if $factor <= 1.5;

		# Core treats a window without rows as empty or as unknown, depending on whether
		# the sum of its ends is above or below a limit, where rounding decides.  In an OR,
		# the rows of the other window are added to both.
		my ($windows) = $condition =~ s/\$(?!\d)/id/gr;
		next if $condition !~ /\$\d/ && grep { is_empty($_) } split / OR /, $windows;

		diag("$description\n$condition: by id $by_id, by created_at $by_created_at");
		$unlike++;
	}
}

@factors = sort { $a <=> $b } @factors;
note(sprintf 'factor between the estimates: median %.3f, 99 %% %.3f, worst %.2f',
	@factors[ @factors / 2, @factors * 0.99, -1 ]);
is($compared, $tables * $per_table, 'all conditions have estimates');
is($strange, 0, 'each estimate is a number of rows');
is($unlike, 0, 'estimates on id and created_at differ by at most a factor of 1.5');
cmp_ok($factors[ @factors * 0.99 ], '<', 1.01, '99 % of the estimates differ by less than 1 %');

done_testing();
