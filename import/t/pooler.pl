# objectid-import through a pooler in transaction mode: loads into one table wait for each
# other, and leave nothing in the sessions of the server, which the pooler gives to others.
use strict;
use warnings FATAL => 'all';
use lib qw(testlib import/t);
use ImportTest;

need('pooler');
set_up();
my $port = start_pooler(4);
@ImportTest::command = map { s/port=\d+/port=$port/r } @ImportTest::command;
my $file = write_file('pooled.bson', documents(20, 1 .. 1000));
import_ok('a load', '1000|0', $file);
my $twice = write_file('twice.bson', documents(0, 1, 1));
import_is('with a row that the server refuses', '1|1', $twice);
import_is('with jobs and --upsert', '0|0|1000|0', '-j', 2, '--upsert', '--restart', $file);

# two at a time
my ($running, $holder, $first) = start_held(write_file('pair.bson', documents(20, 1 .. 1000)), 500);
my ($other, $second) = start_import('/dev/null', "$work/pair.bson");
wait_for_lock(2);
is(release_held($running, $holder), 0, 'the first of two loads') or diag($$first);
$other->finish;
is($? >> 8, 0, 'the second') or diag($$second);
like($$second, qr/waiting for another import into table public\.pair to end\n.*already loaded/s, 'has waited');

# all sessions of the pooler at a time
my @sessions = map { local $node->{_port} = $port; $node->background_psql('postgres') } 1 .. 4;
$_->query_safe('BEGIN') for @sessions;
# SET TRANSACTION changes "source" for good, although the next transaction has the default again
my $changed =
  q{SELECT name FROM pg_settings WHERE source = 'session' AND name NOT IN ('client_encoding', 'application_name', 'transaction_isolation', 'transaction_read_only')};
is(join('', map { $_->query_safe($changed) } @sessions), '', 'no setting is left in a session');
is( join(' ',
		map { $_->query_safe(q{SELECT count(*) FROM pg_class WHERE relnamespace = pg_my_temp_schema()}) } @sessions),
	'0 0 0 0',
	'nor a temporary table');
is(sql(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'}), 0, 'nor a lock');
$_->quit for @sessions;

done_testing();
