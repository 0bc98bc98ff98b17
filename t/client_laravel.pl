# Laravel's query builder and Eloquent, and the MongoDB extension of PHP, in clients/php/laravel.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(composer('laravel'),
	checks => [ 'a relation', 'a migration', 'an id of decimal digits', 'the first migration, and again' ]);
