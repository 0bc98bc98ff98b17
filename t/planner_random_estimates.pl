# Random conditions on random tables: the planner estimates conditions on the id as it
# does conditions on a created_at with the second of the id.  If the estimates differ, the
# one for the id is nearer to the number of rows.  5,000 conditions; 50,000 with script/test
# --long.
use strict;
use warnings FATAL => 'all';
use List::Util qw(max min shuffle);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

my $per_table = 250;
my $tables = $long ? 200 : 20;
my $seed = $ENV{OBJECTID_SEED} // 507;
srand($seed);
note("$tables tables, $per_table conditions each, OBJECTID_SEED=$seed");

my $node = start_node(
	'main',
	conf => "autovacuum = off\nfsync = off\ntimezone = 'UTC'\nmax_parallel_workers_per_gather = 0\n"
	  . "enable_partitionwise_join = on\n",
	sql => slurp_file('sql/setup.sql') . <<'SQL');
CREATE TABLE condition (n integer, parameters text, by_id text, by_created_at text, ends text[]);
-- the number of rows that the planner expects, in its own words, as a generic plan if the
-- query has parameters
CREATE FUNCTION estimate(parameters text, query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
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
-- a prefix operator on both columns: true for every third second
CREATE FUNCTION is_third(timestamptz) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN extract(epoch FROM $1)::bigint % 3 = 0; END';
CREATE FUNCTION is_third(objectid) RETURNS boolean LANGUAGE plpgsql IMMUTABLE STRICT AS 'BEGIN RETURN is_third(objectid_time($1)); END';
CREATE OPERATOR ### (RIGHTARG = timestamptz, FUNCTION = is_third, RESTRICT = scalarltsel);
CREATE OPERATOR ### (RIGHTARG = objectid, FUNCTION = is_third, RESTRICT = objectid_ineqsel);
SQL

sub pick   { return $_[ rand @_ ]; }
sub chance { return rand() < $_[0]; }

# ids of the table and their seconds, the greatest one first
my (@ids, @seconds);

# In a condition, "$" is the id or created_at, "&" a second id or its time, and #N# the id
# or the time of @ids.
sub query
{
	my ($from, $condition, $by) = @_;
	my $query = 'SELECT * FROM ' . $from =~ s/\?/$condition/r;
	$query =~ s/#(\d+)#/$by eq 'id' ? "objectid '$ids[$1]'" : "to_timestamp($seconds[$1])"/ge;
	$query =~ s/&/$by eq 'id' ? 'other' : 'other_at'/ge;
	return $query =~ s/\$(?!\d)/$by/gr;
}

# seconds since 1970 as an instant, some slightly shifted; some are a value of the table or
# NULL instead
sub instant
{
	my ($seconds) = @_;
	return "timestamptz '" . pick('-infinity', 'infinity', '1960-01-01', '2200-01-01') . "'" if chance(0.02);
	return 'nullif(now(), now())' if chance(0.01);
	return '#' . pick(0, int(rand @ids)) . '#' if chance(0.1);
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

# the estimates of a condition by id and by created_at, and the number of rows
sub judge
{
	my ($from, $condition) = @_;
	my ($by_id, $by_created_at) = map { query($from, $condition, $_) } 'id', 'created_at';
	return split /\|/,
	  $node->safe_psql('postgres',
			"SELECT estimate(NULL, \$query\$$by_id\$query\$), estimate(NULL, \$query\$$by_created_at\$query\$),"
		  . " (SELECT count(*) FROM ($by_id) AS q)");
}

# the error of an estimate, as the logarithm of a factor
sub error
{
	my ($estimate, $truth) = @_;
	return abs(log(max($estimate, 1) / max($truth, 1)));
}

my @factors;
my ($compared, $strange, $worse, $above, $judged) = (0, 0, 0, 0, 0);
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
		deleted => pick(0, 0, 0, 0.1),
		partitions => chance(0.25) ? 2 : 0);
	my $partition_by = $has{partitions} ? sub { " PARTITION BY LIST ($_[0])" } : sub { '' };
	my $description = join ', ', "table $table: $rows rows, $start + $span s", map { "$_ $has{$_}" } sort keys %has;

	# no two values share a second, so that both columns have the same number of distinct values
	my $random = $seed / 1e4 + $table / 1e6;
	my $middle = int($start + $span / 3);
	my $make = sub {
		my ($first, $last, $from, $width) = @_;
		return <<SQL;
INSERT INTO event (id, other, kind)
SELECT CASE WHEN random() < $has{nulls} THEN NULL
            WHEN random() < $has{frequent} THEN frequent
            ELSE (lpad(to_hex(second), 8, '0') || substr(md5('$table.' || second % $has{processes}::bigint), 1, 10) || lpad(to_hex(second % 16777216), 6, '0'))::objectid END,
       (lpad(to_hex($from + (second - $from) * 7 % $width), 8, '0') || 'aaaaaaaaaa000001')::objectid,
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
		'DROP TABLE IF EXISTS event, small;',
		'CREATE TABLE event (id objectid, created_at timestamptz GENERATED ALWAYS AS (objectid_time(id)) STORED,'
		  . ' other objectid, other_at timestamptz GENERATED ALWAYS AS (objectid_time(other)) STORED, kind integer)'
		  . $partition_by->('kind') . ';',
		'CREATE TABLE small (of integer)' . $partition_by->('of') . ';',
		(   $has{partitions}
			? map {
				(   "CREATE TABLE ${_}_0 PARTITION OF $_ FOR VALUES IN (0, 1, 2);",
					"CREATE TABLE ${_}_1 PARTITION OF $_ DEFAULT;")
			  } qw(event small)
			: ''),
		'INSERT INTO small SELECT n % 3 + 1 FROM generate_series(1, 12) AS n;',
		"SELECT setseed($random);",
		$make->(1, $rows, $start, $span),
		"ALTER TABLE event ALTER id SET STATISTICS $has{target}, ALTER created_at SET STATISTICS $has{target},"
		  . " ALTER other SET STATISTICS $has{target}, ALTER other_at SET STATISTICS $has{target};",
		$indexes{ $has{index} },
		'ANALYZE event, small;',
		($grown > 10 ? $make->($rows + 1, $rows + $grown, $start + $span + 1, $later - $start - $span) : ''),
		(   $has{deleted}
			? "DELETE FROM event WHERE objectid_time(id) > to_timestamp($later - $span * $has{deleted}); VACUUM event;"
			: ''));

	# some of the ids, the greatest one first
	my $values = $node->safe_psql('postgres',
			q{(SELECT id, extract(epoch FROM created_at)::bigint FROM event ORDER BY id DESC NULLS LAST LIMIT 1)}
		  . q{UNION ALL (SELECT id, extract(epoch FROM created_at)::bigint FROM event WHERE id IS NOT NULL ORDER BY md5(ctid::text) LIMIT 20)}
	);
	@ids = map { (split /\|/)[0] } split /\n/, $values;
	@seconds = map { (split /\|/)[1] } split /\n/, $values;

	# conditions on the table
	my (@queries, @rows, @arms);
	my $time = sub { return int($start - 0.05 * $span + 1.1 * rand() * ($later - $start)); };
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
		push @bounds, '### $' if chance(0.05);
		push @bounds, $side->() =~ tr/$/&/r if chance(0.05);
		return join ' AND ', shuffle @bounds;
	};
	my $either = sub {
		@arms = @_;
		return join ' OR ', map { "($_)" } @_;
	};
	for my $n (1 .. $per_table)
	{
		@arms = ();
		my $what = rand();
		my $condition =
			$what < 0.2  ? $side->()
		  : $what < 0.65 ? $window->()
		  : $what < 0.71 ? 'NOT (' . $window->() . ')'
		  : $what < 0.77 ? $either->($window->(), $window->())
		  : $what < 0.81 ? $either->($window->(), '$ IS NULL')
		  : $what < 0.85 ? $window->() . ' AND kind = ' . int(rand(5))
		  : $what < 0.88 ? $either->($window->() . ' AND kind = 1', $window->() . ' AND kind = 2')
		  : $what < 0.91 ? '(' . $window->() . ') IS ' . pick('TRUE', 'NOT TRUE', 'FALSE')
		  : $what < 0.95 ? join ' AND ', map { $_, tr/$/&/r } $side->(), $side->()
		  :                join ' AND ', map { $side->() } 1 .. 3;
		my $from =
		  chance(0.7)
		  ? 'event WHERE ?'
		  : pick(
			'event JOIN small ON of = kind WHERE ?',
			'small LEFT JOIN event ON of = kind AND (?)',
			'event LEFT JOIN small ON of = kind AND (?)',
			'event WHERE NOT EXISTS (SELECT FROM small WHERE of = kind AND (?))');
		my ($parameters, @ends) = ('NULL');
		if (chance(0.1))
		{
			# all instants or some of them are parameters of a generic plan
			my ($low, $high) = map { /^\$/ ? $_ : instant($_) } pick('$1', $time->()), '$2';
			@ends = ("\$ >= $low", "\$ <= $high");
			$condition = pick(join(' AND ', shuffle lower($low), upper($high)), "\$ BETWEEN $low AND $high");
			$from = 'event WHERE ?';
			$parameters = "'now(), now()'";
		}
		push @queries, [ $from, $condition, @arms ];
		push @rows,
			"($n, $parameters, "
		  . join(', ', map { "\$query\$$_\$query\$" } map { query($from, $condition, $_) } 'id', 'created_at')
		  . ', ARRAY['
		  . join(', ', map { '$query$' . query($from, $_, 'id') . '$query$' } @ends)
		  . ']::text[])';
	}
	my $result = $node->safe_psql(
		'postgres',
		join "\n",
		'TRUNCATE condition;',
		'INSERT INTO condition VALUES ' . join(",\n", @rows) . ';',
		'SET plan_cache_mode = force_generic_plan;',
		q{SELECT estimate(parameters, by_id), estimate(parameters, by_created_at),}
		  . q{ (SELECT min(estimate(parameters, e)::float8) FROM unnest(ends) AS e) FROM condition ORDER BY n;});

	for (split /\n/, $result)
	{
		my ($by_id, $by_created_at, $end) = split /\|/, $_, 3;
		my ($from, $condition, @arms) = @{ $queries[ $compared++ % $per_table ] };
		my $query = query($from, $condition, 'id');

		# core leaves out a partition if the conditions contradict each other
		if ($by_id !~ /^[0-9.e+]+$/ || $by_id < 1 && !$has{partitions})
		{
			diag("$description\n$query: $by_id rows");
			$strange++;
			next;
		}

		# Nothing is known about a parameter, but a window has no more rows than either end
		# alone.
		if ($end)
		{
			next if $by_id <= $end + 1;
			diag("$description\n$query: $by_id rows, one end $end rows");
			$above++;
			next;
		}

		# Estimates for created_at round the ends of a window to seconds, so that a
		# repeated value at an end can be in one window only: allow for one value at each
		# end, and one row of each partition for rounding.  A join returns up to four rows
		# for each.
		my $slack = max(1, $has{partitions}) + 2 * ($has{repeated} > 1 ? $has{repeated} : 0);
		$slack *= 4 if $from =~ /JOIN/;
		my $get_factor = sub {
			my ($less, $more) = (min(@_), max(@_));
			return max(1, ($more - $slack) / ($less + $slack));
		};
		my $factor = $get_factor->($by_id, $by_created_at);
		if ($factor <= 1.5)
		{
			push @factors, $factor;
			next;
		}

		# Core expects 0.005 of the table if the ends of a window contradict each other.  In
		# an OR this can make up for an error in a different window, so judge each alone.
		$judged++;
		my @alone = map { [ 'event WHERE ?', $_, judge('event WHERE ?', $_) ] } @arms;
		@alone = [ $from, $condition, judge($from, $condition) ] unless grep { $$_[-1] == 0 } @alone;
		for (@alone)
		{
			my ($from, $condition, $by_id, $by_created_at, $truth) = @$_;
			next if $get_factor->($by_id, $by_created_at) <= 1.5;
			push @factors, $factor if $truth > 0;
			next if error($by_id, $truth) <= error($by_created_at, $truth);
			my $query = query($from, $condition, 'id');
			diag("$description\n$query: $truth rows, by id $by_id, by created_at $by_created_at");
			$worse++;
		}
	}
}

@factors = sort { $a <=> $b } @factors;
note(sprintf 'factor between the estimates: median %.3f, 98 %% %.3f, worst %.2f',
	@factors[ @factors / 2, @factors * 0.98, -1 ]);
note("$judged conditions with a factor above 1.5");
is($compared, $tables * $per_table, 'all conditions have estimates');
is($strange, 0, 'each estimate is a number of rows');
is($worse, 0,
	'if estimates on id and created_at differ by more than a factor of 1.5, the one on id is nearer to the truth');
is($above, 0, 'a window with a parameter has no more rows than one of its ends');
cmp_ok($factors[ @factors * 0.98 ], '<', 1.01, '98 % of the estimates differ by less than 1 %');

done_testing();
