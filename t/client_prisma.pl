# Prisma with node-postgres, and bson of npm, by clients/node/prisma.
use lib 't';
use ClientTest;

test_client(
	driver => 'node/prisma',
	npm => [qw(@prisma/adapter-pg prisma/config pg bson)],
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [
		standard('text'),
		'a relation',
		'a migration',
		'no set-up: string in, string out',
		'an invalid id is SQLSTATE 22P02'
	]);
