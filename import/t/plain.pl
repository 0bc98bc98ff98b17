# objectid-import on servers without the extension: keys have the type of the domain of
# plain/objectid.sql.  All as an ordinary user, in a database that it owns.
use strict;
use warnings FATAL => 'all';
use ImportTest;

my @pages = qw(docs/managed import/docs/migrating import/docs/documents-to-tables import/docs/both-systems);
set_up(
	sql => join(';',
		'CREATE ROLE regress_objectid_ann LOGIN',
		map { qq(CREATE DATABASE "$_" OWNER regress_objectid_ann) } 'none',
		'domain', @pages));
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGUSER} = 'regress_objectid_ann';

# All that follows runs in this database, which is empty.
sub use_database
{
	my ($name) = @_;
	$ENV{PGDATABASE} = $name;
	connect_to($name);
}

sub query { return (run_command([ 'psql', '-XAtq', '-c', $_[0] ]))[0] }

sub install { system_or_bail('psql', '-Xq1', '-v', 'ON_ERROR_STOP=1', '-f', $plain) }

# Without the type
use_database('none');
write_file("without/film/$_.bson", bson(id(1))) for 1 .. 3;
my (undef, undef, $err) = run_import("$work/without");
is( () =
	  $err =~
	  /error: database "none" does not have the type objectid\n.*hint: .*CREATE EXTENSION objectid.*plain\/objectid\.sql/g,
	1,
	'the type is missing: said once') or diag($err);
is(() = $err =~ /\n/g, 2, 'the type is missing: no other message');
import_is('keys of other types need no type', '1|0', '-n', 'public', write_file('text.json', qq({"_id":"x"}\n)));

# With the domain
use_database('domain');
install();
my $documents = documents(200, 1 .. 150_000);
write_file('many.bson', $documents);
unlike(import_is('BSON, with jobs', '150000|0', '-v', '-j', 2, "$work/many.bson"),
	qr/row by row/, 'the server has refused nothing on the way');
is( query(
		q{SELECT format_type(atttypid, NULL), (SELECT count(DISTINCT _id) FROM many WHERE doc->'_id'->>'$oid' = _id) FROM pg_attribute WHERE attrelid = 'many'::regclass AND attname = '_id'}
	),
	'objectid|150000',
	'the keys have the type of the domain');
like(
	import_is('a file that is loaded already', '150000|0', "$work/many.bson"),
	qr/already loaded/,
	'a file that is loaded already');
import_ok('a pipe', '150000|0', qw(--format bson -t piped -), $documents);
import_ok(
	'JSON', '2|3',
	write_file(
		'mixed.json',
		join('',
			map { "$_\n" } '{"_id":{"$oid":"50000000000000000000000A"}}',
			'{' . json_id(1) . '}',
			'{' . json_id(1) . '}',
			'{"_id":"500000000000000000000002"}', '{}')));
is( query(q{SELECT string_agg(_id, ' ' ORDER BY _id) FROM mixed}),
	hex_id(1) . ' ' . hex_id(10),
	'digits become lower case');
is(query(q{SELECT string_agg(position || ' ' || reason, E'\n' ORDER BY position) FROM mixed_rejected}),
	"3 duplicate: the table has this _id already\n4 _id is a string, not an ObjectId\n5 no _id", 'reasons');

# The scripts use the domain.  Keys of tables have a default, unless other functions can be called so.
make_schema('-n', 'scripts',
	write_file('shapes.json', qq({@{[ json_id(1) ]},"by":{"\$oid":"@{[ hex_id(2) ]}"},"a":[{"n":1}]}\n)));
import_ok('documents with columns', '1|0', '-n', 'scripts', "$work/shapes.json");
is(query('SELECT by, n FROM scripts.shapes, scripts.shapes_a'), hex_id(2) . '|1', 'their values');
query(  'CREATE TABLE other (_id objectid PRIMARY KEY, doc jsonb); CREATE FUNCTION '
	  . q{gen_objectid(VARIADIC text[] DEFAULT '{}') RETURNS text LANGUAGE sql AS 'SELECT NULL::text'});
for ([ 'other', '' ], [ 'mixed', 'gen_objectid()' ])
{
	my ($table, $default) = @$_;
	run_script(script_of('--to-tables', '-t', $table));
	is(query(qq(SELECT max(pg_get_expr(adbin, adrelid)) FROM pg_attrdef WHERE adrelid = '$table'::regclass)),
		$default, "$table: the default");
	query('DROP FUNCTION IF EXISTS gen_objectid(text[])');
}

# A domain that is not in the search path, of a table that is there
query(
	'CREATE SCHEMA ids; ALTER DOMAIN objectid SET SCHEMA ids; CREATE TABLE old (_id ids.objectid PRIMARY KEY, doc jsonb)'
);
import_ok('a domain in a different schema', '1|1', write_file('old.bson', bson(id(1)) x 2));

# The pages
SKIP:
{
	my $sources = $ENV{OBJECTID_SOURCES};
	my $missing = missing('docs_order') // missing_sources();
	skip $missing, 8 if $missing;

	symlink('/usr/bin/python3', "$work/build/python3");
	local $ENV{PATH} = "$work/build:$ENV{PATH}";
	for my $page (@pages)
	{
		use_database($page);
		my $text = slurp_file("$sources$page.md");
		$text =~ s/^CREATE EXTENSION objectid;$/\\i $plain/m;
		$text =~ s/pg_catalog\.gen_objectid/public.gen_objectid/g;
		$text =~ s/^\$ psql -qc 'CREATE EXTENSION objectid'$/\$ psql -qf $plain/m;

		# skip the sections on dumps: they need the extension, with which docs_order.pl runs them
		$text =~ s/^## A dump of a database with the extension\n.*?(?=^## Cost)//ms;

		page_is(
			"$page.md, with the domain",
			write_file("$page.md", $text),
			$sources . ($page =~ m{^(import/)} ? $1 : ''));
	}
}

done_testing();
