# Go: GORM, and the ObjectID of clients/database-sql, in clients/gorm.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my $program = "${PostgreSQL::Test::Utils::tmp_check}/client_gorm";
test_client(
	driver => 'gorm',
	build => [ 'go', 'build', '-o', $program, './clients/gorm/roundtrip.go' ],
	run => [$program],
	how => [qw(prepared simple)],
	checks =>
	  [ standard('prepared'), standard('simple'), 'migrations, and a relation', 'an invalid id is SQLSTATE 22P02' ]);
