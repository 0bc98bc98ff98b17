# The package of clients/node works with require() and with TypeScript; the tests of the drivers
# use import.  Each adapter also works as a copy of its files, so it imports nothing else of the
# package.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need_node('require() of ES modules');
my @adapters = map { m{([^/]+)/objectid\.mjs$} } glob('clients/node/*/objectid.mjs');
my $typescript = join('', map { $_->[2] } map { sections('node', $_) } @adapters, 'kysely');
my $directory = npm(qw(bson drizzle-orm kysely pg postgres typeorm typescript));

for my $adapter (@adapters)
{
	my $code = join('', map { slurp_file($_) } glob("clients/node/$adapter/objectid.*"));
	unlike($code, qr/from '\./, "$adapter: the adapter imports only packages");
}

# succeeds($what, @command) - checks that a command succeeds, and returns what it prints
sub succeeds
{
	my ($what, @command) = @_;
	my $done =
	  IPC::Run::run(\@command, '<', \undef, '>', \my $output, '2>', \my $error, init => sub { chdir($directory) });
	ok($done, $what) or diag($output . $error);
	return $output;
}

my $node = start_node(
	'client_node_package',
	sql => q{
CREATE EXTENSION objectid;
CREATE TABLE event AS SELECT gen_objectid() AS id;
});
local @ENV{qw(PGHOST PGPORT PGDATABASE PGUSER)} = ($node->host, $node->port, 'postgres', scalar getpwuid($<));
is( join("\n", sort split(/\n/, succeeds('the adapters can be required', 'node', 'required.cjs'))),
	join("\n", map { "ok - $_" } sort @adapters, 'bson'),
	'they return ObjectIds, and accept those of require()');
$node->stop;

succeeds(
	'tsc --strict',
	qw(node node_modules/typescript/bin/tsc --strict --noEmit --skipLibCheck --module nodenext --target es2022),
	qw(--experimentalDecorators --allowJs --checkJs types.mts required.cjs));

# each part of the examples in TypeScript, up to an empty line, was compiled
my $program = slurp_file("$directory/types.mts");
my @parts = map { split(/\n\n/) } $typescript =~ /^```ts\n(.*?)\n```$/msg;
cmp_ok(scalar @parts, '>', 0, 'docs/clients*.md has TypeScript');
is(join("\n\n", grep { index($program, $_) < 0 } @parts), '', 'the compiled file contains it');
done_testing();
