# Go pgx v4, and primitive.ObjectID, in clients/pgx-v4.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my $program = "${PostgreSQL::Test::Utils::tmp_check}/client_pgx_v4";
test_client(
	driver => 'pgx-v4',
	build => [ 'go', 'build', '-o', $program, './clients/pgx-v4/roundtrip.go' ],
	run => [$program],
	how => [qw(text binary copy)],
	checks => [
		standard('text'),
		'text: arrays',
		standard('binary'),
		'binary: arrays',
		'binary COPY: 1,000 ids come back equal',
		map({
				my $mode = $_;
				map { ("$mode: no set-up: $_", "$mode: registered: $_") } 'string and []byte in',
				  'string and []byte out'
		} qw(text binary)),
		'an invalid id is SQLSTATE 22P02'
	]);
