# MikroORM with node-postgres, and bson of npm, in clients/node/test/mikro-orm.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(node('mikro-orm', qw(@mikro-orm/postgresql @mikro-orm/migrations bson)),
	checks => [ 'a relation', 'a migration', 'a string as the type', 'the first migration, and again' ]);
