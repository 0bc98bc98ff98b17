# Doctrine DBAL and ORM, and the MongoDB extension of PHP, in clients/doctrine.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'doctrine',
	run => [ 'php', 'roundtrip.php' ],
	how => [qw(text)],
	checks => [ standard('text'), 'a relation', 'a migration', 'an invalid id is SQLSTATE 22P02' ]);
