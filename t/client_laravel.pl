# Laravel's query builder and Eloquent, and the MongoDB extension of PHP, in clients/php.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	composer('laravel'),
	checks => [
		'a relation', 'a migration',
		'a key without events',
		'a route with an invalid id finds no model',
		'an id of decimal digits',
		'the first migration, and again'
	]);
