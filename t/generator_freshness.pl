# An id is never older than a clock read before it, nor newer than one read after it.  The
# test looks at the change of the second, where this could fail.
use strict;
use warnings FATAL => 'all';
use Test::More;
use TestServer;

my $node = start_node(
	'freshness', sql => q{
CREATE EXTENSION objectid;
CREATE TABLE try (tries bigint, older bigint, newer bigint, spanned boolean);
});

# Each round repeats until the second changes during its tries.
my $rounds = $long ? 60 : 8;
$node->safe_psql(
	'postgres', qq{
DO \$\$
BEGIN
  WHILE (SELECT count(*) < $rounds FROM try WHERE spanned) LOOP
    INSERT INTO try
    SELECT count(*),
           count(*) FILTER (WHERE objectid_time(id) < date_trunc('second', before)),
           count(*) FILTER (WHERE objectid_time(id) > date_trunc('second', after)),
           date_trunc('second', min(before)) < date_trunc('second', max(after))
    FROM (SELECT clock_timestamp() AS before, gen_objectid() AS id, clock_timestamp() AS after
          FROM (SELECT generate_series(1, 100000)) AS n OFFSET 0) AS t;
  END LOOP;
END\$\$;
});
query_is($node,
	'SELECT count(*) FILTER (WHERE spanned), sum(tries) = 100000 * count(*), sum(older), sum(newer) FROM try',
	"$rounds|t|0|0", 'no id is older than a clock read before it, or newer than one read after it');

done_testing();
