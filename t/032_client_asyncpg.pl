# asyncpg, and bson of PyMongo, by clients/asyncpg.
use strict;
use warnings;
use lib 't';
use ClientTest;

needs(
	'asyncpg or bson',
	'Debian: python3-asyncpg, python3-bson',
	'/usr/bin/python3', '-c', 'import asyncpg, bson');

test_client(
	driver => 'asyncpg',
	run    => ['/usr/bin/python3', 'roundtrip.py'],
	how    => [qw(text binary copy)],
	checks => [
		standard('binary'),
		'binary: arrays',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: str in, str out',
		'no set-up: arrays of str',
		'an invalid id is SQLSTATE 22P02'
	]);
