# Random queries in many shapes: no query crashes the server, fails, or finds different rows
# because a column is an objectid.  Every query has a twin in the schema "by_time", where the
# columns "id" are not objectids, but the timestamptz of the same second.  4,000 queries; 60,000
# with script/test --long.
#
# Then random conditions on random tables: the planner estimates conditions on the id as it does
# conditions on a created_at with the second of the id.  If the estimates differ, the one for the id
# is nearer to the number of rows.  3,000 conditions; 50,000 with script/test --long.
# Takes long.
use strict;
use warnings FATAL => 'all';
use Digest::MD5 qw(md5_hex);
use List::Util  qw(max min shuffle);
use POSIX       qw(strftime);
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my $queries = $long ? 60_000 : 4_000;
my $seed = set_seed(507);

sub pick   { return $_[ rand @_ ]; }
sub chance { return rand() < $_[0]; }

# In a statement, #N stands for the id of the second N, and ID_TYPE for the type of "id".  No two
# ids share a second, so both schemas have the same order.
sub time_text { return strftime('%Y-%m-%d %H:%M:%S', gmtime $_[0]) . ($_[1] // '') . '+00'; }
sub id_text   { return sprintf('%08x', $_[0]) . substr(md5_hex($_[0]), 0, 16); }
my %translate = (
	by_id => sub { $_[0] =~ s/#(\d+)/"'" . id_text($1) . "'::objectid"/ger =~ s/ID_TYPE/objectid/gr },
	by_time => sub { $_[0] =~ s/#(\d+)/"'" . time_text($1) . "'::timestamptz"/ger =~ s/ID_TYPE/timestamptz/gr });

# Times are in 80 minutes, a few at the ends of the range of the type, or outside.
my @minutes = map { 1_700_000_000 + 60 * $_ } 0 .. 79;
my $early = "'[2023-11-14 22:13:20+00,2023-11-14 22:50:00+00)'::tstzrange";
my $middle = "timestamptz '2023-11-14 22:53:20+00'";
sub second { return '#' . (chance(0.02) ? pick(0, 4_294_967_295) : pick(@minutes)); }

sub instant
{
	return chance(0.03)
	  ? "'" . pick('-infinity', 'infinity', '1960-01-01 00:00:00+00', '2200-01-01 00:00:00+00') . "'"
	  : "'" . time_text(pick(@minutes), pick('', '', '', '.5')) . "'";
}

sub period
{
	return pick("'empty'", "'(,)'") if chance(0.05);
	my ($from, $to) = sort map { time_text($_) } (shuffle @minutes)[ 0, 1 ];
	return pick("'[$from,)'", "'(,$to)'") if chance(0.2);
	return pick("'[", "'(") . "$from,$to" . pick("]'", ")'");
}

# The tables and views all have the columns n, y, id, at and during.
my $five = 'n integer, y integer, id ID_TYPE, at timestamptz, during tstzrange';
my @limit = map { "#$minutes[$_]" } 20, 40, 60;
my $tables = <<"SQL";
CREATE DOMAIN id_domain AS ID_TYPE CHECK (VALUE IS NULL OR VALUE >= timestamptz '1970-01-01 00:00:00+00');
CREATE DOMAIN at_domain AS timestamptz;
CREATE DOMAIN period_domain AS objectid_period;
CREATE FUNCTION span(a timestamptz, b timestamptz) RETURNS tstzrange LANGUAGE sql IMMUTABLE AS \$\$SELECT tstzrange(least(a, b), greatest(a, b), '[]')\$\$;
CREATE FUNCTION lately() RETURNS tstzrange LANGUAGE sql STABLE AS \$\$SELECT tstzrange(now() - (now() - $middle), NULL)\$\$;
CREATE FUNCTION is_in(id ID_TYPE, during tstzrange) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT id <@ during';
CREATE FUNCTION is_after(id ID_TYPE, at timestamptz) RETURNS boolean LANGUAGE plpgsql STABLE AS 'BEGIN RETURN id > at; END';

CREATE TABLE plain ($five);
CREATE TABLE keyed ($five, PRIMARY KEY (id), CHECK (id <@ tstzrange('1970-01-01 00:00:00+00', NULL)));
CREATE INDEX ON keyed (at);
CREATE INDEX ON keyed USING gist (during);
CREATE STATISTICS keyed_statistics (mcv) ON y, (id <@ during) FROM keyed;
CREATE TABLE indexed ($five, made timestamptz GENERATED ALWAYS AS (id::timestamptz) STORED, inside boolean GENERATED ALWAYS AS (id <@ during) STORED);
CREATE UNIQUE INDEX ON indexed (id) WHERE id <@ during;
CREATE INDEX ON indexed (id) WHERE id <@ $early;
CREATE INDEX ON indexed ((id <@ during), y) WHERE id >= $middle;
CREATE INDEX ON indexed ((id::timestamptz)) WHERE id < at;
CREATE INDEX ON indexed (y) WHERE id <@ $early;
CREATE TABLE wide (n integer, y integer, id id_domain, at at_domain, during objectid_period,
  ids id_domain[], texts text[], ats at_domain[], periods period_domain[], period period_domain);
CREATE INDEX ON wide (id);
CREATE INDEX ON wide USING gist (during);
CREATE STATISTICS wide_statistics (ndistinct, mcv) ON y, id, during FROM wide;

CREATE TABLE ranged ($five) PARTITION BY RANGE (id);
CREATE TABLE ranged_1 PARTITION OF ranged FOR VALUES FROM (MINVALUE) TO ($limit[0]);
CREATE TABLE ranged_2 PARTITION OF ranged FOR VALUES FROM ($limit[0]) TO ($limit[2]) PARTITION BY HASH (id);
CREATE TABLE ranged_2_0 PARTITION OF ranged_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE ranged_2_1 PARTITION OF ranged_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE ranged_3 PARTITION OF ranged DEFAULT;
CREATE UNIQUE INDEX ON ranged (id) WHERE id <@ during;
CREATE INDEX ON ranged (id) WHERE id >= $middle;
CREATE STATISTICS ranged_statistics (ndistinct, mcv) ON (id::timestamptz), y FROM ranged;
CREATE TABLE ranged_too ($five) PARTITION BY RANGE (id);
CREATE TABLE ranged_too_1 PARTITION OF ranged_too FOR VALUES FROM (MINVALUE) TO ($limit[0]);
CREATE TABLE ranged_too_2 PARTITION OF ranged_too FOR VALUES FROM ($limit[0]) TO ($limit[2]);
CREATE TABLE ranged_too_3 PARTITION OF ranged_too DEFAULT;
CREATE UNIQUE INDEX ON ranged_too (id) WHERE id >= $middle;
CREATE INDEX ON ranged_too USING gist (during);
CREATE TABLE hashed ($five) PARTITION BY HASH (id);
CREATE TABLE hashed_0 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE hashed_1 PARTITION OF hashed FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE UNIQUE INDEX ON hashed (id) WHERE id <@ $early;
CREATE INDEX ON hashed USING hash (id);
CREATE TABLE listed ($five) PARTITION BY LIST (y);
CREATE TABLE listed_1 PARTITION OF listed FOR VALUES IN (1, 2, NULL);
CREATE TABLE listed_2 PARTITION OF listed DEFAULT PARTITION BY RANGE (id);
CREATE TABLE listed_2_1 PARTITION OF listed_2 FOR VALUES FROM (MINVALUE) TO ($limit[1]);
CREATE TABLE listed_2_2 PARTITION OF listed_2 DEFAULT;
CREATE INDEX ON listed (y, id);
CREATE TABLE parent ($five);
CREATE TABLE child_1 (CHECK (id < $limit[1])) INHERITS (parent);
CREATE TABLE child_2 (CHECK (id >= $middle), CHECK (id <@ '[2023-01-01,)'::tstzrange)) INHERITS (parent);
CREATE INDEX ON child_1 USING brin (id);
CREATE INDEX ON child_2 (id DESC);
CREATE TABLE secret ($five);
CREATE INDEX ON secret (id, y);
CREATE POLICY known ON secret USING (id <@ during OR y < 4 AND EXISTS (SELECT FROM keyed WHERE keyed.y = secret.y AND keyed.id <@ span(secret.at, now())));
CREATE VIEW guarded WITH (security_barrier) AS SELECT * FROM keyed WHERE id <@ during OR id >= $middle;
CREATE VIEW united AS SELECT n, y, id, at, during FROM ranged WHERE id <@ $early UNION ALL SELECT n, y, id, at, during FROM wide;
CREATE FUNCTION rows_in(period tstzrange) RETURNS SETOF keyed LANGUAGE sql STABLE AS 'SELECT * FROM keyed WHERE id <@ period';
CREATE FUNCTION rows_after(at timestamptz) RETURNS SETOF ranged LANGUAGE sql STABLE AS 'SELECT * FROM ranged AS r WHERE r.id > rows_after.at';
SQL

# insert($table, $n, @ids) - rows with these ids, numbered from $n on
sub insert
{
	my ($table, $n, @ids) = @_;
	my $values = join ",\n", map {
		my ($at, $during) = (chance(0.05) ? 'NULL' : instant(), chance(0.05) ? 'NULL' : period());
		my $y = chance(0.05) ? 'NULL' : int(rand 7);
		my @more = ("ARRAY[$_, " . second() . ']::id_domain[]', "ARRAY[$_]::text[]", "ARRAY[$at]::at_domain[]");
		push @more, "ARRAY[$during, " . period() . ']::tstzrange[]', period();
		'(' . join(', ', $n++, $y, $_, $at, $during, $table eq 'wide' ? @more : ()) . ')';
	} @ids;
	return "INSERT INTO $table VALUES $values;";
}

# ids that differ, and ids that need not
sub different_ids
{
	return map { "#$_" } (shuffle 0, 4_294_967_295, @minutes)[ 1 .. $_[0] ];
}

sub random_ids
{
	return map { chance(0.05) ? 'NULL' : second() } 1 .. $_[0];
}

my $data = join "\n", insert('keyed', 1, different_ids(30)),
  (map { insert($_, 1, 'NULL', different_ids(20)) } qw(indexed ranged ranged_too hashed)),
  (map { insert($_, 1, random_ids(20)) } qw(plain wide listed parent secret)),
  insert('child_1', 21, map { "#$_" } @minutes[ 20 .. 29 ]), insert('child_2', 31, map { "#$_" } @minutes[ 40 .. 49 ]),
  'ALTER TABLE secret ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;';
my @tables = qw(plain keyed indexed wide ranged ranged_too hashed listed parent secret guarded);

# The grammar: {x} is one of the alternatives of x, which may begin with a weight.  {.x} is the column
# x of a relation in scope, {:x} that of a relation of the same query level.  [[x; y]] is a subquery
# that selects x and ends with y.
my %grammar = map { s/\n +/ /gr =~ /(\w+): (.*)/ } split /\n(?! )/, <<"END";
condition: 11 {comparison} | 5 {sublink} | NOT ({condition}) | ({condition}) {is} | 3 ({condition} OR {condition}) |
  ({condition} AND {condition} AND {condition})
is: IS TRUE | IS NOT TRUE | IS NOT FALSE
op: < | <= | > | >=
quantifier: 2 ANY | ALL
comparison: 5 {id} {op} {instant} | 3 {instant} {op} {id} | 13 {id} <@ {period} | 2 {id} {op} {id} |
  {id} = {id} | {id} <> {id} | 2 {.y} = {digit} | 2 {id} BETWEEN {instant} AND {instant} |
  ({id}, {.y}) {op} ({id}, {digit}) | {id} IS NULL | {id} IS DISTINCT FROM {id} | {id} IN ({id}, {id}, {id}) |
  {id} NOT IN ({id}, {second}) | {.id} <@ $early | {.id} <@ '[2023-01-01,)'::tstzrange | 2 {.id} >= $middle |
  2 is_in({id}, {period}) | is_after({id}, {instant}) | {instant} {op} {quantifier} (ARRAY[{id}, {id}]) |
  {second} {op} {quantifier} (ARRAY[{id}, {id}]) | {second} {op} {quantifier} (ARRAY[{.id}]) |
  {id} {op} {quantifier} (ARRAY[{id}, {id}]) | {id} {op} {quantifier} (ARRAY[{instant}, {instant}]) |
  2 {id} <@ {quantifier} (ARRAY[{period}, {period}])
sublink: 6 EXISTS [[]] | 3 EXISTS [[*]] | 3 NOT EXISTS [[1]] | {id} IN [[{id}]] | {id} NOT IN [[{id}]] |
  ({id}, {.y}) IN [[{id}, {.y}]] | {id} {op} {quantifier} [[{instant}]] | {instant} {op} {quantifier} [[{id}]] |
  {id} <@ {quantifier} [[{period}]] | [[count(*)]] > {digit}
id: 20 {.id} | 3 {second} | 2 {id_parameter} | (ARRAY[{.id}, {.id}])[1] | coalesce({.id}, {second}) | nullif({.id}, {.id}) |
  least({.id}, {.id}) | CASE WHEN {.y} < 4 THEN {.id} ELSE {.id} END | {.id}::id_domain | [[max({:id})]]
instant: 8 {.at} | 3 timestamptz {instant_text} | 3 (now() - (now() - timestamptz '2023-11-14 23:0{digit}:00+00')) |
  2 {instant_parameter} | {.id}::timestamptz | coalesce({.at}, {instant_text})::at_domain | [[min({:at})]]
period: 6 {.during} | 5 {period_constant} | lately() | tstzrange(now(), now()) | tstzrange(now(), NULL) |
  tstzrange(now() - interval '100 years', now()) | 2 span({instant}, {instant}) |
  span({.at}, {instant_text})::objectid_period | tstzrange({instant}, NULL) | tstzrange(NULL, {instant}, '(]') |
  2 {period_parameter} | coalesce({.during}, {period_constant}) | {.during} * {period_constant} |
  2 CASE WHEN {.y} < 4 THEN {.during} ELSE {period_constant} END | [[{:during}; ORDER BY 1 LIMIT 1]]
period_constant: 10 {period_text}::tstzrange | 4 {period_text}::objectid_period | 4 {period_text}::period_domain |
  NULL::tstzrange
five: 4 [[{.n} AS n, {.y} AS y, {id} AS id, {.at} AS at, {:during} AS during]] |
  [[{.n} AS n, {.y} AS y, {.id} AS id, {instant} AS at, {:during} AS during]]
row: ({digit}, {digit}, {second}, timestamptz {instant_text}, {period_constant})
group: (array_agg(during ORDER BY during))[1] FROM ({five}) AS s GROUP BY
derived: 6 {five} | 2 VALUES {row}, {row}, {row} | {five} UNION ALL {five} | {five} UNION {five} | {five} INTERSECT {five} |
  {five} EXCEPT {five} | 2 SELECT count(*)::integer, y, max(id), max(at), {group} y HAVING max(id) > timestamptz {instant_text} |
  SELECT count(*)::integer, y, id, max(at), {group} GROUPING SETS ((y), (id), ()) |
  SELECT count(*)::integer, y, id, max(at), {group} CUBE (y, id) |
  2 SELECT row_number() OVER w::integer, y, first_value(id) OVER w,
    max(at) OVER (PARTITION BY y ORDER BY id RANGE interval '10 minutes' PRECEDING), during
    FROM ({five}) AS s WINDOW w AS (PARTITION BY y ORDER BY id, n, at, during) |
  SELECT DISTINCT ON (y) * FROM ({five}) AS s ORDER BY y, id, n, at, during |
  SELECT * FROM ({five}) AS s ORDER BY id DESC, n, y, at, during LIMIT 5 |
  WITH c AS MATERIALIZED ({five}) SELECT * FROM c WHERE c.id <@ c.during |
  WITH c AS ({five}) SELECT * FROM c WHERE c.id <@ {period_constant} UNION ALL SELECT * FROM c WHERE c.id < c.at
item: 4 {.n} | 2 ({id})::timestamptz | 2 {comparison} | 6 {sublink} | ({period}) | count(*) OVER ()
change: UPDATE {t} AS t SET {set}{where} RETURNING t.n, t.y, t.at, t.during |
  UPDATE {t} AS t SET {set} FROM {s} AS s{where} RETURNING t.n, t.y, t.at, t.during |
  DELETE FROM {t} AS t{where} RETURNING t.n, t.id::timestamptz |
  DELETE FROM {t} AS t USING {s} AS s{where} RETURNING t.n, t.id::timestamptz |
  3 INSERT INTO {conflict} {action} RETURNING n, y, id::timestamptz, at, during
set: 2 y = t.y + 1 | at = {instant} | during = {period}
merge: MERGE INTO {t} AS t USING {s} AS s ON t.n = s.n AND {condition} WHEN MATCHED AND {condition} THEN {matched}
matched: UPDATE SET {set} | DELETE | DO NOTHING WHEN NOT MATCHED AND s.id <@ {period_constant} THEN INSERT (id) VALUES (s.id)
conflict: 2 indexed {rows} id <@ during | 2 ranged {rows} id <@ during | ranged {rows} id > $middle AND id <@ during |
  hashed {rows} id <@ $early | ranged_too {rows} id > $middle | keyed {rows} id < at
rows: AS t (n, y, id, at, during) SELECT s.n + 1000, s.y, s.id, s.at, s.during FROM {s} AS s{where} ORDER BY s.n
  ON CONFLICT (id) WHERE
action: DO NOTHING | DO UPDATE SET y = excluded.y | DO UPDATE SET during = excluded.during WHERE t.id <@ excluded.during
setting: enable_nestloop = off | enable_hashjoin = off | enable_mergejoin = off | enable_bitmapscan = off |
  enable_indexscan = off | enable_material = off | enable_memoize = off | enable_hashagg = off | enable_sort = off |
  enable_partition_pruning = off | enable_partitionwise_aggregate = on | 3 enable_partitionwise_join = on |
  3 enable_seqscan = off | 2 constraint_exclusion = on | join_collapse_limit = 1 | from_collapse_limit = 1 |
  geqo_threshold = 2 | {parallel}
parallel: parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL min_parallel_table_scan_size = 0
END
$_ = [ map { /^(\d+) (.*)/ ? ($2) x $1 : $_ } split / \| / ] for values %grammar;

# The state of a query: the number of relations that it may still get, the number of its last alias,
# the depth of nested conditions, its parameters.  A scope has the relations of a query level, as
# pairs of an alias and a table, and the scope outside.
our $depth;
my ($budget, $alias, $parameters);
my %terminal = (
	second => \&second,
	instant_text => \&instant,
	period_text => \&period,
	digit => sub { int(rand 7) },
	where => \&where,
	t => sub { add_relation($_[0], 't', pick(@tables)) },
	s => sub { add_relation($_[0], 's', pick(@tables)) },
	id_parameter => sub { parameter('ID_TYPE', '{second}') },
	instant_parameter => sub { parameter('timestamptz', 'timestamptz {instant_text}') },
	period_parameter => sub { parameter(pick('tstzrange', 'objectid_period'), '{period_constant}') });

sub expand
{
	my ($text, $scope) = @_;
	return $text =~ s/\[\[(.*?)\]\]|\{(\W?)(\w+)\}/
		defined $1 ? subquery($scope, $1) : $2 ? column($2 eq ':' ? own($scope) : $scope, $3) : symbol($scope, $3)/gerx;
}

# without a budget, or too deep, there are no more subqueries
sub symbol
{
	my ($scope, $name) = @_;
	return $terminal{$name}->($scope) if $terminal{$name};
	local $depth = $depth + ($name eq 'condition');
	my @simple = grep { !/\[\[|sublink|\{condition/ } @{ $grammar{$name} };
	return expand(pick(@simple && ($budget <= 0 || $depth > 3) ? @simple : @{ $grammar{$name} }), $scope);
}

# a parameter of a prepared statement or a function, or else its value
sub parameter
{
	my ($type, $value) = @_;
	$value = chance(0.05) ? 'NULL' : expand($value);
	return "${value}::$type" if !$parameters;
	push @{ $parameters->{types} }, $type;
	return '$' . push @{ $parameters->{values} }, $value;
}

sub own { return { relations => $_[0]{relations} }; }

sub add_relation
{
	my ($scope, $name, $table) = @_;
	push @{ $scope->{relations} }, [ $name, $table ];
	return $table;
}

sub relation_of
{
	my ($scope) = @_;
	my $outer = $scope->{outer};
	return relation_of($outer) if $outer && (!@{ $scope->{relations} } || chance(0.3));
	return pick(@{ $scope->{relations} });
}

# a column of a relation; some tables have more of a type
my %more = (
	indexed => { at => ['%s.made'], y => ['%s.inside::integer'] },
	wide => {
		id => [ '(%s.ids)[1]', '(%s.texts::ID_TYPE[])[1]', '(%s.ids::ID_TYPE[])[2]' ],
		at => ['(%s.ats)[1]'],
		during => [ '(%s.periods)[1]', '%s.period', '(%s.periods::tstzrange[])[1]' ]
	});

sub column
{
	my ($scope, $name) = @_;
	my ($relation, $table) = @{ relation_of($scope) };
	my $more = $more{$table}{$name};
	return sprintf $more && chance(0.4) ? pick(@$more) : "%s.$name", $relation;
}

sub where
{
	my ($scope) = @_;
	my @conditions;

	# EXISTS can become a hashed ANY if this is its only condition on a relation outside
	if ($scope->{outer} && chance(0.6))
	{
		my $name = pick('y', 'y', 'y', 'id');
		push @conditions, relation_of(own($scope))->[0] . ".$name = " . relation_of($scope->{outer})->[0] . ".$name";
		$scope = own($scope) if chance(0.6);
	}
	push @conditions, map { symbol($scope, 'condition') } 1 .. pick(0, 1, 1, 2);
	return @conditions ? ' WHERE ' . join(' AND ', shuffle @conditions) : '';
}

# a relation for FROM, which the scope gets; with LATERAL it can refer to those before it
sub relation
{
	my ($scope, $nested, $lateral) = @_;
	my $name = 'r' . ++$alias;
	my $text = pick(@tables, 'united');
	$text = $scope->{relations}[0][1] || $text if @{ $scope->{relations} } && chance(0.15);
	$text = expand(pick('rows_in({period_constant})', 'rows_after({instant_parameter})')) if chance(0.05);
	$text = '(' . symbol($lateral ? $scope : $scope->{outer}, 'derived') . ')'
	  if $lateral || $nested && $budget > 0 && chance(0.25);
	add_relation($scope, $name, $text =~ /^\w+$/ ? $text : '');
	$budget--;
	return ($lateral ? 'LATERAL ' : '') . "$text AS $name" . ($text =~ /^\(/ ? '(n, y, id, at, during)' : '');
}

sub from
{
	my ($scope, $nested) = @_;
	my $text = relation($scope, $nested);
	my $commas = chance(0.3);
	for (1 .. pick(0, 0, 1, 1, 2))
	{
		last if $budget <= 0;
		my $join = $commas ? ',' : pick('JOIN', 'LEFT JOIN', 'LEFT JOIN', 'RIGHT JOIN', 'FULL JOIN', 'CROSS JOIN');
		my $left = relation_of(own($scope))->[0];
		my $right = relation($scope, $nested, $nested && $join !~ /RIGHT|FULL/ && chance(0.2));
		my $name = pick('y', 'y', 'id');
		my $on = "$left.$name = $scope->{relations}[-1][0].$name";
		$on = symbol($scope, 'comparison') if $join !~ /FULL/ && chance(0.4);
		$on   .= ' AND ' . symbol($scope, 'condition') if $join !~ /FULL/ && chance(0.4);
		$text .= " $join $right" . ($join =~ /,|CROSS/ ? '' : " ON $on");
	}
	return $text;
}

sub subquery
{
	my ($outer, $text) = @_;
	my ($list, $end) = (split(/;/, $text), '', '');
	my $scope = { relations => [], outer => $outer };
	my $from = from($scope, $budget > 2);
	return '(SELECT ' . expand($list, $scope) . " FROM $from" . ($budget > -3 ? where($scope) : '') . "$end)";
}

# the statements of a query; the last one returns rows
sub statements
{
	($budget, $alias, $depth, $parameters) = (1 + int(rand 5), 0, 0, undef);
	my @set = map { 'SET LOCAL ' . symbol(undef, 'setting') } 1 .. int(rand 4);
	my $scope = { relations => [] };
	my $what = rand();
	return (@set, symbol($scope, 'change')) if $what < 0.12;
	if ($what < 0.13)
	{
		my $from = from($scope, 0);
		my $grouped = expand('{id} <@ {period}', own($scope));
		return (@set,
			"SELECT NOT ($grouped), $grouped AND count(*) > 1, count(*) FROM $from GROUP BY ROLLUP (($grouped))");
	}
	if ($what < 0.17)
	{
		my $merge = symbol($scope, 'merge');
		return (@set, $merge, "SELECT n, y, id::timestamptz, at, during FROM $scope->{relations}[0][1]");
	}

	$parameters = { types => [], values => [] } if $what < 0.4;
	my $from = from($scope, chance(0.5));
	my $list = join ', ', map { symbol($scope, 'item') } 1 .. pick(1, 2, 3);
	my $query = "SELECT $list FROM $from" . where($scope);
	return (@set, "DECLARE c CURSOR FOR $query", 'FETCH ALL FROM c') if $what > 0.95;
	return (@set, "CREATE TABLE result AS SELECT q::text FROM ($query) AS q", 'TABLE result') if $what > 0.85;
	return (@set, $query) if !$parameters;

	my ($types, $values) = map { '(' . join(', ', @{ $parameters->{$_} }) . ')' } qw(types values);
	push @set, 'SET LOCAL plan_cache_mode = ' . pick('force_generic_plan', 'force_generic_plan', 'force_custom_plan');
	if ($what < 0.28)
	{
		return (@set, 'DEALLOCATE ALL', map { s/^(\w+ p)\(\)/$1/r } "PREPARE p$types AS $query", "EXECUTE p$values");
	}
	my $body = "sql STABLE AS \$f\$SELECT q::text FROM ($query) AS q\$f\$";
	$body = "plpgsql AS \$f\$DECLARE r record; BEGIN FOR r IN $query LOOP RETURN NEXT r::text; END LOOP; END\$f\$"
	  if $what < 0.34;
	return (@set, "CREATE FUNCTION f$types RETURNS SETOF text LANGUAGE $body", "SELECT * FROM f$values");
}

my $node = start_node(
	'main',
	conf => join("\n", "timezone = 'UTC'", (map { "$_ = off" } qw(autovacuum fsync jit)), "restart_after_crash = on\n"),
	sql => <<'SQL');
CREATE EXTENSION objectid;
CREATE ROLE app;
CREATE SCHEMA by_id AUTHORIZATION app;
CREATE SCHEMA by_time AUTHORIZATION app;
-- Core's operators without support functions: from 17 on, these take NULL for a member of a constant
-- '(,)'.  Core's own do not accept a domain over timestamptz.
CREATE FUNCTION by_time.is_within(timestamptz, tstzrange) RETURNS boolean LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE AS 'elem_contained_by_range';
CREATE OPERATOR by_time.<@ (FUNCTION = by_time.is_within, LEFTARG = timestamptz, RIGHTARG = tstzrange);
-- the rows of the last statement as a checksum, or an error; nothing stays changed
CREATE FUNCTION outcome(path text, VARIADIC statements text[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  statement text;
  r record;
  result text[] := '{}';
BEGIN
  PERFORM set_config('search_path', path || ', public', true);
  FOREACH statement IN ARRAY trim_array(statements, 1) LOOP
    EXECUTE statement;
  END LOOP;
  FOR r IN EXECUTE statements[cardinality(statements)] LOOP
    result := result || r::text;
  END LOOP;
  RAISE SQLSTATE 'ROLLB';
EXCEPTION
  WHEN SQLSTATE 'ROLLB' THEN
    RETURN (SELECT count(*) || ' rows ' || coalesce(md5(string_agg(row, ';' ORDER BY row)), '') FROM unnest(result) AS row);
  WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || translate(SQLERRM, E'\n\t', '  ');
END$$;
SQL
for (qw(by_id by_time))
{
	$node->safe_psql('postgres', "SET ROLE app; SET search_path = $_, public;" . $translate{$_}->("$tables$data"));
}
$node->safe_psql('postgres', q{ANALYZE; ALTER DATABASE postgres SET statement_timeout = '1s'});

# a call of outcome()
sub call
{
	my ($schema, @statements) = @_;
	return
	  "outcome('$schema', " . join(', ', map { '$case$' . $translate{$schema}->($_) . '$case$' } @statements) . ')';
}

# the outcome of a query by itself, or an empty string after a timeout
sub alone
{
	my ($schema, $timeout, @statements) = @_;
	my (undef, $outcome) =
	  $node->psql('postgres', "SET ROLE app; SET statement_timeout = '$timeout'; SELECT " . call($schema, @statements));
	return $outcome;
}

my $file = $node->basedir . '/cases.sql';
my @cases = map { [ $_, statements() ] } 1 .. $queries;
my (%count, @failed);
my $attempts = 0;
while (@cases)
{
	unlink $file;
	append_to_file($file, "SET ROLE app;\n");
	for my $case (@cases)
	{
		my ($n, @statements) = @$case;
		my ($by_id, $by_time) = map { call($_, @statements) } qw(by_id by_time);
		append_to_file($file, "\\echo $n\nSELECT $by_id, $by_time;\n");
	}
	my $logged = -s $node->logfile;
	my ($status, $output, $error) =
	  $node->psql('postgres', "\\i $file", extra_params => [ '--field-separator', "\t" ], on_error_stop => 0);
	my %outcome = $output =~ /^(\d+)\n(.*\t.*)$/mg;
	my ($last) = reverse $output =~ /^(\d+)$/mg;

	# after a crash, wait for recovery
	wait_for_recovery($node, $logged) if $status;
	die("psql: $error") if !defined $last && ++$attempts > 180;
	next if !defined $last;
	for my $case (splice @cases, 0, $last - $cases[0][0] + 1)
	{
		my ($n, @statements) = @$case;
		my ($by_id, $by_time) = split /\t/, $outcome{$n} // ($status && $n == $last ? "crash\t" : "timeout\ttimeout");

		# one of them took too long: the query must not, if its twin does not
		if ($by_id eq 'timeout' && alone('by_time', '1s', @statements) ne '')
		{
			$by_id = alone('by_id', '1min', @statements) eq '' ? 'endless' : 'timeout';
		}
		my $class = $by_id =~ /^0 rows/ ? 'no rows' : $by_id =~ /^\d+ (rows)/ ? $1 : $by_id =~ s/ .*//r;
		$count{$class}++;

		# errors are equal if their SQLSTATEs are; an internal one of the twin is a bug of core
		next if $class =~ /rows/ && ($by_id eq $by_time || $by_time =~ /^XX000/);
		next if $class !~ /rows|crash|XX000/ && $class eq $by_time =~ s/ .*//r;
		push @failed, $n;
		my @shown = map { $translate{by_id}->($_) } @statements;
		diag(join ";\n", "query $n: $by_id; its twin: $by_time", 'SET search_path = by_id, public', @shown);
	}
	last if @failed > 100;
}
note(join ', ', map { "$_: $count{$_}" } sort keys %count);
is(scalar @failed, 0, 'all queries have the outcome of their twins');
cmp_ok($count{rows}, '>', 0.5 * $queries, 'most queries find rows');

#
# Estimates
#
my $per_table = 250;
my $estimated = $long ? 200 : 12;
srand($seed);
note("estimates: $estimated tables, $per_table conditions each");
$node->safe_psql('template1', 'CREATE DATABASE estimates');    # without the timeout of "postgres"
$node->safe_psql('estimates', slurp_file('sql/setup.sql') . <<'SQL');
ALTER ROLE CURRENT_USER IN DATABASE estimates RESET ALL;
ALTER DATABASE estimates SET max_parallel_workers_per_gather = 0;
CREATE TABLE condition (n integer, by_id text, by_created_at text);
CREATE FUNCTION row_count(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  result bigint;
BEGIN
  EXECUTE format('SELECT count(*) FROM (%s) AS q', query) INTO result;
  RETURN result;
END$$;
SQL

# seconds since 1970 as an instant, some slightly shifted; some are NULL or far away instead
sub shifted_instant
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
for my $table (1 .. $estimated)
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
		'estimates',
		join "\n",
		'DROP TABLE IF EXISTS event;',
		'CREATE TABLE event (id objectid, created_at timestamptz GENERATED ALWAYS AS (objectid_time(id)) STORED, kind integer);',
		"ALTER TABLE event ALTER id SET STATISTICS $has{target}, ALTER created_at SET STATISTICS $has{target};",
		'SELECT setseed(' . ($seed % 9_000 / 1e4 + $table / 1e6) . ') \gset',
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
	my $side = sub { return pick(\&lower, \&upper)->(shifted_instant($time->())); };
	my $window = sub {
		my $from = $time->();
		my $width = int(10**rand(log(max($span, 10)) / log(10)));
		my ($low, $high) = (shifted_instant($from), shifted_instant($from + $width));
		return "\$ BETWEEN $low AND $high" if chance(0.2);
		my @bounds = (lower($low), upper($high));
		push @bounds, lower(shifted_instant($from - int(rand($width)))) if chance(0.15);
		push @bounds, upper(shifted_instant($from + $width + int(rand($width)))) if chance(0.15);
		push @bounds, pick(\&lower, \&upper)->(pick($low, $high)) if chance(0.15);
		return join ' AND ', shuffle @bounds;
	};
	my $fresh = !$has{deleted} && !$has{growth};
	my @conditions = map {
		my $what = rand();
			$what < 0.2  ? $side->()
		  : $what < 0.65 ? $window->()
		  : $what < 0.72 ? 'NOT (' . $window->() . ')'
		  : $what < 0.79 ? '(' . $window->() . ') OR $ IS NULL'
		  : $what < 0.86 ? $window->() . ' AND kind = ' . int(rand(5))
		  : $what < 0.91 ? '(' . $window->() . ') IS ' . pick('TRUE', 'NOT TRUE', 'FALSE')
		  : $what < 0.96
		  && $fresh ? '(' . pick($side, $window)->() . ' OR kind = ' . int(rand(7)) . ') AND ' . $side->()
		  : join ' AND ', map { $side->() } 1 .. 3;
	} 1 .. $per_table;
	my $result = $node->safe_psql(
		'estimates',
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

		# if nothing is found, the bounds contradict each other: core expects 0.005 of the table.  It multiplies
		# an arm of OR with the bounds beside it.
		push @factors, $factor if $truth ne '0' && $conditions[$n] !~ / OR kind/;
		next if $truth eq '' || error($by_id, $truth) <= error($by_created_at, $truth);
		diag("$description\n$conditions[$n]: $truth rows, by id $by_id, by created_at $by_created_at");
		$worse++;
	}
}

@factors = sort { $a <=> $b } @factors;
note(sprintf 'factor between the estimates: median %.3f, 98 %% %.3f, worst %.2f',
	@factors[ @factors / 2, @factors * 0.98, -1 ]);
is($compared, $estimated * $per_table, 'all conditions have estimates');
is($worse, 0,
	'if estimates on id and created_at differ by more than a factor of 1.5, the one on id is nearer to the truth');
cmp_ok($factors[ @factors * 0.98 ], '<', 1.01, '98 % of the estimates differ by less than 1 %');

done_testing();
