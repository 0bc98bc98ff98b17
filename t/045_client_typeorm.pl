# TypeORM with node-postgres, and bson of npm, by clients/node/typeorm.
use strict;
use warnings;
use lib 't';
use ClientTest;

needs('node', 'Debian: nodejs', 'node', '--version');
needs(
	'what is in clients/node/package.json',
	'script/setup --clients',
	'node', 'clients/node/installed.js', qw(typeorm pg bson));

test_client(
	driver => 'node/typeorm',
	run    => [ 'node', 'roundtrip.js' ],
	how    => [qw(text)],
	checks => [
		standard('text'),
		'text: arrays',
		'a relation',
		'a migration',
		'without register(), TypeORM refuses the type',
		'no id is made of what is none',
		'an invalid id is SQLSTATE 22P02'
	]);
