# Each client is complete: it has a test, its packages, a link in docs/clients.md, and a section
# in docs/clients*.md.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(basename);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my $overview = slurp_file('docs/clients.md');
my %needed;    # by the tests, according to t/client_packages
for (grep { !/^#/ } split(/\n/, slurp_file('t/client_packages')))
{
	my ($package, $what, $tests, $command) = split(/\t+/);
	ok($command, "t/client_packages: $package has a command");
	$needed{$_} = 1 for grep { $_ ne '-' } split(/ /, $tests // '');
}

my (%known, %directory);
for my $test (glob('t/client_*.pl'))
{
	my $program = slurp_file($test);
	next unless $program =~ /^test_client\(/m;

	# functions of t/ClientTest.pm that know the language
	my %language =
	  ('cargo(' => 'rust', 'composer(' => 'php', 'gem(' => 'ruby', 'node(' => 'node', 'python(' => 'python');
	my ($function, $driver) = $program =~ /^(?:\t|test_client\()(driver => |\w+\()'([^']+)'/m;
	my ($adapter) = $program =~ /^\tadapter => '([^']+)',$/m;
	my $language = $language{$function} // ($adapter // $driver) =~ s{/.*}{}r;
	my $name = $language eq 'node' ? 'node' : $driver;
	$known{$name} = $directory{$language} = 1;
	is($test, 't/client_' . ($driver =~ s/\W/_/gr) . '.pl', "$driver: the name of its test");
	ok( $needed{$name} || $program =~ /skip_all => '\[expected\] Debian has no /,
		"$driver: t/client_packages has what it needs, unless Debian has no package");

	# the anchor, as GitHub derives it from a heading
	my @links = map { basename($_->[0]) . '#' . lc($_->[1]) =~ s/[^\w\- ]//gr =~ tr/ /-/r }
	  sections($language, $driver, $adapter);
	ok(scalar @links, "$driver: docs/clients*.md has a section");
	ok(scalar grep({ index($overview, "]($_)") >= 0 } @links), "$driver: docs/clients.md links the section");
}
is(join(' ', grep { !$directory{$_} } map { m{^clients/(.+)/$} } glob('clients/*/')),
	'', 'each directory of clients/ has a test');

# other tests name what they need themselves
$known{$_} = 1 for map { slurp_file($_) =~ /\b(?:need|missing)\('(\w+)'\)/g } glob('t/*.p[lm]');
is(join(', ', grep { !$known{$_} } sort keys %needed), '', 't/client_packages names only tests that exist');

done_testing();
