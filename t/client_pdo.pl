# PHP PDO, and the MongoDB extension, in clients/php/pdo.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'pdo',
	adapter => 'php/pdo/',
	program => 'clients/php/pdo/roundtrip.php',
	run => [ composer('pdo'), 'roundtrip.php' ],
	how => [ 'text', 'emulated', 'text COPY' ],
	checks => [
		standard('text'),
		'text: arrays',
		standard('emulated'),
		'emulated: arrays',
		'text COPY: 1,000 ids come back equal',
		'no set-up: the 12 bytes as PDO::PARAM_LOB',
		'JSON',
		'an empty database: migrate, use, revert, migrate again'
	]);
