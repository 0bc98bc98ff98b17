# If the counter wraps, ids stay unique and ordered. 17 million ids with the same instant are
# distinct.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

my $node = start_node('overflow', conf => 'work_mem = 256MB', sql => slurp_file('sql/setup.sql'));

# 17 million calls use every value of the 3-byte counter.
query_is(
	$node, q{
SELECT count(*),
       count(*) FILTER (WHERE id <= before) AS not_increasing,
       count(*) FILTER (WHERE substring(id::bytea, 10, 3) = '\x000000' AND substring(before::bytea, 10, 3) = '\xffffff') > 0 AS wrapped
FROM (SELECT id, lag(id) OVER () AS before
      FROM (SELECT gen_objectid() AS id FROM generate_series(1, 17000000) OFFSET 0) AS made) AS pairs;
}, '17000000|0|t', 'the counter wraps, and ids keep increasing');

query_is(
	$node, q{
SELECT count(*), count(DISTINCT id), min(objectid_time(id)) = max(objectid_time(id))
FROM (SELECT gen_objectid('2012-10-17 21:13:27+00') AS id FROM generate_series(1, 17000000) OFFSET 0) AS made;
}, '17000000|17000000|t', '17 million ids with the same instant are distinct');

# Backfilling a table from its created_at.
query_is(
	$node, q{
CREATE TABLE old (created_at timestamptz NOT NULL);
INSERT INTO old SELECT timestamptz '2015-01-01 00:00:00+00' + n * interval '0.3 seconds' FROM generate_series(1, 1000000) AS n;
ALTER TABLE old ADD COLUMN id objectid;
UPDATE old SET id = gen_objectid(created_at);
ALTER TABLE old ADD PRIMARY KEY (id);
SELECT count(*), count(*) FILTER (WHERE objectid_time(id) = date_trunc('second', created_at)) FROM old;
}, '1000000|1000000', 'backfilled ids have the times of their rows');

done_testing();
