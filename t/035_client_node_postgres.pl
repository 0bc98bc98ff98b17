# node-postgres, and bson of npm, by clients/node/node-postgres.
use strict;
use warnings;
use lib 't';
use ClientTest;

needs('node', 'Debian: nodejs', 'node', '--version');
needs(
	'what is in clients/node/package.json',
	'script/setup --clients',
	'node', 'clients/node/installed.js', qw(pg bson pg-copy-streams));

test_client(
	driver => 'node/node-postgres',
	run    => ['node', 'roundtrip.js'],
	how    => [qw(text binary copy)],
	checks => [
		standard('text'),
		standard('binary'),
		'text: arrays',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: ObjectId in, string out',
		'no set-up: id.id as a binary parameter',
		'no set-up: an array of ObjectIds',
		'a pool gives ObjectIds',
		'an invalid id is SQLSTATE 22P02'
	]);
