# Django with psycopg (from 4.2 on) or psycopg2, Django REST framework, and bson of PyMongo:
# clients/python, pg_objectid.django.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	python('django'),
	also => ['clients/python/tests/blog/models.py'],
	checks => [
		'text: arrays',
		'a relation',
		'ArrayAgg and ArraySubquery',
		'ObjectIds without a field',
		'a migration',
		'the first migration, and again',
		'manage.py test',
		'dumpdata and loaddata',
		'an empty value is None',
		'a key that is not editable is generated',
		'DjangoJSONEncoder',
		'Django REST framework',
		'Django REST framework saves',
		'an invalid id is a ValidationError'
	]);
