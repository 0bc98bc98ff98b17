# The steps of docs/large-tables.md while clients read and write: no client meets an error,
# no row loses a key or a reference, no table is rewritten, and the way back works.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

my $page = slurp_file('docs/large-tables.md');
my ($tables, $columns, $backfill, $indexes, $swap, $clean_up) = $page =~ /^```sql\n(.*?)^```$/msg;
my ($go_back) = $page =~ /^```sql go_back\.sql\n(.*?)^```$/ms;

# autovacuum gives way to others, but only after deadlock_timeout
my $node = start_node('large_tables', conf => 'autovacuum = off', sql => $tables);
my $files = q{SELECT pg_relation_filenode('account'), pg_relation_filenode('login')};
my $before = $node->safe_psql('postgres', $files);

# sessions repeat this transaction before, during and after the swap of the columns
my $load = start_load(
	$node, q{BEGIN;
INSERT INTO account (name) VALUES ('new') RETURNING id \gset
INSERT INTO login (account) VALUES (':id');
INSERT INTO login (account) SELECT min(id) FROM account;
UPDATE account SET name = 'old' WHERE id = ':id';
DELETE FROM login WHERE account = ':id' AND random() < 0.1;
COMMIT;
}, '--client=4');

# each step sees rows that the load inserts meanwhile
my $rows = 'SELECT count(*) FROM login';

sub wait_for_rows
{
	my $reached = $node->safe_psql('postgres', $rows) + 100;
	$node->poll_query_until('postgres', "$rows" =~ s/count\(\*\)/count(*) >= $reached/r)
	  or die('the load has ended');
}

# a transaction that gives up if it does not get its locks at once
sub repeat
{
	my ($sql) = @_;
	for my $attempt (1 .. 100)
	{
		my ($status, undef, $error) =
		  $node->psql('postgres', "SET client_min_messages = debug1; $sql", on_error_stop => 1);
		return $error if $status == 0;
		$error =~ /lock timeout/ or die($error);
	}
	die('the transaction never got its locks');
}

for my $step (
	$columns =~ s{^SET lock_timeout.*\n}{}mr, $backfill,
	$backfill =~ s/^CREATE PROCEDURE.*?^END\$\$;$//msr, $indexes)
{
	wait_for_rows();
	$node->safe_psql('postgres', $step);
}
wait_for_rows();
my $messages = repeat($swap);
is(() = $messages =~ /sufficient to prove that it does not contain nulls/g, 3, 'SET NOT NULL reads no rows');
query_is($node, $files, $before, 'no table was rewritten');
wait_for_rows();

# both pairs of keys are complete, and lead to the same rows
my $wrong = q{SELECT count(*) FROM login LEFT JOIN account AS new ON new.id = login.account
LEFT JOIN account AS old ON old.old_id = login.old_account WHERE old.id IS NULL OR old.id IS DISTINCT FROM new.id};
query_is($node, $wrong, '0', 'both references of each row agree after the swap');

repeat($go_back);
wait_for_rows();
query_is($node, $wrong =~ s/\bold_(id|account)\b/new_$1/gr, '0', 'and after going back');
query_is($node, $files, $before, 'which rewrites no table either');

stop_load($load);
is($load->{output} =~ /(error|aborted).*/i ? $& : '', '', 'no client met an error');

done_testing();
