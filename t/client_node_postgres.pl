# node-postgres, and bson of npm, in clients/node/test/node-postgres.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	node('node-postgres', qw(pg bson)),
	checks => [
		'text: arrays',
		'nested arrays',
		'no set-up: ObjectId in, string out',
		'no set-up: id.id as a binary parameter',
		'no set-up: an array of ObjectIds',
		'results in binary are an error',
		'a client keeps its type parsers',
		'a type off the search path',
		'register() says that the type is missing',
		'the first migration, and again'
	]);
