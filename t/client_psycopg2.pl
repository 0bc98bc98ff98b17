# psycopg2, and bson of PyMongo: clients/python, pg_objectid.psycopg2.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	python('psycopg2'),
	checks => [
		'text: arrays',
		'register() neither opens a transaction nor ends one',
		qw(RealDictConnection RealDictCursor),
		'two databases: objectid',
		'two databases: apart.objectid',
		'the first migration, and again',
		'no set-up: str in, str out',
		'Peewee',
		'no set-up: a list of str, with a cast'
	]);
