# The pages with commands of objectid-import show what is really printed.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib        qw(testlib import/t);
use ImportTest qw(make_program);
use Needs;
use TestServer;

need('docs_commands');
my $programs = PostgreSQL::Test::Utils::tempdir();
make_program($programs);
$ENV{PATH} = "$programs:$ENV{PATH}";
pages_print(start_for_pages(), grep { slurp_file($_) =~ /^\$ objectid-import /m } glob('docs/*.md import/README.md'));
done_testing();
