# MikroORM with node-postgres, and bson of npm, in clients/node/mikro-orm.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'node/mikro-orm',
	program => npm(qw(@mikro-orm/postgresql bson)) . '/mikro-orm/roundtrip.js',
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [ 'a relation', 'a migration', 'the first migration, and again' ]);
