# Django with psycopg (from 4.2 on) or psycopg2, Django REST framework, and bson of PyMongo, in clients/django.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'django',
	run => [ '/usr/bin/python3', 'roundtrip.py' ],
	how => [qw(text)],
	checks => [
		standard('text'),
		'text: arrays',
		'a relation',
		'a migration',
		'dumpdata and loaddata',
		'an empty value is None',
		'DjangoJSONEncoder',
		'Django REST framework',
		'Django REST framework saves',
		"with the driver's adapter",
		'an invalid id is a ValidationError',
		'an invalid id is SQLSTATE 22P02'
	]);
