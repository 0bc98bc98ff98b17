# The tables, the pictures and their alternative text show the figures of
# docs/performance-data.md.
use lib 't';
use TestServer;

my $directory = PostgreSQL::Test::Utils::tempdir();
my ($out, $err) = run_command([ $^X, 'bench/pictures.pl', 'docs/performance-data.md', $directory ]);
is($out . $err, '', 'bench/pictures.pl draws them');
my $pages = join('', map { slurp_file($_) } 'README.md', 'docs/performance.md');
for my $name (qw(ratios sessions))
{
	for my $file ("$name-light.svg", "$name-dark.svg")
	{
		ok(slurp_file("$directory/$file") eq slurp_file("docs/performance/$file"), "$file shows its figures");
	}
	my ($title) = slurp_file("$directory/$name-light.svg") =~ m{<title>(.*)</title>};
	is(join('|', $pages =~ /$name-light\.svg" alt="(?!\Q$title\E")/g), '', "$name: the alternative text has them");
}

# the medians of a line, without labels and ratios
sub medians
{
	my ($line) = @_;
	my @cells = split / *\| */, $line =~ s/\s+\z//r;
	return join ' ', map { ($_ // '') =~ /^([0-9.]+)/ ? $1 : '-' } @cells[ 2 .. 5 ];
}
my %measured = map { medians($_) => 1 } slurp_file('docs/performance-data.md') =~ /^\|.*$/mg;
my ($conditions) = slurp_file('docs/performance.md') =~ /^## Conditions\n(.*?)^## /ms;
my @rows = $conditions =~ /^\| [a-z].*$/mg;
is(scalar(@rows), 12, 'docs/performance.md has twelve rows');
ok($measured{ medians($_) }, "measured: $_") for @rows;

done_testing();
