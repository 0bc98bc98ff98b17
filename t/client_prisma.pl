# Tests Prisma with node-postgres and npm's bson, by the program in clients/node/test/prisma.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

need_node('Prisma 7');
test_client(
	node('prisma', qw(@prisma/adapter-pg @prisma/driver-adapter-utils prisma/config pg bson)),
	checks => [
		'a relation',
		'a migration',
		'arguments accept ObjectIds',
		'no set-up: string in, string out',
		'the first migration, and again'
	]);
