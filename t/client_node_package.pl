# The package of clients/node, as npm's own tools check it, with require() and with TypeScript; the tests
# of the drivers use import.
use strict;
use warnings FATAL => 'all';
use File::Copy qw(copy);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

my $directory = npm(qw(@arethetypeswrong/core bson drizzle-orm jest kysely pg postgres publint typescript));
my $tarball = "${PostgreSQL::Test::Utils::tmp_check}/pg-objectid.tgz";

# an adapter also works as a copy of its file
for my $adapter (glob('clients/node/src/*.ts'))
{
	unlike(slurp_file($adapter), qr/from '\./, "$adapter imports only packages");
}

my %top = map { m{^package/([^/]+)} ? ($1 => 1) : () } split(/\n/, (run_command([ 'tar', '-tzf', $tarball ]))[0]);
is( join(' ', sort keys %top),
	'LICENSE README.md dist package.json',
	'the package has a README and a licence, and no tests');
passes(
	'publint', $directory,
	"node node_modules/publint/src/cli.js --strict '$tarball'",
	qr/^(?:Running publint |Unpacking tarball|Linting|All good!|$)/);
passes('attw', $directory, "node node_modules/\@arethetypeswrong/cli/dist/index.js --quiet '$tarball'");

# Consumers compile, in all ways that TypeScript finds and emits modules, with the types of the libraries
# checked, too.  Those of Drizzle have errors of their own.
my $tsc =
  'node node_modules/typescript/bin/tsc --strict --noEmit --target es2022 --lib es2022 --experimentalDecorators';
my $drizzle = qr{node_modules/drizzle-orm/|^ };
for my $type (qw(commonjs module))
{
	mkdir("$directory/$type") or die "$directory/$type: $!\n";
	append_to_file("$directory/$type/package.json", qq({ "type": "$type" }\n));
	copy($_, "$directory/$type") for glob("$directory/types/*.ts");
}
compiles("$_, CommonJS and ES modules", "--module $_ commonjs/*.ts module/*.ts") for qw(node16 nodenext);
compiles('node10', '--module commonjs --moduleResolution node10 --esModuleInterop commonjs/*.ts');
compiles('bundler', '--module esnext --moduleResolution bundler module/*.ts');

# tsc fails if Drizzle's types do, so the lines that it prints are the result
sub compiles
{
	my ($what, $options) = @_;
	passes("tsc --strict, $what", $directory, "$tsc $options || test \$? = 2", $drizzle);
	return;
}

# each part of these examples, up to an empty line, was compiled
for my $adapter (qw(drizzle typeorm))
{
	my $program = slurp_file("clients/node/test/types/$adapter.ts") =~ s/^[ \t]+//mgr;
	my $language = $adapter eq 'drizzle' ? 'js' : 'ts';
	my @parts =
	  map { split(/\n\n/) } map { $_->[2] =~ /^```$language\n(.*?)\n```$/msg } sections('node', $adapter);
	cmp_ok(scalar @parts, '>', 0, "$adapter: docs/clients-javascript.md has an example");
	is(join("\n\n", grep { index($program, s/^[ \t]+//mgr) < 0 } @parts), '',
		"$adapter: the compiled file contains it");
}

# Jest, in a project that "npm init" made
my $node = start_node(
	'client_node_package',
	sql => q{
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid);
});
append_to_file("$directory/jest/package.json", "{}\n");
local @ENV{qw(PGHOST PGPORT PGDATABASE PGUSER)} = ($node->host, $node->port, 'postgres', scalar getpwuid($<));
my $passed = IPC::Run::run([ 'node', '../node_modules/jest/bin/jest.js' ],
	'<', \undef, '>&', \my $output, init => sub { chdir("$directory/jest") });
ok($passed, 'Jest passes') or diag($output);
like($output, qr/^Tests: +4 passed, 4 total$/m, 'and runs all tests');
$node->stop;
done_testing();
