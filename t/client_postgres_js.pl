# postgres.js, and bson of npm, in clients/node/postgres.js.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need_contrib('citext');
test_client(
	node('postgres.js', qw(postgres bson)),
	checks => [
		'text: arrays',
		'nested arrays',
		'no set-up: ObjectId in, string out',
		'no set-up: arrays',
		'a type off the search path',
		'register() says that the type is missing',
		'a new type is an error once',
		'the first migration, and again'
	]);
