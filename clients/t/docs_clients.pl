# Each client is complete: its language has a test, whose programs contain the examples of its page, its packages are in
# t/packages, and docs/clients.md links its page.
use ClientTest;

my %needed = (sources => 1);    # by the tests, according to t/packages
for my $needed (needed())
{
	ok($needed->{command}, "packages: $needed->{package} has a command");
	$needed{$_} = 1 for split(/ /, $needed->{tests});
}

# The parts of the examples of a page, up to an empty line, without indentation
sub normal { return $_[0] =~ s/^[ \t]+//mgr =~ s/[ \t]+/ /gr }

sub parts
{
	return map { split(/\n\n/) } map { normal($_) } slurp_file($_[0]) =~ /^```(?!sh$)\w+\n(.*?)^```$/msg;
}

my %page = map { basename($_) => "$_/README.md" } grep { $_ ne 't' } map { s{/$}{}r } glob('*/');
for my $language (sort keys %page)
{
	my $test = "t/$language.pl";
	my @lines = -f $test ? table($test) : ();
	my @drivers = grep { $_->{driver} } @lines;
	ok(scalar @drivers, "$language: $test has a table of drivers");
	is(join(' ', grep { !$needed{$_} } map { split(/ /, $_->{needs}) } @lines), '', "$language: its needs are known");
	like(
		slurp_file('../docs/clients.md'),
		qr{\]\(\.\./clients/\Q$page{$language}\E[#)]},
		"$language: docs/clients.md links its page");

	my @parts = parts($page{$language});
	my %found;
	for my $driver (@drivers)
	{
		my $text = normal(join("\n", map { slurp_file("$language/$_") } split(/ /, $driver->{program})));
		my @own = grep { index($text, $_) >= 0 } @parts;
		ok(scalar @own, "$driver->{driver}: $page{$language} has examples of its program");
		$found{$_} = 1 for @own;
	}
	is(join("\n\n", grep { !$found{$_} } @parts), '', "$language: programs have all examples of $page{$language}");
}
my $psycopg = normal(slurp_file('python/tests/roundtrip_psycopg.py'));
is(join("\n\n", grep { index($psycopg, $_) < 0 } parts('../docs/clients.md')),
	'', 'a program has the example of docs/clients.md');

# Each file of an adapter is imported by a program, or by a different file of it.  Elixir compiles all.
for my $language (sort keys %page)
{
	my $other = '/(?:node_modules|dist|target|vendor)/';
	my @files = grep { !/$other/ && /\.(?:go|php|py|rb|rs|[cm]?js|ts)$/ }
	  split(/\n/, (shell('.', "find $language -type f"))[1]);
	my @lines = map { split(/\n/, slurp_file($_)) } @files;
	my $imports = join("\n", grep { m{\b(?:import|from|use|require|mod|for name in|clients/go)\b} } @lines);
	for my $file (grep { m{/(?:src|lib|pg_objectid|pgx|sql)/} && !m{/tests?/|/lib\.rs$} } @files)
	{
		my ($name) = $file =~ m{^(go/\w+)/} ? $1 : $file =~ m{([\w.-]+?)(?:/__init__)?\.\w+$};
		ok($imports =~ /\b\Q$name\E\b/, "$file is imported");
	}
}
done_testing();
