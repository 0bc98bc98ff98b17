# The recipes of docs/managed.md, on a database that uses the type everywhere: all rows move, and what does not is listed.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib qw(testlib t);
use Everywhere;
use TestServer;

my $node = start_node('move', sql => join(';', map { "CREATE DATABASE $_" } qw(production rds scratch home one)));
@ENV{qw(PGHOST PGPORT)} = ($node->host, $node->port);
my $page = slurp_file('docs/managed.md');
my ($to_plain, $to_extension) = $page =~ /^```console\n(.*?)^```$/msg;
my ($plain, $dir) = (slurp_file('plain/objectid.sql'), PostgreSQL::Test::Utils::tempdir());

# t/everywhere.sql without what plain SQL cannot have within a statement, and with a type for the texts in CASE
my $everywhere = slurp_file('t/everywhere.sql') =~ s/^CREATE EXTENSION.*\n//mr;
for ($everywhere)
{
	s/^.* bytea GENERATED ALWAYS .*\n//m;
	s/,\n.* EXCLUDE USING gist .*//g;
	s/,\s+count\(\*\) OVER \([^()]*RANGE BETWEEN [^()]*\) AS \w+//g;
	s/ first_id\(nullif/ max(nullif/;
	s/ USING ~[<>]| objectid_ops\b| id::uuid AS uuid,//g;
	s/ plpgsql IMMUTABLE\b/$& SET search_path = public/;
	s/^\\if :temporal\n.*?^\\endif\n//ms;
	s/\bWHEN (?='[0-9a-f]{24}')/WHEN objectid /g;
}

# a constraint whose function names the type without a schema
$everywhere .= q{
CREATE FUNCTION is_id(text) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN $1::objectid IS NOT NULL; END';
CREATE TABLE texts (t text PRIMARY KEY CHECK (is_id(t))); INSERT INTO texts VALUES ('507f1f77bcf86cd799439011')};

# run the commands of a recipe, but for its example
sub recipe
{
	my @commands = grep { !/ FROM event / } $_[0] =~ /^\$ (.*)$/mg;
	return note((run_command([ 'sh', '-c', join("\n", qq(ln -sf "\$PWD/plain" $dir; cd $dir), @commands) ]))[1]);
}

# all objects of a database, as in the list of an archive: kind, schema, name
sub objects
{
	my ($list) = run_command([ 'sh', '-c', "pg_dump -Fc -s $_[0] | pg_restore --list" ]);
	return map { s/public\.objectid\b/objectid/gr } $list =~ /^\d+; \d+ \d+ (.*) \S*$/mg;
}

# those of the first list that the second lacks
sub lacking
{
	my %there = map { ($_ => 1) } @{ $_[1] };
	return sort grep { !$there{$_} } @{ $_[0] };
}

# the rows are equal, but for relations that the second database lacks
sub rows_are
{
	my ($from, $to, @lacking) = @_;
	my ($rows, $moved) = map { +{ contents($node, $_) =~ /^(\w+)\|(.*)$/mg } } $from, $to;
	delete @{$_}{ @lacking, qw(by_modulus_0 by_modulus_1) } for $rows, $moved;    # hashes differ
	is_deeply($moved, $rows, "$from to $to: all rows are equal");
	return;
}

# to plain SQL
$node->safe_psql('production', "CREATE EXTENSION objectid;\n$everywhere");
recipe($to_plain);
my @moved = objects('rds');
is(join(', ', lacking([ objects('production') ], \@moved)) . ' ', <<'END' =~ tr/\n/ /r, 'what plain SQL cannot have');
AGGREGATE app first_id(objectid), COMMENT - EXTENSION objectid, DOMAIN app shift_period, EXTENSION - objectid,
FUNCTION app year_from(objectid), INDEX app by_brin_bloom_index, INDEX app by_brin_multi_index,
INDEX app by_gin_index, INDEX app by_gist_index, INDEX app event_tenant_refs, INDEX app node_nullif_id_idx,
INDEX app node_parent_idx, INDEX app shift_during, INDEX app shift_worked, OPERATOR CLASS app own_ops,
OPERATOR app ~<, OPERATOR app ~>, RULE app node_rules delete, TABLE ATTACH app by_own_all, TABLE app by_own,
TABLE app shift, VIEW app in_shift
END
rows_are('production', 'rds', qw(by_own by_own_all shift));

# To the extension: without the statements that fail, but with more that does not move, and with a function and an
# operator of the same names as in plain SQL
$node->safe_psql('postgres', 'DROP DATABASE rds; CREATE DATABASE rds');
$node->safe_psql('rds', $plain);
my @own = objects('rds');
$node->psql('rds', $everywhere =~ s/^SET search_path = app\K/, public/mr, on_error_stop => 0);
is(join(' ', lacking([ objects('rds') ], [ @moved, objects('production') ])), '', 'plain SQL can have all other objects');
$node->safe_psql(
	'rds', q{
CREATE FUNCTION objectid_time(text) RETURNS text RETURN 'mine';
CREATE FUNCTION mine(objectid, date) RETURNS boolean RETURN true; CREATE OPERATOR < (FUNCTION = mine, LEFTARG = objectid, RIGHTARG = date);
CREATE VIEW app.known AS SELECT CASE id WHEN '507f1f77bcf86cd799439011' THEN 'known' END FROM app.ids;
CREATE VIEW app.sorted AS SELECT id FROM app.ids ORDER BY id COLLATE "C";
CREATE TABLE app.referring (id objectid REFERENCES app.texts)});
$node->safe_psql('home', 'CREATE EXTENSION objectid');
recipe($to_extension);
my @theirs = lacking([ objects('rds') ], \@own);
is(join(', ', lacking(\@theirs, [ objects('home') ])) . ' ', <<'END' =~ tr/\n/ /r, 'what does not move to the extension');
FK CONSTRAINT app referring referring_id_fkey, POLICY app node known, PROCEDURE app change(objectid, objectid),
VIEW app known, VIEW app node_expressions, VIEW app node_groups, VIEW app node_rows, VIEW app sorted
END
is( join(', ', lacking([ objects('home') ], \@theirs)),
	'COMMENT - EXTENSION objectid, EXTENSION - objectid, OPERATOR public <',
	'the extension has no other objects than plain SQL');
rows_are('rds', 'home', qw(node_expressions node_groups node_rows));
my $listed = $node->safe_psql('rds', slurp_file('plain/compares-text.sql'));
like($listed, qr/^\Q$_\E\|/m, "plain/compares-text.sql lists $_")
  for 'policy known on table app.node', 'function app.change(objectid,objectid)',
  map { "rule _RETURN on view app.$_" } qw(known node_expressions node_groups node_rows);

# one column
$node->safe_psql('one', $plain . 'CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY)');
my $names = ($node->psql('one', 'CREATE EXTENSION objectid'))[2];
$node->safe_psql('one', "ALTER $1 public.$2$3 RENAME TO old_$2")
  while $names =~ /(type|function) public\.(\w+)(.*?), owned/g;
my ($alter) = $page =~ /`(ALTER TABLE\s+event .*?)`/s;
$node->safe_psql('one', "INSERT INTO event VALUES ('507f1f77bcf86cd799439011'); CREATE EXTENSION objectid; $alter");
my $query = 'INSERT INTO event DEFAULT VALUES; SELECT pg_column_size(min(id)), min(id), count(*) FROM event';
is($node->safe_psql('one', $query), '12|507f1f77bcf86cd799439011|2', 'one column is converted');

done_testing();
