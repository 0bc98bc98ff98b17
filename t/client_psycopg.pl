# psycopg 3, and bson of PyMongo, in clients/psycopg.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'psycopg',
	run => [ '/usr/bin/python3', 'roundtrip.py' ],
	how => [qw(text binary copy)],
	checks => [
		standard('text'),
		'text: arrays',
		standard('binary'),
		'binary: arrays',
		'binary COPY: 1,000 ids, both ways',
		'no set-up: str in, str out',
		'no set-up: the output of repr() is accepted',
		(   map { "two databases: $_" } 'objectid as %t', 'objectid as %b', 'apart.objectid as %t',
			'apart.objectid as %b'),
		'ClientCursor',
		'a pool',
		'AsyncConnection',
		'an asynchronous pool',
		'an invalid id is SQLSTATE 22P02'
	]);
