# Doctrine DBAL and ORM, and the MongoDB extension of PHP, in clients/php/doctrine.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(composer('doctrine'),
	checks => [ 'no set-up: a string field', 'a relation', 'a migration', 'the first migration, and again' ]);
