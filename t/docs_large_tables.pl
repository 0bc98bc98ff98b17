# The steps of docs/large-tables.md, with columns of each type, while clients write until the switch: the new database has
# all rows, and the old one follows it back.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my ($dump, $publish, $subscribe, $switch, $drop, $way_back, $go_back) =
  map { s/\bold\b/postgres/gr } slurp_file('docs/large-tables.md') =~ /^```(?:sh)?\n(.*?)^```$/msg;
my %node = map { $_ => start_node($_, allows_streaming => 'logical') } qw(first second);
my $dir = PostgreSQL::Test::Utils::tempdir();
my $longest = 10 * $PostgreSQL::Test::Utils::timeout_default;    # of a load that the switch does not end

# in_database($sql, $node, $database) - psql runs a block of the page, which names the servers "first" and "second"
sub in_database
{
	my ($sql, $server, $database) = @_;
	$sql =~ s/host=(\w+)/'host=' . $node{$1}->host . ' port=' . $node{$1}->port . ' user=postgres'/ge;
	return $node{$server}->safe_psql($database, $sql);
}

# wait_for($sql, $server, $database, $expected)
sub wait_for
{
	my ($sql, $server, $database, $expected) = @_;
	$node{$server}->poll_query_until($database, $sql, $expected) or die("no end of: $sql");
}

# change_schema($from, $to, @changes) - step 1, with the changes that a reader makes, as pairs of a pattern
# and its replacement
sub change_schema
{
	my ($from, $to, @changes) = @_;
	my ($command) = $dump =~ /^(pg_dump .*) >schema\.sql$/m;
	local @ENV{qw(PGHOST PGPORT)} = ($node{$from}->host, $node{$from}->port);
	my ($schema, $error) = run_command([ split(/ /, $command) ]);
	is($error, '', "$from: the schema is dumped");
	while (my ($pattern, $replacement) = splice(@changes, 0, 2))
	{
		$schema =~ s/$pattern/$replacement/g;
	}
	append_to_file("$dir/$to.sql", $schema);
	local @ENV{qw(PGHOST PGPORT)} = ($node{$to}->host, $node{$to}->port);
	my ($run) = $dump =~ /^(psql .*) -f schema\.sql$/m;
	command_ok([ split(/ /, $run), '-X', '-q', '-f', "$dir/$to.sql" ], "$to: the schema is created");
}

# the rows of each table, as text
sub rows
{
	my ($server, $database, @columns) = @_;
	return $node{$server}->safe_psql($database, join(';', map { "SELECT $_ ORDER BY 1" } @columns));
}

my $key = q{id varchar DEFAULT to_char(clock_timestamp(), '"6592"') || substr(md5(random()::text), 1, 20) PRIMARY KEY};
$node{second}->safe_psql('postgres', 'CREATE DATABASE new');
$node{first}->safe_psql(
	'postgres', qq{
CREATE TABLE a ($key, n integer);
CREATE TABLE b (id char(24) PRIMARY KEY, a text NOT NULL REFERENCES a, refs text[]);
CREATE TABLE c (id bytea PRIMARY KEY, doc jsonb);
INSERT INTO a (n) SELECT n FROM generate_series(1, 5000) AS n;
INSERT INTO b SELECT id, id, ARRAY[id, NULL] FROM a;
INSERT INTO c SELECT decode(id, 'hex'), jsonb_build_object('\$oid', id) FROM a;
});
my $load = start_load($node{first}, <<'SQL', '--client=3', '--rate=100', "--time=$longest");
BEGIN;
INSERT INTO a (n) VALUES (0) RETURNING id \gset
INSERT INTO b VALUES (':id', ':id', ARRAY[':id', NULL]);
INSERT INTO c VALUES (decode(':id', 'hex'), jsonb_build_object('$oid', ':id'));
COMMIT;
UPDATE b SET refs = refs || refs[1] WHERE id = (SELECT id FROM b TABLESAMPLE SYSTEM (1) LIMIT 1);
UPDATE a SET n = n + 1 WHERE id = (SELECT id FROM a TABLESAMPLE SYSTEM (1) LIMIT 1);
DELETE FROM c WHERE id = (SELECT id FROM c TABLESAMPLE SYSTEM (1) LIMIT 1);
SQL

# the load starts before anything else, and an error ends it
$node{first}->poll_query_until('postgres',
	q{SELECT count(*) > 5000 OR NOT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'pgbench') FROM b})
  && $node{first}->safe_psql('postgres', 'SELECT count(*) > 5000 FROM b') eq 't'
  or die("no load: $load->{output}");
$node{second}->safe_psql('new', $dump =~ /'(CREATE EXTENSION objectid)'/ ? $1 : die('no extension'));
change_schema(
	'first', 'second',
	qr/id character varying DEFAULT .*? NOT NULL/ => 'id objectid DEFAULT gen_objectid() NOT NULL',
	qr/\b(?:text\[\])/ => 'objectid[]',
	qr/\b(?:character\(24\)|text|bytea|jsonb)(?= |,|\n)/ => 'objectid');
in_database($publish, 'first', 'postgres');
my ($create, $waits) = $subscribe =~ /(.*?;)\n(.*)/s;
in_database($create, 'second', 'new');
wait_for($waits, 'second', 'new', '');

# the rows that are there now have changed, and more arrive
my $count = $node{second}->safe_psql('new', 'SELECT count(*) FROM c');
wait_for("SELECT count(*) > $count + 100 FROM b", 'second', 'new', 't');
my ($stop, $end, $complete) = $switch =~ /\A(ALTER .*?;)\n(SELECT pg_terminate.*?;)\n(.*)/s;
in_database("$stop$end", 'first', 'postgres');
finish_load($load);
like($load->{output}, qr/terminating connection due to administrator command/, 'the load wrote until the switch');
is($load->{output} =~ /^.*ERROR:.*/m ? $& : '', '', 'the load met no other error');
is(($node{first}->psql('postgres', 'DELETE FROM a'))[0], 3, 'nobody can write');

sub is_complete
{
	my ($block, $server, $database) = @_;
	my ($last) = in_database('SELECT pg_current_wal_lsn()', $server, $database);
	my ($sql) = $block =~ /^(SELECT confirmed.*?);/m;
	wait_for($sql =~ s/:'last'/'$last'/r, $server, $database, 't');
}
is_complete($complete, 'first', 'postgres');
my @old = (
	'id, n FROM a',
	'id, a, refs FROM b',
	q{encode(id, 'hex'), doc->>'$oid' FROM c},
	q{pg_typeof(id), pg_typeof(a), pg_typeof(refs) FROM b LIMIT 0});
my @new = ('id, n FROM a', 'id, a, refs FROM b', 'id, doc FROM c');
my $rows = rows('first', 'postgres', @old[ 0 .. 2 ]);
cmp_ok(length($rows), '>', 500_000, 'there are rows');
ok(rows('second', 'new', @new) eq $rows, 'the new database has all rows');
query_is(
	$node{second},
	q{SELECT string_agg(DISTINCT atttypid::regtype::text, ' ') FROM pg_attribute WHERE attrelid IN ('a'::regclass, 'b'::regclass, 'c'::regclass) AND attnum > 0},
	'integer objectid objectid[]',
	'the columns of the new database are ids',
	'new');

# the other way: what has another type there is not part of it
in_database($drop =~ s/FOR ALL TABLES/FOR TABLE a, b/r, 'second', 'new');
in_database($way_back, 'first', 'postgres');
wait_for('SELECT count(*) FROM pg_stat_replication', 'second', 'new', '1');
$node{second}->safe_psql(
	'new', q{
INSERT INTO a (n) SELECT n FROM generate_series(1, 100) AS n;
INSERT INTO b SELECT id, id, ARRAY[id, NULL] FROM a WHERE id NOT IN (SELECT id FROM b);
UPDATE b SET refs = refs || gen_objectid() WHERE id IN (SELECT id FROM b ORDER BY id LIMIT 100);
DELETE FROM b WHERE id IN (SELECT id FROM b ORDER BY id DESC LIMIT 100)});
is_complete($complete =~ s/'move'/'back'/r, 'second', 'new');
ok(rows('first', 'postgres', @old[ 0, 1 ]) eq rows('second', 'new', @new[ 0, 1 ]), 'the old database follows');
in_database($stop =~ s/DATABASE postgres/DATABASE new/r, 'second', 'new');
is_complete($complete =~ s/'move'/'back'/r, 'second', 'new');
in_database($go_back, 'first', 'postgres');
query_is($node{first}, 'INSERT INTO a (n) VALUES (-1) RETURNING n', '-1', 'the old database is written again');

# From plain SQL to the extension and back, by docs/managed.md.  The tables alone are dumped, so that the schema has none of
# the objects of plain SQL.
local @ENV{qw(PGHOST PGPORT)} = ($node{second}->host, $node{second}->port);
$node{second}->safe_psql('postgres', "CREATE DATABASE $_") for qw(plain home back);
$node{second}->safe_psql($_, slurp_file('plain/objectid.sql')) for qw(plain back);
$node{second}->safe_psql('home', 'CREATE EXTENSION objectid');
$node{second}->safe_psql(
	'plain', q{
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY) PARTITION BY HASH (id);
CREATE TABLE event_0 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE event_1 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE VIEW old AS SELECT id FROM event WHERE id < timestamptz '2024-01-01 00:00:00+00';
INSERT INTO event SELECT gen_objectid(timestamptz '2023-12-31' + n * interval '1 minute') FROM generate_series(1, 3000) AS n}
);
my ($fill) = slurp_file('docs/managed.md') =~ /^(pg_dump .* --data-only .*)$/m;

# move($from, $to, @changes) - as change_schema()
sub move
{
	my ($from, $to, @changes) = @_;
	my ($schema) = run_command([ 'pg_dump', '-d', $from, '--schema-only', '-t', 'event*', '-t', 'old' ]);
	while (my ($pattern, $replacement) = splice(@changes, 0, 2))
	{
		$schema =~ s/$pattern/$replacement/g;
	}
	$node{second}->safe_psql($to, $schema);
	my $command = $fill =~ s/-d old\b/-d $from -t 'event*'/r =~ s/-d new\b/-d $to -X -q/r;
	command_ok([ 'sh', '-c', $command ], "$from to $to: the rows are copied");
	my $query = q{SELECT md5(string_agg(id::text, ' ' ORDER BY id)), count(*), (SELECT count(*) FROM old) FROM event};
	query_is($node{second}, $query, $node{second}->safe_psql($from, $query), "$from to $to: the same rows", $to);
	query_is($node{second}, 'INSERT INTO event DEFAULT VALUES RETURNING id IS NOT NULL',
		't', "$from to $to: new ids", $to);
	$node{second}->safe_psql($to, q{DELETE FROM event WHERE id > now() - interval '1 day'});
}
move('plain', 'home', qr/OPERATOR\(public\.(.)\)/ => '<', qr/\bpublic\.(?=(?:gen_)?objectid\b)/ => '');
move(
	'home', 'back',
	qr/\b(?<!\.)(?=(?:gen_)?objectid\b)/ => 'public.',
	qr/(?<=id) < (?=')/ => ' OPERATOR(public.<) ');

done_testing();
