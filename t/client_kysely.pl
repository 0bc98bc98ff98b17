# Kysely with node-postgres and its adapter, and bson of npm, in clients/node/test/kysely.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	node('kysely', qw(kysely pg bson)),
	checks =>
	  [ 'text: arrays', 'no set-up: ObjectId in, string out', 'json_agg: strings', 'the first migration, and again' ]);
