# Drizzle with node-postgres and postgres.js, drizzle-kit, and bson of npm, in clients/node/test/drizzle.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	node('drizzle', qw(drizzle-orm drizzle-kit/api pg postgres bson)),
	checks => [
		'text: arrays',
		'a relation',
		'a migration',
		'between dates',
		'postgres.js without its adapter',
		'postgres.js with its adapter',
		'invalid values are rejected',
		'the first migration, and again'
	]);
