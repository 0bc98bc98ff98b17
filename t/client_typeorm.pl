# TypeORM with node-postgres, and bson of npm, by clients/node/typeorm.
use lib 't';
use ClientTest;

test_client(
	driver => 'node/typeorm',
	npm => [qw(typeorm pg bson)],
	run => [ 'node', 'roundtrip.js' ],
	how => [qw(text)],
	checks => [
		standard('text'),
		'text: arrays',
		'a relation',
		'a migration',
		'without register(), TypeORM refuses the type',
		'an operator with a Date names the way',
		'a driver that gives ObjectIds',
		'no id is made of what is none',
		'an invalid id is SQLSTATE 22P02'
	]);
