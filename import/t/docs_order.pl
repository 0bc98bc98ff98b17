# The pages of objectid-import can be followed in any order, and show what is really printed.
use strict;
use warnings FATAL => 'all';
use List::Util qw(uniq);
use ImportTest;

need('docs_order');
plan skip_all => missing_sources() if missing_sources();
my $programs = PostgreSQL::Test::Utils::tempdir();
make_program($programs);
$ENV{PATH} = "$programs:$ENV{PATH}";
chdir($ENV{OBJECTID_SOURCES}) or die("$!");

sub with_statements
{
	return grep { slurp_file($_) =~ /^```(?:sql|console)$/m } @_;
}

my @pages =
  with_statements('import/README.md',
	uniq(map { "import/$_" } slurp_file('import/README.md') =~ m{\]\((docs/[\w-]+\.md)\)}g));
is( join(' ', sort @pages),
	join(' ', sort(with_statements(glob('import/README.md import/docs/*.md')))),
	'import/README.md links each page with statements');
follow_pages(start_node('docs'), \@pages, 'import', '--package', 'import/README.md' => 'CREATEROLE');

done_testing();
