# SQLAlchemy with its drivers, Alembic, pandas, and bson of PyMongo:
# clients/python, pg_objectid.sqlalchemy.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my ($version) = run_command([ '/usr/bin/python3', '-c', 'import sqlalchemy; print(sqlalchemy.__version__)' ]);
my @drivers = (qw(psycopg2 asyncpg), $version =~ /^1\./ ? () : ('psycopg', 'asynchronous psycopg'));
test_client(
	python('sqlalchemy'),
	how => \@drivers,
	checks => [
		(map { ("$_: arrays", "$_: array_agg()", "$_: INSERT ... RETURNING") } @drivers),
		'a relation', 'Alembic finds no difference',
		'reflection', 'pandas', 'the first migration, and again'
	]);
