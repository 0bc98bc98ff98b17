# The steps of docs/large-tables/ while clients read and write: no statement of a client fails or waits for a
# second, no row loses a key or a reference, no table is rewritten, and the way back works.  At first, a
# transaction that has read both tables is open in each step.  Then the statements and functions of these files and of
# docs/other-keys.md run among the objects of another role, and call none of them.
# Takes long.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use Hostile;
use TestServer;

my $page = slurp_file('docs/large-tables.md');
# The statements of a file, without its head
sub step
{
	my ($name) = @_;
	my $text = slurp_file("docs/large-tables/$name.sql");
	return $text =~ s/\A(?:--.*\n)+//r if $name =~ /^(?:example|settings)$/;
	die("$name.sql has no settings") unless $text =~ s/\A(?:--.*\n)+\\ir settings\.sql\n//;
	return $text;
}
my ($tables, $settings) = ("CREATE EXTENSION objectid;\n" . step('example'), step('settings'));
my ($columns, $backfill, $indexes, $constraints, $validate, $swap, $check, $clean_up, $go_back, $remove) =
  map { step($_) }
  qw(1_columns 2_backfill 3_indexes 3_constraints 3_validate 4_swap 4_validate 5_clean_up go_back remove);
my @files = glob('docs/large-tables/*.sql');
is(scalar @files, 12, 'the test runs all files');
my ($fill_accounts, $fill_logins) = $backfill =~ /^(CALL .*?\);\n)/msg;
my ($missing) = $backfill =~ /^(SELECT .*?);/ms;
my ($drop_index) = $page =~ /`(DROP INDEX .*?)`/;

# autovacuum reads no table unless it is asked to
my $node = start_node(
	'large_tables',
	conf => q{
autovacuum_naptime = 1s
vacuum_cost_page_hit = 10000
autovacuum_vacuum_threshold = 2000000000
autovacuum_vacuum_insert_threshold = -1
autovacuum_analyze_threshold = 2000000000},
	sql => $tables);
my $files = q{SELECT pg_relation_filenode('account'), pg_relation_filenode('login')};
my $before = $node->safe_psql('postgres', $files);

# what the steps change
my $schema = q{
SELECT attrelid::regclass, attname, atttypid::regtype, attnotnull, atthasdef FROM pg_attribute
WHERE attrelid IN ('account'::regclass, 'login'::regclass) AND attnum > 0 AND NOT attisdropped ORDER BY attrelid, attnum;
SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid IN ('account'::regclass, 'login'::regclass) AND contype <> 'n' ORDER BY 1, 2;
SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal;
SELECT indexrelid::regclass, indisvalid FROM pg_index WHERE indrelid IN ('account'::regclass, 'login'::regclass) ORDER BY 1;
SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND oid NOT IN (
	SELECT objid FROM pg_depend WHERE deptype = 'e') ORDER BY 1};
my $old_schema = $node->safe_psql('postgres', $schema);

# Sessions repeat these transactions before, during and after the swap of the columns.  A wait of a second is an
# error.  The sessions update rows in a different order than the backfill.
my $load = do
{
	local $ENV{PGOPTIONS} = '-c lock_timeout=1s';
	start_load(
		$node, q{\set n random(0, 9)
BEGIN;
INSERT INTO account (name) VALUES ('new') RETURNING id \gset
INSERT INTO login (account) VALUES (':id');
INSERT INTO login (account) SELECT min(id) FROM account;
UPDATE account SET name = 'old' WHERE id = ':id';
DELETE FROM login WHERE account = ':id' AND random() < 0.1;
COMMIT;
SELECT name, at FROM login JOIN account ON account.id = account ORDER BY at LIMIT 1;
BEGIN;
UPDATE account SET name = 'last ' || :n WHERE name = 'user 9' || :n;
UPDATE login SET at = at WHERE at = '2023-07-03 00:00:00+00';
UPDATE account SET name = 'user 9' || :n WHERE name = 'last ' || :n;
UPDATE account SET name = name WHERE name = 'user 1' || :n;
COMMIT;
}, '--client=4', '--rate=300');
};

# each step sees rows that the load inserts meanwhile, unless an error has ended it
sub wait_for_rows
{
	my $reached = $node->safe_psql('postgres', 'SELECT count(*) FROM login') + 100;
	my $running = q{EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'pgbench')};
	$node->poll_query_until('postgres', "SELECT count(*) >= $reached OR NOT $running FROM login")
	  or die('the load stands still');
}

# Run statements as somebody who pastes them into psql.  Returns the errors.
sub paste
{
	my ($sql) = @_;
	my (undef, undef, $error) =
	  $node->psql('postgres', "$settings SET statement_timeout = '20s';\n$sql", on_error_stop => 0);
	return $error;
}

# a session with a transaction of which others see the effects of these statements, if any, only later
sub open_transaction
{
	my ($sql) = @_;
	my $session = $node->background_psql('postgres');
	$session->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; $sql");
	return $session;
}

sub commit
{
	my ($session) = @_;
	$session->query_safe('COMMIT');
	$session->quit;
}

my $read_both = 'SELECT count(*) FROM account; SELECT count(*) FROM login';

# Run a step as it stands, until it gets its locks.  Returns the messages.
sub repeat
{
	my ($step) = @_;
	my $messages;
	for (1 .. 30)
	{
		$messages = paste("SET client_min_messages = debug1; $step");
		last unless $messages =~ /lock timeout/;
	}
	return $messages;
}

# Run a step that needs an exclusive lock: with a reader it fails whole, later it succeeds if it is repeated as
# it stands.
sub exclusive
{
	my ($what, $step) = @_;
	my $reader = open_transaction($read_both);
	my $unchanged = $node->safe_psql('postgres', $schema);
	like(paste($step), qr/lock timeout/, "$what gives up while a transaction has read the tables");
	query_is($node, $schema, $unchanged, "$what changes nothing when it gives up");
	wait_for_rows();
	commit($reader);
	my $messages = repeat($step);
	unlike($messages, qr/ERROR/, "$what succeeds later");
	wait_for_rows();
	return $messages;
}

# Call both backfills until these counts of rows are left.
sub fill
{
	my ($expected, $what) = @_;
	my ($errors, $left) = ('', '');
	for (1 .. 30)
	{
		$errors .= paste($fill_accounts . $fill_logins);
		$left = $node->safe_psql('postgres', $missing);
		last if $left eq $expected;
	}
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("$errors$left", $expected, $what);
}

exclusive('step 1', $columns);
exclusive('the removal', $remove);
query_is($node, $schema, $old_schema, 'the removal leaves nothing behind');
$node->safe_psql(
	'postgres', q{ALTER TABLE login SET (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1)});
$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_progress_vacuum WHERE relid = 'login'::regclass})
  or die('no autovacuum');
exclusive('step 1, during an autovacuum,', $columns);
$node->safe_psql('postgres', q{ALTER TABLE login RESET (autovacuum_vacuum_threshold, autovacuum_vacuum_scale_factor)});

# Old transactions have locked a row, or refer to one that gets an id later.
my $reader = open_transaction($read_both);
my $updater = open_transaction(q{UPDATE account SET name = 'updated' WHERE id = 900});
my $inserter = open_transaction('INSERT INTO login (account) VALUES (901)');
is(paste($backfill), '', 'step 2 waits for nobody');
fill('1|5', 'step 2 skips a row that somebody has locked, to which five refer');
commit($updater);
fill('0|0', 'step 2, called again, fills the row that was locked');
wait_for_rows();

# the first index is interrupted, and the next waits for old transactions
my $file = $node->basedir . '/indexes.sql';
append_to_file($file, $settings . $indexes);
my $printed = '';
my $indexing = IPC::Run::start([ 'psql', '-XAtq', $node->connstr('postgres') ], '<', $file, '>&', \$printed);
my $waiting = q{FROM pg_stat_progress_create_index WHERE phase = 'waiting for old snapshots' AND index_relid = };
$node->poll_query_until('postgres', "SELECT pg_cancel_backend(pid) $waiting to_regclass('account_new_id')")
  or die('the index waits for nobody');
$node->poll_query_until('postgres', "SELECT true $waiting to_regclass('account_old_id')")
  or die('the next index waits for nobody');
wait_for_rows();
commit($reader);
commit($inserter);
$indexing->finish;
# from 19 on, with a context
is( $printed =~ s/^CONTEXT:.*\n//mr,
	"ERROR:  canceling statement due to user request\naccount_new_id\n",
	'step 3: an interrupted index is invalid, the others are built');
is(paste("$drop_index;\n" . $indexes =~ s/\n.*//sr), '', 'step 3: the invalid index can be built again');
query_is($node, $indexes =~ s/^CREATE.*\n//mgr, '', 'step 3: all indexes are valid');
query_is($node, $missing, '0|1', 'an old transaction has added a row');
fill('0|0', 'step 2 fills the row of an old transaction');

exclusive('adding the constraints', $constraints);
$reader = open_transaction($read_both);
is(paste($validate), '', 'the constraints are validated while a transaction has read the tables');
commit($reader);

my $messages = exclusive('the swap', $swap);
is(() = $messages =~ /sufficient to prove that it does not contain nulls/g, 3, 'the swap: SET NOT NULL reads no rows');
query_is($node, $files, $before, 'the swap rewrites no table');
$reader = open_transaction($read_both);
is(paste($check), '', 'the foreign key is validated while a transaction has read the tables');
commit($reader);

# both pairs of keys are complete, and lead to the same rows
my $wrong = q{SELECT count(*) FROM login LEFT JOIN account AS new ON new.id = login.account
LEFT JOIN account AS old ON old.old_id = login.old_account WHERE old.id IS NULL OR old.id IS DISTINCT FROM new.id};
query_is($node, $wrong, '0', 'both references of each row agree after the swap');

exclusive('going back', $go_back);
my %now = map { $_ => 1 } split(/\n/, $node->safe_psql('postgres', $schema));
is(join("\n", grep { !$now{$_} } split(/\n/, $old_schema)), '', 'going back restores columns and constraints');
query_is($node, $wrong =~ s/\bold_(id|account)\b/new_$1/gr, '0', 'going back restores references');
query_is($node, $files, $before, 'going back rewrites no table');

like(
	paste($indexes . $fill_logins),
	qr/^\S+ ERROR:  relation "login_account" already exists$/,
	'after going back, the indexes are built again, except one');
unlike(repeat($constraints) . paste($validate), qr/ERROR/, 'after going back, the constraints are added again');
exclusive('the second swap', $swap);
exclusive('the clean-up', $clean_up);
query_is($node, "SELECT count(*) FROM login LEFT JOIN account ON account.id = account WHERE account.id IS NULL",
	'0', 'after the clean-up, each row has its reference');

stop_load($load);
is($load->{output} =~ /(error|aborted).*/i ? $& : '', '', 'no client met an error, or waited for a second');

# mallory has made objects of all names that the pages use (Hostile.pm)
sub create_database
{
	my ($name, $statements, $sql) = @_;
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	attack($node, $name);
	run_sql("SET search_path = public; $sql");
	create_hostile_objects($statements,
		qw(text name varchar char int4 int8 float8 numeric bool bytea uuid oid regclass timestamptz pg_catalog.objectid)
	);
	run_sql(
		q{
CREATE PROCEDURE public.backfill(statement text) LANGUAGE plpgsql AS 'BEGIN PERFORM public.evil(''backfill''); END';
CREATE FUNCTION public.copy_account(n integer) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN public.evil(''copy''); END';
}, 'mallory');
}

# run statements in a session in which Mallory's objects come before all others
sub run_behind
{
	my ($temporary, $sql) = @_;
	return run_sql(
		"SET ROLE mallory; DO \$\$BEGIN PERFORM public.evil_names('pg_temp'); END\$\$; $temporary; RESET ROLE;
SET search_path = pg_temp, public, pg_catalog; $sql");
}

$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN; CREATE ROLE application');
create_database('hostile', join('', map { slurp_file($_) } @files), $tables);
run_sql('GRANT INSERT ON public.login TO application; GRANT USAGE ON SEQUENCE public.login_id_seq TO application');
my $insert = 'SET ROLE application; INSERT INTO public.login (account) VALUES';
run_sql("$settings$columns$backfill");
run_behind(
	'CREATE TABLE pg_temp.account (id bigint, created_at timestamptz, new_id pg_catalog.objectid); INSERT INTO pg_temp.account VALUES (2)',
	"$insert ('2'); RESET ROLE; UPDATE public.account SET new_id = NULL; UPDATE public.login SET new_account = NULL; "
	  . ($fill_accounts . $fill_logins) =~ s/^CALL /CALL public./mgr);
run_sql("$settings$fill_logins$indexes$constraints$validate$swap$check");
my $id = run_sql(q{SELECT id FROM public.account WHERE old_id = 3});
run_behind('CREATE TABLE pg_temp.account (id pg_catalog.objectid, old_id bigint)',
	"$insert ('$id'); SET search_path = ''; INSERT INTO public.login (account) VALUES ('$id')");
is(run_sql(q{SELECT old_account, count(*) FROM public.login WHERE old_id > 5000 GROUP BY old_account ORDER BY 1}),
	"2|1\n3|2", 'the triggers read the table, with any search_path, for a role that must not');
run_sql("$settings$go_back$remove$columns$backfill$indexes$constraints$validate$swap$clean_up");
none_has_run('large-tables/');

my $other_keys = slurp_file('docs/other-keys.md');
my ($extension, @statements) = $other_keys =~ /^```sql\n(.*?)^```$/msg;
create_database('hostile_keys', join('', $extension, @statements), 'CREATE EXTENSION objectid');
run_sql(join('', $extension =~ s/^CREATE EXTENSION.*\n//mr, @statements));
my $functions = q{SELECT public.padding(id), public.unpadded(id), public.ulid_time('01ARZ3NDEKTSV4RRFFQ69G5FAV')
FROM (VALUES ('00000000-5ca4-bbc7-a2dd-94ee5816238c'::pg_catalog.uuid)) AS of(id)};
is( run_behind('SELECT', $functions),
	'before|5ca4bbc7a2dd94ee5816238c|2016-07-30 23:54:10.259+00',
	'the functions of other-keys.md, behind the objects of others');
none_has_run('other-keys.md');
query_is(
	$node,
	q{SELECT public.ulid_time(text) FROM (VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FA'), ('01ARZ3NDEKTSV4RRFFQ69G5FAU')) AS of(text)},
	"\n",
	'a time of no ULID',
	'hostile_keys');
isnt($node->psql('hostile_keys', q{SELECT unpadded('ef8916a5-9cb6-4e53-ad78-c9201804ad98')}), 0,
	'an id of a real uuid');

done_testing();
