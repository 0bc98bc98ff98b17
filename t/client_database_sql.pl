# Go database/sql with lib/pq, and ObjectID of mongo-driver, in clients/database-sql.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my $program = "${PostgreSQL::Test::Utils::tmp_check}/client_database_sql";
test_client(
	driver => 'database-sql',
	build => [ 'go', 'build', '-o', $program, './clients/database-sql/roundtrip.go' ],
	run => [$program],
	how => [ 'text', 'binary_parameters', 'text COPY' ],
	checks => [
		standard('text'),
		standard('binary_parameters'),
		map({
				my $how = $_;
				map { "$how: $_" } 'arrays', 'BSON of pointers and slices, and of a string', 'JSON'
		} qw(text binary_parameters)),
		'text COPY: 1,000 ids come back equal',
		'no set-up: string in, string out',
		'no set-up: []byte in, with binary_parameters=yes',
		'an invalid id is SQLSTATE 22P02'
	]);
