# postgres.js, and bson of npm, in clients/node/test/postgres.js.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	node('postgres.js', qw(postgres bson)),
	checks => [
		'text: arrays',
		'nested arrays',
		'no set-up: ObjectId in, string out',
		'no set-up: arrays',
		'a type off the search path',
		'register() says that the type is missing',
		'the first migration, and again'
	]);
