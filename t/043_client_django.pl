# Django with psycopg2, and bson of PyMongo, by clients/django.
use strict;
use warnings;
use lib 't';
use ClientTest;

needs(
	'Django, psycopg2 or bson',
	'Debian: python3-django, python3-psycopg2, python3-bson',
	'/usr/bin/python3', '-c', 'import django, psycopg2, bson');

test_client(
	driver => 'django',
	run    => [ '/usr/bin/python3', 'roundtrip.py' ],
	how    => [qw(text)],
	checks => [
		standard('text'),
		'text: arrays',
		'a relation',
		'a migration',
		'dumpdata and loaddata',
		'nothing is None',
		"with the driver's adapter",
		'what is no id is a ValidationError',
		'an invalid id is SQLSTATE 22P02'
	]);
