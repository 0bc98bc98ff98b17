# A standby from pg_basebackup gives the same results as its primary.  After it is
# promoted, both generate ids, each with its own random part, and no id is duplicated.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib t);
use Everywhere;
use Needs;
use TestServer;

need_contrib('amcheck');
# autovacuum would change plans on its own time
my $primary = start_node('primary', allows_streaming => 1, conf => 'autovacuum = off');
create_everywhere($primary, 'postgres');
$primary->safe_psql('postgres',
	'CREATE EXTENSION amcheck; CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, who text)');

# a base backup taken while rows come in.  The slot keeps the WAL until the standby has it,
# however many checkpoints come before.
$primary->safe_psql('postgres', q{SELECT pg_create_physical_replication_slot('standby', true)});
my $load = start_load($primary, "INSERT INTO made (who) SELECT 'primary' FROM generate_series(1, 10);\n", '--client=4');
$primary->poll_query_until('postgres', 'SELECT count(*) > 1000 FROM made') or die('the load did not start');
$primary->backup('base');
command_ok([ 'pg_verifybackup', $primary->backup_dir . '/base' ], 'pg_basebackup: the backup is complete');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->append_conf('postgresql.conf', "primary_slot_name = 'standby'");
$standby->start;
my $rows = $primary->safe_psql('postgres', 'SELECT count(*) FROM made');
$primary->poll_query_until('postgres', "SELECT count(*) > $rows + 1000 FROM made")
  or die('the load stopped');
stop_load($load);
# changes for the standby to replay: rows for each kind of index, an index build, updates,
# a BRIN summary
$primary->safe_psql(
	'postgres', q{
SELECT format($$INSERT INTO %s SELECT gen_objectid(timestamptz '2001-01-01' + n * interval '1 hour'), n FROM generate_series(3001, 4000) AS n
                UNION ALL SELECT '507f1f77bcf86cd799439011', n FROM generate_series(4001, 4100) AS n$$, indrelid::regclass)
FROM pg_index WHERE indexrelid::regclass::text LIKE 'app.by\_%\_index' \gexec
REINDEX TABLE app.by_gist;
UPDATE app.by_gin SET id = gen_objectid() WHERE n % 2 = 0;
VACUUM app.by_brin;
});
$primary->wait_for_catchup($standby);

is(contents($standby, 'postgres'), contents($primary, 'postgres'), 'standby: all rows of the primary');
check_indexes($standby, 'postgres', 'standby');
query_is(
	$standby,
	q{SELECT count(*) FROM made WHERE id >= now() - interval '1 day'},
	$primary->safe_psql('postgres', 'SELECT count(*) FROM made'),
	'standby: a query for a time window');

# A session on the standby generates ids before and after the promotion
my ($in, $got) = ('', '');
my $session = IPC::Run::start([ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $standby->connstr('postgres') ],
	'<', \$in, '>', \$got, IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
$in .= "SELECT gen_objectid() FROM generate_series(1, 1000);\n\\echo before\n";
$session->pump until $got =~ /^before$/m;
$standby->promote;
$primary->safe_psql('postgres', q{INSERT INTO made (who) SELECT 'primary, after' FROM generate_series(1, 10000)});
$standby->safe_psql('postgres', q{INSERT INTO made (who) SELECT 'standby' FROM generate_series(1, 10000)});
$in .= "INSERT INTO made (who) SELECT 'session' FROM generate_series(1, 1000) RETURNING id;\n\\echo after\n\\q\n";
$session->finish;

my @session = $got =~ /^([0-9a-f]{24})$/mg;
is(scalar(@session), 2000, 'a session generates ids before and after the promotion');
is(join(' ', @session), join(' ', sort @session), 'each id is greater than the previous one');
my %seen;
$seen{$_}++
  for @session, split(/\n/, $primary->safe_psql('postgres', 'SELECT id FROM made')),
  split(/\n/, $standby->safe_psql('postgres', q{SELECT id FROM made WHERE who = 'standby'}));
is( scalar(keys %seen),
	$primary->safe_psql('postgres', 'SELECT count(*) FROM made') + 12000,
	'no duplicates among the ids of the promoted standby, of that session and of the primary');

# four of the five random bytes, because the counter may overflow into the fifth
my %part = map { substr($_, 8, 8) => 1 } @session;
is(scalar(keys %part), 1, 'the standby keeps its random part when it is promoted');
ok(!$part{ substr($primary->safe_psql('postgres', 'SELECT gen_objectid()'), 8, 8) },
	"it is not the primary's random part");

check_indexes($standby, 'postgres', 'promoted');
use_everywhere($standby, 'postgres', 'promoted');
command_ok([ 'pg_amcheck', '--heapallindexed', '--parent-check', $standby->connstr('postgres') ],
	'promoted: pg_amcheck of the database');

done_testing();
