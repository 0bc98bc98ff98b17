# Doctrine DBAL and ORM, and the MongoDB extension of PHP, in clients/php/doctrine.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'doctrine',
	adapter => 'php/doctrine/',
	program => 'clients/php/doctrine/roundtrip.php',
	run => [ composer('doctrine'), 'roundtrip.php' ],
	how => [qw(text)],
	checks => [ 'no set-up: a string field', 'a relation', 'a migration', 'the first migration, and again' ]);
