# asyncpg, and bson of PyMongo, in clients/asyncpg.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'asyncpg',
	run => [ '/usr/bin/python3', 'roundtrip.py' ],
	how => [qw(text binary copy)],
	checks => [
		standard('binary'),
		'binary: arrays',
		'binary COPY: 1,000 ids come back equal',
		'two databases: objectid',
		'two databases: apart.objectid',
		'a pool',
		'no set-up: str in, str out',
		'no set-up: arrays of str',
		'an invalid id is SQLSTATE 22P02'
	]);
