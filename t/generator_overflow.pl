# If the counter or the whole 64-bit number wraps, ids stay unique and ordered. 17 million
# ids with the same instant are distinct.
use Cwd qw(abs_path);
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

# The 64-bit number takes too long to reach its end, so a test module is built from the
# generator's source, which can set it.
my $library = abs_path('t/generator') . '/generator_test';
system_or_bail('make', '-s', '-C', 't/generator', "PG_CONFIG=$pg_config");
$node->safe_psql(
	'postgres', qq{
CREATE FUNCTION set_serial(bigint) RETURNS void AS '$library' LANGUAGE C STRICT;
CREATE FUNCTION test_gen() RETURNS objectid AS '$library', 'gen_objectid' LANGUAGE C;
CREATE FUNCTION test_gen_at(timestamptz) RETURNS objectid AS '$library', 'gen_objectid_at' LANGUAGE C;
});

# -3 is 2^64 - 3
query_is(
	$node, q{
SELECT test_gen() IS NULL;
SELECT set_serial(-3);
CREATE TEMP TABLE made AS SELECT n, test_gen() AS id FROM generate_series(1, 100000) AS n;
SELECT string_agg(serial(id)::text, ' ' ORDER BY n) FROM made WHERE n <= 4;
SELECT count(DISTINCT id), count(*) FILTER (WHERE id <= before)
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made) AS pairs;
}, "f\n\n-2 -1 0 1\n100000|0", 'the 64-bit number wraps, and ids keep increasing');

# a call with an instant at the wrap does not hide the wrap
query_is(
	$node, q{
SELECT test_gen() IS NULL;
SELECT set_serial(-2);
CREATE TEMP TABLE made AS SELECT test_gen() AS before, test_gen_at('2012-10-17 21:13:27+00') AS stamped, test_gen() AS after;
SELECT serial(before), stamped, serial(after), before < after FROM made;
}, "f\n\n-1|507f1f770000000000000000|1|t", 'the same with gen_objectid(timestamptz) in between');

# after the wrap, the clock catches up with the second that ids are ahead
query_is(
	$node, q{
SELECT test_gen() IS NULL;
SELECT set_serial(-1);
CREATE TEMP TABLE ahead AS SELECT test_gen() AS id, clock_timestamp() AS t;
SELECT objectid_time(id) - date_trunc('second', t) IN (interval '0', interval '1 second') FROM ahead;
SELECT clock_timestamp() AS before \gset
DO $$DECLARE later timestamptz := clock_timestamp() + interval '2 seconds';
BEGIN WHILE clock_timestamp() < later LOOP PERFORM test_gen(); END LOOP; END$$;
SELECT objectid_time(test_gen()) BETWEEN date_trunc('second', :'before'::timestamptz) AND clock_timestamp();
}, "f\n\nt\nt", 'after the wrap ids are at most a second ahead, and the clock catches up');

done_testing();
