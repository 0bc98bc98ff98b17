# Go: GORM, and the ObjectID of clients/go/sql.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'gorm',
	adapter => 'go/test/gorm/',
	golang('gorm'),
	how => [qw(prepared simple)],
	checks => [
		'sql.Null',
		'IN with a slice',
		'a list, and an id of zeros',
		'First() with a string is an error',
		'no set-up: string in, string out',
		'migrations, and a relation',
		'the first migration, and again'
	]);
