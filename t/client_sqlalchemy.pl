# SQLAlchemy with its drivers, Alembic, pandas, and bson of PyMongo, in clients/sqlalchemy.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my ($version) = run_command([ '/usr/bin/python3', '-c', 'import sqlalchemy; print(sqlalchemy.__version__)' ]);
my @drivers = (qw(psycopg2 asyncpg), $version =~ /^1\./ ? () : 'psycopg');
test_client(
	driver => 'sqlalchemy',
	run => [ '/usr/bin/python3', 'roundtrip.py' ],
	how => \@drivers,
	checks => [
		(map { (standard($_), "$_: arrays", "$_: with the driver's adapter") } @drivers),
		'a relation', 'a migration', 'reflection', 'pandas', 'an invalid id is SQLSTATE 22P02'
	]);
