# Doctrine DBAL and ORM, and the MongoDB extension of PHP, in clients/php.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	composer('doctrine'),
	checks => [
		'no set-up: a string field',
		'a relation',
		'a migration',
		'a server default is quoted',
		'the first migration, and again'
	]);
