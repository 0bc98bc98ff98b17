# Laravel's query builder and Eloquent, and the MongoDB extension of PHP, in clients/php/laravel.
use lib 't';
use ClientTest;

test_client(
	driver => 'laravel',
	adapter => 'php/laravel/',
	program => 'clients/php/laravel/roundtrip.php',
	run => [ composer('laravel'), 'roundtrip.php' ],
	how => [qw(text)],
	checks => [
		standard('text'), 'a relation', 'a migration',
		'an id of decimal digits',
		'an invalid id is SQLSTATE 22P02',
		'an empty database: migrate, use, revert, migrate again'
	]);
