# psycopg2, and bson of PyMongo, in clients/psycopg2.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'psycopg2',
	run => [ '/usr/bin/python3', 'roundtrip.py' ],
	how => [ 'text', 'text COPY', 'binary COPY' ],
	checks => [
		standard('text'),
		'text: arrays',
		'text COPY: 1,000 ids come back equal',
		'binary COPY: 1,000 ids come back equal',
		'register() neither opens a transaction nor ends one',
		qw(DictConnection RealDictConnection DictCursor NamedTupleCursor RealDictCursor),
		'two databases: objectid',
		'two databases: apart.objectid',
		'a pool',
		'no set-up: str in, str out',
		'an invalid id is SQLSTATE 22P02'
	]);
