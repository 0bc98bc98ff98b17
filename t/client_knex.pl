# Knex with node-postgres and its adapter, and bson of npm, in clients/node/knex.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'node/knex',
	program => npm(qw(knex pg bson)) . '/knex/roundtrip.js',
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [ 'text: arrays', 'no set-up: ObjectId in, string out', 'the first migration, and again' ]);
