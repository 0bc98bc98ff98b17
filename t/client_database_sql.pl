# Go database/sql with lib/pq, and primitive.ObjectID, by clients/database-sql.
use lib 't';
use ClientTest;

my $program = "${PostgreSQL::Test::Utils::tmp_check}/client_database_sql";
test_client(
	driver => 'database-sql',
	build => [ 'go', 'build', '-o', $program, './clients/database-sql' ],
	run => [$program],
	how => [ 'text', 'binary_parameters', 'text COPY' ],
	checks => [
		standard('text'),
		'text: arrays',
		standard('binary_parameters'),
		'binary_parameters: arrays',
		'text COPY: 1,000 ids come back equal',
		'no set-up: string in, string out',
		'no set-up: []byte in, with binary_parameters=yes',
		'an invalid id is SQLSTATE 22P02'
	]);
