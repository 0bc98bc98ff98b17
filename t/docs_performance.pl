# The table and the picture of docs/performance.md show the figures of docs/performance-data.md.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;

my ($svg, $err) = run_command([ $^X, 'bench/pictures.pl', 'docs/performance-data.md' ]);
is($err, '', 'bench/pictures.pl draws the first table');
ok("$svg\n" eq slurp_file('docs/performance/ratios.svg'), 'docs/performance/ratios.svg shows its figures');

# the medians of a line, without labels and ratios
sub medians
{
	my ($line) = @_;
	my @cells = split / *\| */, $line =~ s/\s+\z//r;
	return join ' ', map { ($_ // '') =~ /^([0-9.]+)/ ? $1 : '-' } @cells[ 2 .. 5 ];
}
my %measured = map { medians($_) => 1 } slurp_file('docs/performance-data.md') =~ /^\|.*$/mg;
my @rows = slurp_file('docs/performance.md') =~ /^\| [a-z].*$/mg;
is(scalar(@rows), 8, 'docs/performance.md has eight rows');
ok($measured{ medians($_) }, "measured: $_") for @rows;

done_testing();
