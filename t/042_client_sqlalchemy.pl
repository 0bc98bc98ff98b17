# SQLAlchemy with psycopg2, Alembic, and bson of PyMongo, by clients/sqlalchemy.
use strict;
use warnings;
use lib 't';
use ClientTest;

needs(
	'SQLAlchemy, Alembic, psycopg2 or bson',
	'Debian: python3-sqlalchemy, python3-alembic, python3-psycopg2, python3-bson',
	'/usr/bin/python3', '-c', 'import sqlalchemy, alembic, psycopg2, bson');

test_client(
	driver => 'sqlalchemy',
	run    => [ '/usr/bin/python3', 'roundtrip.py' ],
	how    => [qw(text)],
	checks => [
		standard('text'),
		'text: arrays',
		'a relation',
		'a migration',
		'reflection',
		"with the driver's adapter",
		'an invalid id is SQLSTATE 22P02'
	]);
