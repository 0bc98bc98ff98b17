# Go pgx v4, and primitive.ObjectID, by clients/pgx.
use lib 't';
use ClientTest;

my $program = "${PostgreSQL::Test::Utils::tmp_check}/client_pgx";
test_client(
	driver => 'pgx',
	build => [ 'go', 'build', '-o', $program, './clients/pgx' ],
	run => [$program],
	how => [qw(text binary copy)],
	checks => [
		standard('text'),
		'text: arrays',
		standard('binary'),
		'binary: arrays',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: string in, string out',
		'no set-up: []byte in',
		'no set-up: what String() prints goes in',
		'an invalid id is SQLSTATE 22P02'
	]);
