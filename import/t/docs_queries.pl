# The statements of docs/queries.md and its files: both ways give the same, and what mingo gives for MongoDB's form.
# script/setup import installs mingo.
use strict;
use warnings FATAL => 'all';
use Cwd ();
use JSON::PP;
use ImportTest;

need('docs_order');
my $page = slurp_file('docs/queries.md');
my %file = $page =~ /^```\w+ ([\w.]+)\n(.*?)^```\n/msg;
$file{$_} = slurp_file("docs/queries/$_") for qw(facet.sql write.sql);

# the data, as the page makes them
my $node = start_node('docs');
my $dir = PostgreSQL::Test::Utils::tempdir();
make_program($dir);
symlink($_, "$dir/" . basename($_)) or die("$_: $!") for map { glob(Cwd::cwd() . "/$_") } qw(docs *.sql);
append_to_file("$dir/screenings.json", $file{'screenings.json'});
my ($before) = $page =~ /^(.*?)^## find$/ms;
my @commands = map { s/^objectid-import .*--max-rejected.*\K/ || [ \$? = 3 ]/r } $before =~ /^\$ (.*)$/mg;
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGTZ} = 'UTC';
my ($printed, $error) = run_command([ 'sh', '-c', join("\n", 'set -e; cd "$0"; PATH=$0:$PATH', @commands), $dir ]);
is(() = "$printed$error" =~ /^complete: \d.*$/mg, 4, 'the data') or diag($printed, $error);

my $json = JSON::PP->new->canonical->allow_nonref;

# answer_of($sql) - the JSON that the last statement gives, of statements that are rolled back
sub answer_of
{
	my ($sql) = @_;
	return $json->decode($node->safe_psql('queries', "BEGIN;\n$sql;\nROLLBACK"));
}

# plain($value) - a value without what jsonb, columns and MongoDB write differently: fields that are null or
# empty do not count, and every other value is a text
sub plain
{
	my ($value) = @_;
	return [ map { plain($_) } @$value ] if ref($value) eq 'ARRAY';
	return defined $value ? $value =~ /^-?\d+\.\d+$/ ? $value + 0 . '' : $value =~ s/\.000Z$|\+00:00$|Z$//r : undef
	  if ref($value) ne 'HASH';
	return plain($value->{'$oid'}) if exists $value->{'$oid'};
	if (exists $value->{'$date'})
	{
		my $date = $value->{'$date'};
		return plain(ref($date) ? answer_of("SELECT to_jsonb(to_timestamp($date->{'$numberLong'} / 1000.0))") : $date);
	}
	my %plain = map { $_ => plain($value->{$_}) } keys %$value;
	return {
		map { !defined $plain{$_} || ref($plain{$_}) eq 'ARRAY' && !@{ $plain{$_} } ? () : ($_ => $plain{$_}) }
		  keys %plain
	};
}

# rows($form, $rows) - rows as text, sorted unless the form sorts them
sub rows
{
	my ($form, $rows) = @_;
	my @rows = map { $json->encode(plain($_)) } @$rows;
	@rows = sort @rows unless $form =~ /sort/i;
	return join("\n", @rows);
}

# The whole collection, after a statement has changed it
my %collection = (
	film => 'SELECT jsonb_agg(doc) FROM film.screenings',
	plain => q{
SELECT jsonb_agg(jsonb_build_object('_id', _id, 'movie', movie, 'at', at, 'tags', tags, 'hall',
    nullif(jsonb_strip_nulls(jsonb_build_object('name', hall_name, 'seats', hall_seats)), '{}'), 'sales',
    (SELECT jsonb_agg(jsonb_build_object('kind', kind, 'n', n) ORDER BY position) FROM plain.screenings_sales
    WHERE screenings_id = _id)))
FROM plain.screenings});

# the forms, each with its statements: conditions in a table, and blocks
my @forms;
while ($page =~ /^\| `((\w+)\.find\(.*?\))` \| `(.*?)` \| (?:`(.*?)`|\(.*\)) \|$/mg)
{
	my ($form, $collection, @conditions) = ("db.$1", $2, grep { defined } $3, $4);
	push @forms,
	  {
		form => $form,
		statements => [ map { "SELECT _id FROM film.$collection WHERE " . s/\\\|/|/gr } @conditions ]
	  };
}
is(scalar @forms, (() = $page =~ /^\| `\w+\./mg), 'rows of the table');
for my $name (qw(find.sql aggregate.sql facet.sql write.sql))
{
	for my $part (split(/\n\n/, $file{$name}))
	{
		my ($form, $statements) = $part =~ /\A-- (db\..*)\n((?:[A-Z].*;\n?)+)\z/
		  or die("docs/queries.md: $part");
		push @forms, { form => $form, statements => [ map { s/;$//r } split(/\n/, $statements) ] };
	}
}
cmp_ok(scalar @forms, '>=', 30, 'forms of MongoDB');

my $oracle;
my $missing = missing('docs_queries');
$missing //= 'mingo is not installed (script/setup import)' unless -d 't/mingo/node_modules/mingo';
if (!$missing)
{
	my %collections =
	  map { $_ => answer_of("SELECT jsonb_agg(doc ORDER BY _id) FROM film.$_") } qw(directors movies screenings);
	my $question = $json->encode({ collections => \%collections, forms => [ map { $_->{form} } @forms ] });
	IPC::Run::run([ 'node', 't/mingo/run.js' ], '<', \$question, '>', \my $answer, '2>', \$error)
	  or die("mingo: $error");
	$oracle = $json->decode($answer);
}

for my $n (0 .. $#forms)
{
	my ($form, @statements) = ($forms[$n]{form}, @{ $forms[$n]{statements} });
	my @results = map {
		/^SELECT/
		  ? answer_of("SELECT coalesce(jsonb_agg(to_jsonb(q)), '[]') FROM ($_) AS q")
		  : answer_of("$_;\n$collection{ /(film|plain)\.screenings/ ? $1 : die($_) }")
	} @statements;
	is(rows($form, $results[1]), rows($form, $results[0]), "both ways: $form") if @results > 1;
  SKIP:
	{
		skip($missing, 1) if $missing;
		is(rows($form, $results[0]), rows($form, $oracle->[$n]), "mingo: $form");
	}
}

done_testing();
