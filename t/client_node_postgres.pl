# node-postgres, and bson of npm, in clients/node/node-postgres.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'node/node-postgres',
	program => npm(qw(pg bson)) . '/node-postgres/roundtrip.js',
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [
		'text: arrays',
		'nested arrays',
		'no set-up: ObjectId in, string out',
		'no set-up: id.id as a binary parameter',
		'no set-up: an array of ObjectIds',
		'a prepared statement',
		'results in binary are an error',
		'a client keeps its type parsers',
		'a type off the search path',
		'the first migration, and again'
	]);
