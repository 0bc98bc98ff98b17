# Knex with node-postgres and its adapter, and bson of npm, in clients/node/test/knex.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(node('knex', qw(knex pg bson)),
	checks => [ 'text: arrays', 'no set-up: ObjectId in, string out', 'the first migration, and again' ]);
