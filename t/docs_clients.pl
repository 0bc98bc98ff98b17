# Each client is complete: it has a test, its packages, a row in docs/clients.md, and a section
# in docs/clients*.md.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(basename);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my $overview = slurp_file('docs/clients.md');
my %needed;    # by the tests, according to clients/packages
for (grep { !/^#/ } split(/\n/, slurp_file('clients/packages')))
{
	my ($package, $what, $tests, $command) = split(/\t+/);
	ok($command, "clients/packages: $package has a command");
	$needed{$_} = 1 for grep { $_ ne '-' } split(/ /, $tests // '');
}

my @clients = map { m{^clients/(.+)/$} } grep { !m{/(?:node|node_modules)/$} } glob('clients/*/ clients/node/*/');
cmp_ok(scalar(@clients), '>', 15, 'there are clients');
my %known;
for my $client (@clients)
{
	my ($directory, $name) = $client =~ m{^(?:(\w+)/)?(.+)$};
	$known{ $directory // $name } = 1;
	my $test = 't/client_' . ($name =~ s/\W/_/gr) . '.pl';
	my $program = -f $test ? slurp_file($test) : '';
	ok($program =~ /^\tdriver => '\Q$client\E',$/m, "$client: $test runs it");
	ok( $needed{ $directory // $name } || $program =~ /skip_all => '\[expected\] Debian has no /,
		"$client: clients/packages has what it needs, unless Debian has no package");

	# the anchor, as GitHub derives it from a heading
	my @links = map { basename($_->[0]) . '#' . lc($_->[1]) =~ s/[^\w\- ]//gr =~ tr/ /-/r } sections($client);
	ok(scalar @links, "$client: docs/clients*.md has a section");
	ok(scalar grep({ $overview =~ /^\| \[[^\]]+\]\(\Q$_\E\) \|/m } @links),
		"$client: a row of docs/clients.md links the section");
}

# other tests name what they need themselves
$known{$_} = 1 for map { slurp_file($_) =~ /\b(?:need|missing)\('(\w+)'\)/g } glob('t/*.p[lm]');
is(join(', ', grep { !$known{$_} } sort keys %needed), '', 'clients/packages names only tests that exist');

done_testing();
