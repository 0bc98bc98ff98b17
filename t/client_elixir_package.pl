# The package of clients/elixir: its format.  t/client_elixir.pl compiles it.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('elixir_package');
passes('mix format', 'clients/elixir', 'mix format --check-formatted');
done_testing();
