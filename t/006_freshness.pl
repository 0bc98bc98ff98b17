# An id is never older than a clock that was read before it, nor newer than one
# read after it: looked at where it could go wrong, around second boundaries.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('freshness');
$node->init;
$node->start;
$node->safe_psql(
	'postgres', q{
CREATE EXTENSION objectid;
CREATE TABLE try (tries bigint, older bigint, newer bigint, spanned boolean);
});

# Each round waits until shortly before a boundary, and tries on past it.
my $rounds = ($ENV{PG_TEST_EXTRA} // '') =~ /\blong\b/ ? 60 : 8;
for (1 .. $rounds)
{
	$node->safe_psql(
		'postgres', q{
SELECT pg_sleep(extract(epoch FROM date_trunc('second', clock_timestamp() + interval '1.05 seconds')
                        - interval '0.05 seconds' - clock_timestamp()));
INSERT INTO try
SELECT count(*),
       count(*) FILTER (WHERE objectid_time(id) < date_trunc('second', before)),
       count(*) FILTER (WHERE objectid_time(id) > date_trunc('second', after)),
       date_trunc('second', min(before)) < date_trunc('second', max(after))
FROM (SELECT clock_timestamp() AS before, gen_objectid() AS id, clock_timestamp() AS after
      FROM (SELECT generate_series(1, 1000000)) AS n OFFSET 0) AS t;
});
}
is($node->safe_psql('postgres', 'SELECT sum(tries), sum(older), sum(newer) FROM try'),
	$rounds * 1_000_000 . '|0|0', 'no id is older than a clock read before it, or newer than one read after it');
is($node->safe_psql('postgres', "SELECT count(*) >= $rounds / 2 FROM try WHERE spanned"),
	't', 'at least half of the rounds saw a boundary pass');
$node->stop;

done_testing();
