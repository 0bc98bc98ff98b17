# TypeORM with node-postgres, and bson of npm, in clients/node/test/typeorm.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	node('typeorm', qw(typeorm pg bson)),
	checks => [
		'text: arrays',
		'a relation',
		'a migration',
		'without register(), TypeORM refuses the type',
		'the error of an operator with a Date says what to write',
		'save() with a string inserts',
		'update() and delete() take { id }, not an ObjectId',
		'a driver that returns ObjectIds',
		'invalid values are rejected',
		'the first migration, and again'
	]);
