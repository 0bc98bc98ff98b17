# docs/reference.md has what the catalogs of the extension have for users, and with docs/operations.md every error; plain SQL has
# the same functions.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

my $node = start_node('reference', sql => 'CREATE DATABASE plain; CREATE DATABASE dropped; CREATE EXTENSION objectid');
my $reference = slurp_file('docs/reference.md') . "\n## ";

# the rows of a section's table, of one cell if its number is passed
sub rows
{
	my ($heading, $column) = @_;
	my ($section) = $reference =~ /^## \Q$heading\E\n(.*?)^## /ms;
	return map { defined $column ? (split(/ \| /))[$column] : $_ } $section =~ /^\| (.*) \|$/mg;
}

# lacks($where, $what, @lacking) - a check that nothing is lacking
sub lacks
{
	my ($where, $what, @lacking) = @_;
	is(join("\n", @lacking), '', "$where lacks none of the $what");
}

# objects($catalog, $name, $condition) - the names of the extension's members
sub objects
{
	my ($catalog, $name, $condition) = @_;
	my @objects = split(/\n/, $node->safe_psql('postgres', <<SQL));
SELECT $name FROM $catalog AS o JOIN pg_depend ON classid = '$catalog'::regclass AND objid = o.oid AND deptype = 'e'
WHERE refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid') AND $condition ORDER BY 1
SQL
	cmp_ok(scalar @objects, '>', 1, "there are members in $catalog");
	return @objects;
}

# functions without "internal:" in their comment are for users
my @functions = objects(
	'pg_proc',
	q{regexp_replace(o.oid::regprocedure::text, 'timestamp with time zone', 'timestamptz')},
	q{coalesce(obj_description(o.oid, 'pg_proc'), '') NOT LIKE 'internal: %'});
my $functions = join("\n", rows('Functions', 0));
lacks('docs/reference.md', 'functions', grep { index($functions, "`$_") < 0 } @functions);
my $changes = slurp_file('CHANGELOG.md');
lacks('CHANGELOG.md', 'functions', grep { $changes !~ /`\Q$_\E\b/ } map { /^(\w+)/ } @functions);
for my $tests ('sql/*.sql', 't/plain_sql.pl')    # but objectid_hidden(), which plain SQL does not have
{
	my $text = join('', map { slurp_file($_) } glob($tests));
	lacks($tests, 'functions', grep { $_ ne 'objectid_hidden' && $text !~ /\b$_\b/ } map { /^(\w+)/ } @functions);
}

my $operators = join("\n", rows('Operators', 0));
my ($ids) = $operators =~ /^`(.*?)` between ids/m;
my ($times) = $operators =~ /^`(.*?)` between `objectid` and `timestamptz`, in either order/m;
lacks(
	'docs/reference.md',
	'operators',
	grep {
		my ($left, $operator, $right) = split(/ /);
		index($left eq $right ? " $ids " : /timestamptz/ ? " $times " : '', " $operator ") < 0
		  && index($operators, "`$_`") < 0
	} objects(
		'pg_operator',
		q{format('%s %s %s', (SELECT typname FROM pg_type WHERE oid = oprleft), oprname,
		(SELECT replace(typname, 'objectid_period', 'tstzrange') FROM pg_type WHERE oid = oprright))}, 'true'));

my %casts;
for (rows('Casts', 0))
{
	my ($from, $to) = map { [/`([^`]+)`/g] } split(/ → /, "$_ → ");
	for my $source (@$from)
	{
		$casts{"$source to $_"} = 1 for @$to;
	}
}
lacks(
	'docs/reference.md',
	'casts',
	grep { !$casts{$_} } objects(
		'pg_cast', q{regexp_replace(regexp_replace(regexp_replace(castsource::regtype || ' to ' || casttarget::regtype,
		'timestamp with time zone', 'timestamptz'), 'character varying', 'varchar'), '\mcharacter\M', 'char(24)')}, 'true'));

my @indexes = rows('Indexes');
lacks(
	'docs/reference.md',
	'operator classes',
	grep {
		my ($method, $class, $default) = split(/\|/);
		!grep { /^[^|]*\b$method\b/i && ($default eq 't' || /`$class`/) } @indexes
	} objects('pg_opclass', q{(SELECT amname FROM pg_am WHERE oid = opcmethod), opcname, opcdefault}, 'true'));

my $errors = join("\n", rows('Errors', 0), slurp_file('docs/operations.md') =~ /^\| (`.*?`) \| [0-9A-Z]{5} \|/mg);
my @messages;
for my $text (map { slurp_file($_) } glob('objectid*.[ch]'))
{
	while ($text =~ /\berrmsg(_plural|)(?:_internal)?\(\s*((?:"(?:[^"\\]|\\.)*"[,\s]*)*)/g)
	{
		my ($plural, $literals) = ($1, $2);
		my @literals = $literals =~ /"((?:[^"\\]|\\.)*)"/g;
		$#literals = 0 if @literals && !$plural;    # others are its arguments
		push @messages, @literals ? @literals : 'a message that is not a constant';
	}
}
cmp_ok(scalar @messages, '>', 5, 'there are errors');
lacks(
	'the source',
	'SQLSTATEs',
	map {
		my $level = qr/\s*(?!LOG|DEBUG|NOTICE|WARNING)/;
		(grep { !/errcode/ } /\b((?:ereport|ereturn|errsave)\($level[^;]*)/g),
		  /\b(elog\(${level}(?!ERROR, "unrecognized strategy number)[^;]*)/g
	} map { slurp_file($_) } glob('objectid*.c'));
lacks(
	'docs/reference.md and docs/operations.md',
	'errors',
	grep {
		my $message = join('.*', map { quotemeta } split(/%\w/, s/\\"/"/gr =~ s/ at \$\[%d\]//r));
		$errors !~ /`$message/
	} @messages);

# plain SQL: its functions, but min and max, which are those of text, and objectid_hidden(), because it hides nothing;
# and the script that drops them
my $plain = slurp_file('plain/objectid.sql');
my $left = q{SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = 'public'::regnamespace};
$node->safe_psql($_, $plain) for qw(plain dropped);
lacks(
	'plain/objectid.sql',
	'functions',
	grep { !/^(?:min|max|objectid_hidden)\(/ && $node->safe_psql('plain', "SELECT to_regprocedure('public.$_')") eq '' }
	  @functions);
$node->psql('dropped', slurp_file('plain/drop.sql'), stderr => \my $error);
lacks('plain/drop.sql', 'functions', $error || $node->safe_psql('dropped', $left));
done_testing();
