# postgres.js, and bson of npm, by clients/node/postgres.js.
use strict;
use warnings;
use lib 't';
use ClientTest;

needs('node', 'Debian: nodejs', 'node', '--version');
needs(
	'what is in clients/node/package.json',
	'script/setup --clients',
	'node', 'clients/node/installed.js', qw(postgres bson));

test_client(
	driver => 'node/postgres.js',
	run    => ['node', 'roundtrip.js'],
	how    => ['text', 'text COPY', 'binary COPY'],
	checks => [
		standard('text'),
		'text: arrays',
		'text COPY: 1,000 ids come back equal',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: ObjectId in, string out',
		'no set-up: arrays',
		'a URL and options',
		'an invalid id is SQLSTATE 22P02'
	]);
