# The pictures and their alternative text show the figures of bench/results.md.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;

my $pages = join('', map { slurp_file($_) } 'README.md', 'docs/performance.md');
for my $picture (qw(ratios hour))
{
	my ($svg, $err) = run_command([ $^X, 'bench/pictures.pl', 'bench/results.md', $picture ]);
	is($err, '', "bench/pictures.pl draws $picture");
	ok("$svg\n" eq slurp_file("docs/performance/$picture.svg"), "docs/performance/$picture.svg shows its figures");
	my ($title) = $svg =~ m{<title>(.*)</title>};
	my @texts = $pages =~ m{!\[([^]]*)\]\([\w/]*/$picture\.svg\)}g;
	ok(scalar(@texts), "$picture: a page shows it");
	is($_, $title, "$picture: the alternative text has its figures") for @texts;
}

done_testing();
