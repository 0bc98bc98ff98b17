# The modules of clients/go: go vet and gofmt have nothing to say.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('go_package');
go_modules();
passes("clients/go/$_: go vet", "clients/go/$_", 'go vet .') for qw(pgx sql);
passes('clients/go/test: go vet', 'clients/go/test', 'go vet ./...');
passes('gofmt', 'clients/go', 'gofmt -l .');
done_testing();
