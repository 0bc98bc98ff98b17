# README.md and the pages of docs/ show what is really printed.  import/t/docs_order.pl has the pages
# with commands of objectid-import.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use TestServer;

my @pages = grep { slurp_file($_) =~ /^```(?:sql|console)$/m } glob('*.md docs/*.md');
pages_print(start_for_pages(), grep { slurp_file($_) !~ /^\$ objectid-import /m } @pages);
done_testing();
