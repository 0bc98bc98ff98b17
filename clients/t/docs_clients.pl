# Each client is complete: its language has a README and a test, and each driver has its packages, a section in
# docs/clients*.md with an example that its program contains, and a link to it in docs/clients.md.
use lib qw(testlib clients/t);
use ClientTest;

my %needed;    # by the tests, according to testlib/packages
for my $needed (needed())
{
	ok($needed->{command}, "testlib/packages: $needed->{package} has a command");
	$needed{$_} = 1 for split(/ /, $needed->{tests});
}

# sections, with the anchor that GitHub derives from a heading
my @sections;
for my $page (glob('docs/clients*.md'))
{
	for (slurp_file($page) =~ /^(#+ .*?)(?=^#+ |\z)/msg)
	{
		my ($heading, $text) = /^#+ (.*?)\n(.*)/s;
		my $link = basename($page) . '#' . lc($heading) =~ s/[^\w\- ]//gr =~ tr/ /-/r;
		push @sections, { link => $link, text => $text, client => m{\A##+ .*\n[^\]]*\]\(\.\./clients/([^)]+)} && $1 };
	}
}

for my $language (grep { $_ ne 't' } map { basename($_) } glob('clients/*/'))
{
	my $test = "clients/t/$language.pl";
	my @lines = -f $test ? table($test) : ();
	my @drivers = grep { $_->{driver} } @lines;
	ok(scalar @drivers, "$language: $test has a table of drivers");
	is(join(' ', grep { !$needed{$_} } map { split(/ /, $_->{needs}) } @lines), '', "$language: its needs are known");
	ok(-f "clients/$language/README.md", "$language: it has a README");

	for my $line (@drivers)
	{
		my ($driver, $adapter, $program) = @$line{qw(driver adapter program)};
		like($adapter, qr{^$language/}, "$driver: the adapter is in clients/$language");
		my @own = grep { $_->{client} =~ /^\Q$adapter\E/ } @sections;
		$_->{tested} = 1 for @own;
		ok(scalar grep({ index(slurp_file('docs/clients.md'), "]($_->{link})") >= 0 } @own),
			"$driver: docs/clients.md links a section");

		# each part of an example, up to an empty line; that of Drizzle is also compiled
		my @parts = map { split(/\n\n/) } map { $_->{text} =~ /^```\w+\n(.*?)^```$/msg } @own;
		ok(scalar @parts, "$driver: the section has an example");
		for my $files ($program, $driver eq 'drizzle' ? 'node/test/types/drizzle.ts' : ())
		{
			my $text = join("\n", map { slurp_file("clients/$_") } split(/ /, $files));
			s/^[ \t]+//mg, s/[ \t]+/ /g for $text, @parts;
			is(join("\n", grep { index($text, $_) < 0 } @parts), '', "$driver: $files has the example");
		}
	}
}
is(join(', ', map { $_->{link} } grep { $_->{client} && !$_->{tested} } @sections), '', 'each section has a driver');
done_testing();
