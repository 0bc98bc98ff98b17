# Sequelize with node-postgres, and bson of npm, in clients/node/sequelize.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'node/sequelize',
	program => npm(qw(sequelize pg bson)) . '/sequelize/roundtrip.js',
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [
		'a relation',
		'an array is a string',
		'create() accepts an ObjectId, where does not',
		'the first migration, and again'
	]);
