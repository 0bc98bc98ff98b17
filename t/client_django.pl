# Django with psycopg (from 4.2 on) or psycopg2, Django REST framework, and bson of PyMongo:
# clients/python/objectid_django.py.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	python('django'),
	checks => [
		'text: arrays',
		'a relation',
		'a migration',
		'the first migration, and again',
		'manage.py test',
		'dumpdata and loaddata',
		'an empty value is None',
		'DjangoJSONEncoder',
		'Django REST framework',
		'Django REST framework saves',
		'an invalid id is a ValidationError'
	]);
