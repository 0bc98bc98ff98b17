# Prisma with node-postgres, and bson of npm, by clients/node/prisma.
use strict;
use warnings;
use lib 't';
use ClientTest;

needs('node', 'Debian: nodejs', 'node', '--version');
needs(
	'what is in clients/node/package.json',
	'script/setup --clients',
	'node', 'clients/node/installed.js', qw(@prisma/adapter-pg prisma/config pg bson));

test_client(
	driver => 'node/prisma',
	run    => [ 'node', 'roundtrip.js' ],
	how    => [qw(text)],
	checks => [
		standard('text'),
		'a relation',
		'a migration',
		'no set-up: string in, string out',
		'an invalid id is SQLSTATE 22P02'
	]);
