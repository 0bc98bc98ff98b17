# A standby generates ids in recovery and after its promotion.  Its random part is not that of its primary, and no id is
# duplicated.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my $primary = start_node(
	'primary',
	allows_streaming => 1,
	sql => 'CREATE EXTENSION objectid; CREATE TABLE made (id objectid DEFAULT gen_objectid() PRIMARY KEY, who text)');
$primary->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;
my $insert = q{INSERT INTO made (who) SELECT '%s' FROM generate_series(1, 10000)};
$primary->safe_psql('postgres', sprintf($insert, 'primary'));
$primary->wait_for_catchup($standby);
query_is(
	$standby, q{SELECT count(*) FROM made WHERE id >= now() - interval '1 day'},
	'10000', 'the standby finds the rows of the primary by time');

# A session generates ids before and after the promotion
my $session = $standby->background_psql('postgres');
my @session = split(/\n/, $session->query_safe('SELECT gen_objectid() FROM generate_series(1, 1000)'));
$standby->promote;
$primary->safe_psql('postgres', sprintf($insert, 'primary, after'));
$standby->safe_psql('postgres', sprintf($insert, 'standby'));
push @session,
  split(/\n/,
	$session->query_safe(q{INSERT INTO made (who) SELECT 'session' FROM generate_series(1, 1000) RETURNING id}));
$session->quit;
is(scalar(@session), 2000, 'a session generates ids before and after the promotion');
is("@session", join(' ', sort @session), 'each id of the session is greater than the one before');

my %seen = map { $_ => 1 } @session, split(/\n/, $primary->safe_psql('postgres', 'SELECT id FROM made')),
  split(/\n/, $standby->safe_psql('postgres', q{SELECT id FROM made WHERE who = 'standby'}));
is(scalar(keys %seen), 32000, 'no duplicates among the ids of the primary, of the standby and of the session');

# four of the five random bytes, because the counter may overflow into the fifth
my %part = map { substr($_, 8, 8) => 1 } @session;
is(scalar(keys %part), 1, 'the standby keeps its random part when it is promoted');
ok(!$part{ substr($primary->safe_psql('postgres', 'SELECT gen_objectid()'), 8, 8) },
	"the random part of the standby is not the primary's");

done_testing();
