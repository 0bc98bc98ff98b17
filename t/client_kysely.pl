# Kysely with node-postgres and its adapter, and bson of npm, in clients/node/kysely.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'node/kysely',
	program => npm(qw(kysely pg bson)) . '/kysely/roundtrip.js',
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [ 'text: arrays', 'no set-up: ObjectId in, string out', 'the first migration, and again' ]);
