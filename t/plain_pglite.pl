# plain/objectid.sql works in PGlite, of npm, as docs/managed.md shows.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

need('node');
my $pglite = q{import { PGlite } from '@electric-sql/pglite';};
plan skip_all => 'the packages of clients/node/package.json are not installed (script/setup --clients)'
  unless IPC::Run::run([ 'node', '--input-type=module', '-e', $pglite ],
	'<', \undef, '>&', \my $output, init => sub { chdir('clients/node') });

my ($example, $arrays) =
  slurp_file('docs/managed.md') =~ /`(await db\.exec\(.*?\))`.*?`(await db\.refreshArrayTypes\(\))`/
  or die "docs/managed.md has no example\n";
my $program = <<'END';
import { readFileSync } from 'node:fs';
const db = await PGlite.create();
process.chdir('../..');
EXAMPLE;
await db.exec(`CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text);
  INSERT INTO event (what) VALUES ('log in');
  INSERT INTO event VALUES ('507f1f77bcf86cd799439011', 'from MongoDB')`);
const { rows } = await db.query('SELECT what FROM event WHERE id > $1::timestamptz', [new Date('2024-01-01')]);
ARRAYS;
const { rows: [{ ids }] } = await db.query('SELECT array_agg(id) AS ids FROM event WHERE id = ANY($1)', [['507f1f77bcf86cd799439011']]);
const code = await db.query("INSERT INTO event VALUES ('no id')").catch((error) => error.code);
console.log(...rows.map((row) => row.what), ...ids, code);
END
$program =~ s/EXAMPLE/$example/;
$program =~ s/ARRAYS/$arrays/;
my $done = IPC::Run::run(
	[ 'node', '--input-type=module', '-e', $pglite . $program ],
	'<', \undef, '>', \my $printed,
	'2>', \my $error, init => sub { chdir('clients/node') });
ok($done, 'the program exits with 0') or diag($error);
is( $printed,
	"log in 507f1f77bcf86cd799439011 23514\n",
	'a query by time finds the generated id, an array works, and an invalid id is an error');
done_testing();
