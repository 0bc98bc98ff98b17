# PHP PDO, and the MongoDB extension, in clients/pdo.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'pdo',
	run => [ 'php', 'roundtrip.php' ],
	how => [ 'text', 'emulated', 'bytes', 'text COPY' ],
	checks => [
		standard('text'),
		'text: arrays',
		standard('emulated'),
		'emulated: arrays',
		'text COPY: 1,000 ids come back equal',
		'no set-up: the 12 bytes as PDO::PARAM_LOB',
		'an invalid id is SQLSTATE 22P02'
	]);
