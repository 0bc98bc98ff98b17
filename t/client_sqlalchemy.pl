# SQLAlchemy with psycopg2, Alembic, and bson of PyMongo, by clients/sqlalchemy.
use lib 't';
use ClientTest;

test_client(
	driver => 'sqlalchemy',
	run => [ '/usr/bin/python3', 'roundtrip.py' ],
	how => [qw(text)],
	checks => [
		standard('text'), 'text: arrays', 'a relation', 'a migration', 'reflection',
		"with the driver's adapter",
		'an invalid id is SQLSTATE 22P02'
	]);
