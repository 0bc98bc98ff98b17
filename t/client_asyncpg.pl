# asyncpg, and bson of PyMongo: clients/python, pg_objectid.asyncpg.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	python('asyncpg'),
	how => [qw(binary copy)],
	checks => [
		'binary: arrays',
		'two databases: objectid',
		'two databases: apart.objectid',
		'a pool',
		'the first migration, and again',
		'a warning if there is no type yet',
		'no set-up: str in, str out',
		'no set-up: arrays of str',
		'an invalid id is an error of the client'
	]);
