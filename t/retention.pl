# The job of docs/partitions.md that keeps 90 days: interrupted at each of its statements, or behind a query,
# and then run again, it leaves no expired row.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my ($job) = slurp_file('docs/partitions.md') =~ /^```sql keep_90_days\.sql\n(.*?)^```$/ms or die('no job on the page');

# An event trigger ends the session at the statement with the number of stop.at, or stops it by an error.
my $node = start_node(
	'retention',
	conf => 'max_prepared_transactions = 1',
	sql => q{
CREATE EXTENSION objectid;
CREATE SEQUENCE step;
CREATE FUNCTION stop() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
  IF nextval('step') = current_setting('stop.at', true)::integer THEN
    PERFORM CASE current_setting('stop.by') WHEN 'kill' THEN pg_terminate_backend(pg_backend_pid())
                                            ELSE pg_cancel_backend(pg_backend_pid()) END;
  END IF;
END$$;
-- the partitions, in UTC
CREATE VIEW bounds AS
  SELECT relname, objectid_time(bound[1]::objectid) AT TIME ZONE 'UTC' AS since,
         objectid_time(bound[2]::objectid) AT TIME ZONE 'UTC' AS until
  FROM pg_inherits JOIN pg_class ON oid = inhrelid,
       regexp_match(pg_get_expr(relpartbound, oid), $$FROM \('(\w+)'\) TO \('(\w+)'\)$$) AS bound
  WHERE inhparent = to_regclass('log');
CREATE EVENT TRIGGER stop ON ddl_command_end WHEN TAG IN ('ALTER TABLE', 'CREATE TABLE', 'DROP TABLE')
  EXECUTE FUNCTION stop();
});

# a table with four days that expired, one that did not, and two that are not of days, to which another table refers
sub create_log
{
	$node->safe_psql(
		'postgres', q{
SET timezone = 'UTC';
DROP TABLE IF EXISTS remark, log, log_2024_05_09 CASCADE;
CREATE TABLE log (id objectid DEFAULT gen_objectid() PRIMARY KEY, line text, n integer GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (id);
CREATE TABLE remark (id objectid REFERENCES log);
CREATE TABLE archive PARTITION OF log FOR VALUES FROM ('000000000000000000000000') TO ('5c0000000000000000000000');
ALTER TABLE log DETACH PARTITION archive;
ALTER TABLE archive RENAME TO log_2024_05_09;
SELECT format('CREATE TABLE %I PARTITION OF log FOR VALUES FROM (%L) TO (%L)',
              to_char(day, '"log_"YYYY_MM_DD'), objectid_from_time(day), objectid_from_time(day + interval '1 day'))
FROM (SELECT generate_series(timestamptz '2024-05-01', '2024-05-03', interval '1 day')
      UNION SELECT date_trunc('day', now()) - n * interval '1 day' FROM unnest('{89,91}'::integer[]) AS n) AS days (day) \gexec
ALTER TABLE log_2024_05_03 RENAME TO "log 3";
INSERT INTO log SELECT gen_objectid(timestamptz '2024-05-01 12:00' + n * interval '1 day') FROM generate_series(0, 2) AS n;
INSERT INTO log VALUES (gen_objectid(date_trunc('day', now()) - interval '89 days'));
INSERT INTO remark SELECT id FROM log WHERE id > timestamptz '2025-01-01'});
	return;
}

# run_job($setting, $unit) - the status of the job, and what it writes to standard error.  The bounds of the
# partitions are days of UTC, and psql runs in a different time zone.
sub run_job
{
	my ($setting, $unit) = @_;
	my $sql = $job =~ s/^\\set unit \Kday$/$unit \/\/ 'day'/mer;
	local $ENV{PGOPTIONS} = join(' ', '-c timezone=Asia/Tokyo', $setting // ());
	my $status = $node->psql('postgres', $sql, stderr => \my $stderr, on_error_stop => 0, on_error_die => 0);
	return ($status, $stderr);
}

# job_is_done($what) - the next run has status 0, removes what expired, and nothing else
sub job_is_done
{
	my ($what) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($status, $stderr) = run_job();
	is("$status $stderr", '0 ', "$what: the next run succeeds");
	query_is($node, <<'SQL', "log_2024_05_09\n9\n1", "$what: what expired is gone, and nothing else");
SELECT relname FROM pg_class WHERE relname LIKE 'log%' AND relkind = 'r' AND NOT relispartition
UNION ALL SELECT count(*)::text FROM bounds
WHERE relname = to_char(since, '"log_"YYYY_MM_DD') AND until = since + interval '1 day' AND since > '2025-01-01'
UNION ALL SELECT count(*)::text FROM log
SQL
	return;
}

my $at = 0;
my $status;
do
{
	$at++;
	create_log();
	$node->safe_psql('postgres', 'ALTER SEQUENCE step RESTART');
	my $by = $at % 2 ? 'kill' : 'cancel';
	($status) = run_job("-c stop.at=$at -c stop.by=$by");
	job_is_done("$by at statement $at");
} while ($status != 0 && $at < 30);
# two for each of four partitions that are removed, and of eight that are added
is($at, 25, 'stopped at each of 24 statements');

# a transaction that was prepared holds its locks, as a query that does not end
sub behind_reader
{
	my ($table, $refused, $left) = @_;
	create_log();
	$node->safe_psql('postgres', "BEGIN; SELECT count(*) FROM $table; PREPARE TRANSACTION 'reader'");
	my ($status, $stderr) = run_job();
	is($status, 3, "behind a reader of $table: status 3");
	like($stderr, qr/"$refused: could not be removed"/, "behind a reader of $table: says what is left");
	query_is(
		$node, q{SELECT count(*) FROM pg_inherits WHERE inhparent = 'log'::regclass},
		$left, "behind a reader of $table: removes the others, and adds all");
	$node->safe_psql('postgres', q{ROLLBACK PREPARED 'reader'});
	job_is_done("after a reader of $table");
	return;
}
# 8 days, one that has not expired, and what is in use
behind_reader('log_2024_05_02', 'log_2024_05_02', 10);
behind_reader('log', 'log_2024_05_01, log_2024_05_02, "log 3", log_\d+_\d+_\d+', 13);

# what others began: DETACH ... CONCURRENTLY that was interrupted
create_log();
$node->safe_psql('postgres', q{BEGIN; SELECT count(*) FROM log_2024_05_02; PREPARE TRANSACTION 'reader'});
$node->psql('postgres', q{SET lock_timeout = 1; ALTER TABLE log DETACH PARTITION log_2024_05_02 CONCURRENTLY});
$node->safe_psql('postgres', q{ROLLBACK PREPARED 'reader'});
query_is($node, 'SELECT count(*) FROM pg_inherits WHERE inhdetachpending', 1, 'DETACH ... CONCURRENTLY is pending');
job_is_done('after an interrupted DETACH ... CONCURRENTLY');

# a row that another table refers to
create_log();
$node->safe_psql('postgres', q{INSERT INTO remark SELECT id FROM log_2024_05_01});
($status, my $stderr) = run_job();
is($status, 3, 'a partition with rows that are referred to: status 3');
like(
	$stderr,
	qr/violates foreign key.*"log_2024_05_01: could not be removed"/s,
	'a partition with rows that are referred to: says why it stays');
$node->safe_psql('postgres', q{DELETE FROM remark WHERE id < timestamptz '2025-01-01'});
job_is_done('after rows that were referred to');

# partitions of a month, of which one expired
$node->safe_psql(
	'postgres', q{
DROP TABLE log CASCADE;
CREATE TABLE log (id objectid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE log_2024_05_01 PARTITION OF log FOR VALUES FROM (%L) TO (%L)',
              objectid_from_time('2024-05-01 UTC'), objectid_from_time('2024-06-01 UTC')) \gexec});
($status) = run_job('', 'month');
is($status, 0, 'months: the job succeeds');
query_is($node, <<'SQL', '8|t|8', 'months: this one and the next seven');
SELECT count(*), min(since) = date_trunc('month', now() AT TIME ZONE 'UTC'),
       count(*) FILTER (WHERE relname = to_char(since, '"log_"YYYY_MM_DD')
                        AND extract(day FROM since) = 1 AND until = since + interval '1 month')
FROM bounds
SQL

# an existing table: its last day has expired, or is today
my ($attach) = slurp_file('docs/partitions.md') =~ /^## An existing table\n.*?^```sql\n(.*?)^```$/ms
  or die('no statements on the page');
for ([ '2024-05-02', 8, 0 ], [ 'tomorrow', 8, 1 ])
{
	my ($until, $partitions, $kept) = @$_;
	$node->safe_psql(
		'postgres', q{
DROP TABLE log;
CREATE TABLE log (id objectid DEFAULT gen_objectid() PRIMARY KEY);
CREATE INDEX line ON log (id, (id::text));
INSERT INTO log VALUES (gen_objectid('2024-05-01 23:59:59 UTC'));
} . $attach =~ s/tomorrow/$until/r =~ s/event/log/gr);
	($status) = run_job();
	is($status, 0, "a table up to $until: the job succeeds");
	query_is($node, q{SELECT (SELECT count(*) FROM pg_inherits WHERE inhparent = 'log'::regclass), count(*) FROM log},
		"$partitions|$kept", "a table up to $until: its partitions, and rows");
	$node->safe_psql('postgres', 'INSERT INTO log DEFAULT VALUES');
}
done_testing();
