# The work of estimates does not grow with the square of the number of conditions.  A module counts the nodes that the
# estimator looks at.
use strict;
use warnings FATAL => 'all';
use Cwd qw(abs_path);
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my $library = abs_path('t/modules') . '/selfuncs_test';
system_or_bail('make', '-s', '-C', 't/modules', "PG_CONFIG=$pg_config", 'selfuncs_test.so');
my $node = start_node(
	'work', sql => qq{
CREATE EXTENSION objectid;
LOAD 'objectid';
CREATE FUNCTION take_work() RETURNS bigint AS '$library' LANGUAGE C;
CREATE FUNCTION counting_ineqsel(internal, oid, internal, integer) RETURNS double precision
  AS '$library', 'objectid_ineqsel' LANGUAGE C STABLE STRICT;
UPDATE pg_operator SET oprrest = 'counting_ineqsel'::regproc WHERE oprrest = 'objectid_ineqsel'::regproc;
CREATE TABLE event (id objectid PRIMARY KEY, n integer);
INSERT INTO event SELECT gen_objectid(timestamptz '2024-01-01' + n * interval '1 hour'), n FROM generate_series(1, 1000) AS n;
ANALYZE event});

# The nodes in a plan of so many conditions, each with a bound of its own
sub work
{
	my ($count, $separator, $condition) = @_;
	my $where = join(" $separator ", map { $condition =~ s/#/sprintf("'%024x'", $_)/er } 1 .. $count);
	return (
		split(
			/\n/,
			$node->safe_psql(
				'postgres',
				"LOAD 'objectid'; \\o /dev/null\nEXPLAIN SELECT FROM event WHERE $where;\n\\o\nSELECT take_work()"))
	)[-1];
}

my %conditions = (
	'bounds' => [ 'AND', 'id > #' ],
	'parts of OR' => [ 'OR', 'id > #' ],
	'bounds beside another condition' => [ 'AND', '(id > # OR n = 1)' ],
	'bounds within IS TRUE' => [ 'AND', '(id > # AND n > 0) IS TRUE' ]);
for my $name (sort keys %conditions)
{
	my ($few, $many) = map { work($_, @{ $conditions{$name} }) } 200, 800;
	cmp_ok($few, '>', 200, "$name: 200 of them are estimated");
	cmp_ok($many, '<', 8 * $few, "$name: the work for 800 of them is no square of that for 200");
}

done_testing();
