# postgres.js, and bson of npm, in clients/node/postgres.js.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'node/postgres.js',
	npm => [qw(postgres bson)],
	run => [ 'node', 'roundtrip.js' ],
	how => [ 'text', 'text COPY', 'binary COPY' ],
	checks => [
		standard('text'),
		'text: arrays',
		'text COPY: 1,000 ids come back equal',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: ObjectId in, string out',
		'no set-up: arrays',
		'no set-up: id > a date',
		'a type off the search path',
		'a URL and options',
		'an invalid id is SQLSTATE 22P02'
	]);
