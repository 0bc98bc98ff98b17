# PHP PDO, and the MongoDB extension, in clients/php.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	composer('pdo'),
	how => [qw(text emulated)],
	checks => [
		'text: arrays',
		'emulated: arrays',
		'no set-up: the 12 bytes as PDO::PARAM_LOB',
		'JSON', 'the first migration, and again'
	]);
