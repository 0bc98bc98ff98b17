# MikroORM with node-postgres, and bson of npm, in clients/node/mikro-orm.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(node('mikro-orm', qw(@mikro-orm/postgresql bson)),
	checks => [ 'a relation', 'a migration', 'the first migration, and again' ]);
