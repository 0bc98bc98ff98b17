# Each client is complete: an adapter has a test, its packages, and a row and an example
# in docs/clients.md.
use lib 't';
use TestServer;

my $page = slurp_file('docs/clients.md');
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
	ok((-f $test ? slurp_file($test) : '') =~ /^\tdriver => '\Q$client\E',$/m, "$client: $test runs it");
	ok( $needed{ $directory // $name } || slurp_file($test) =~ /'Debian has no /,
		"$client: clients/packages has what it needs, or its test says that Debian has it not");
	my ($heading) = $page =~ m{^## ([^\n]*\[clients/\Q$client\E/\]\(\.\./clients/\Q$client\E/.*\))$}m;
	ok($heading, "$client: docs/clients.md has a section");

	# the anchor, as GitHub makes it of a heading's text
	my $anchor = lc(($heading // '') =~ s/\]\(.*//r) =~ s/[^\w\- ]//gr =~ tr/ /-/r;
	ok($page =~ /^\| \[[^\]]+\]\(#\Q$anchor\E\) \|/m, "$client: docs/clients.md has a row");
}

# others say what they need by themselves
$known{$_} = 1 for map { slurp_file($_) =~ /\b(?:need|missing)\('(\w+)'\)/g } glob('t/*.p[lm]');
is(join(', ', grep { !$known{$_} } sort keys %needed), '', 'clients/packages names only tests that exist');

done_testing();
