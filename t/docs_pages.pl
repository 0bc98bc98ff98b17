# README.md and the pages of docs/ can be followed in any order, and show what is really printed.
# Takes long.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use TestServer;

sub with_statements
{
	return grep { slurp_file($_) =~ /^```(?:sql|console)$/m } @_;
}

my @pages = with_statements(map { "docs/$_" } slurp_file('docs/README.md') =~ /\]\((\w[\w-]*\.md)\)/g);
is(join(' ', sort @pages), join(' ', with_statements(glob('docs/*.md'))), 'docs/README.md links each page once');
is(join(' ', with_statements(glob('*.md'))), 'README.md', 'no other page of the top has statements');
follow_pages(start_node('docs'), \@pages, '.', '--no-package', 'docs/other-software.md' => 'superuser');

done_testing();
