# C libpq, and libbson, in clients/libpq.
use strict;
use warnings FATAL => 'all';
use Cwd qw(abs_path);
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

test_client(
	driver => 'libpq',
	program => 'clients/libpq/test/roundtrip.c',
	build => [ 'make', '-s', '-C', 'clients/libpq/test', "PG_CONFIG=$pg_config" ],
	run => [ abs_path('clients/libpq/test') . '/roundtrip' ],
	how => [qw(text binary copy)],
	checks => ['text: arrays']);
