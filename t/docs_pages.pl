# README.md and the pages of docs/ show what is really printed.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 'testlib';
use TestServer;

pages_print(start_node('docs'), grep { slurp_file($_) =~ /^```(?:sql|console)$/m } glob('*.md docs/*.md'));
done_testing();
