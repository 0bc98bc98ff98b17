# Go database/sql with lib/pq, and ObjectID of mongo-driver: clients/go/sql.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'lib-pq',
	adapter => 'go/sql/',
	golang('sql'),
	how => [qw(text binary_parameters)],
	checks => [
		'text: arrays',
		'binary_parameters: arrays',
		'BSON of pointers and slices, and of a string',
		'JSON',
		'the first migration, and again',
		'no set-up: string in, string out',
		'no set-up: []byte in, with binary_parameters=yes'
	]);
