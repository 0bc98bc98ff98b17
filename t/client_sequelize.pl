# Sequelize with node-postgres, and bson of npm, in clients/node/test/sequelize.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	node('sequelize', qw(sequelize pg bson)),
	checks => [
		'a relation',
		'an array is a string',
		'create() accepts an ObjectId, where does not',
		'the first migration, and again'
	]);
