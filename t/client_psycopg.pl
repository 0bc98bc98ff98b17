# psycopg 3, and bson of PyMongo: clients/python, pg_objectid.psycopg.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	python('psycopg'),
	how => [qw(text binary copy)],
	checks => [
		'text: arrays',
		'binary: arrays',
		'binary COPY: 1,000 ids, both ways',
		'no set-up: a list of str, with a cast',
		(   map { "two databases: $_" } 'objectid as %t', 'objectid as %b', 'apart.objectid as %t',
			'apart.objectid as %b'),
		'ClientCursor',
		'JSON', 'a pool',
		'the first migration, and again',
		'DROP EXTENSION, CREATE EXTENSION',
		'an asynchronous pool',
		'a type that is first read in a pipeline'
	]);
