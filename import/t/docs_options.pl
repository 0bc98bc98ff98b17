# The options of objectid-import are the same in its table, in --help and in its man page, and its pages name no others.
use strict;
use warnings FATAL => 'all';
use ImportTest;

need('import');
$work = PostgreSQL::Test::Utils::tempdir();
make_program($work);

# The long options that a text names, sorted, without repetition
sub options
{
	my %options = map { $_ => 1 } $_[0] =~ /--([a-z][a-z-]*)/g;
	return join(' ', sort keys %options);
}

my ($help) = run_command([ "$work/objectid-import", '--help' ]);
my $table = slurp_file('src/options.c');
my @taken = $table =~ /^\t\{(?:\.name = )?"([a-z-]+)"/mg;
cmp_ok(scalar(@taken), '>', 10, 'src/options.c has a table of options');
is(options($help), options(join(' ', map { "--$_" } @taken, qw(help version))), '--help: those that the program takes');

my $man = slurp_file('objectid-import.1') =~ s/\\-/-/gr;
my ($described) = $man =~ /^\.SH OPTIONS\n(.*?)^\.SH/ms;
is(options($described), options($help), 'the man page: those of --help');

# pages name no other
my $pages = join('', map { slurp_file($_) } 'README.md', glob('docs/*.md'));
my @named = $pages =~ /objectid-import\b[^\n`|;&]*/g;
my %known = map { $_ => 1 } split(/ /, options($help));
cmp_ok(scalar @named, '>', 10, 'pages have commands of objectid-import');
is(join(' ', grep { !$known{$_} } split(/ /, options("@named"))), '', 'pages: no other options than those of --help');

# a page that only describes one does not test it
my $used = join('', map { slurp_file($_) } glob('t/*.pl'));
my %letter = $table =~ /^\t\{(?:\.name = )?"([a-z-]+)", ?(?:\.letter = )?'(\w)'/mg;
my @unused = grep { $used !~ /--$_\b/ && !($letter{$_} && $used =~ /(?<![\w-])-$letter{$_}\b/) } @taken;
is("@unused", '', 'tests use each option');

done_testing();
