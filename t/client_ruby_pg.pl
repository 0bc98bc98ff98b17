# ruby-pg, Sequel, and the bson gem, in clients/ruby.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	gem('ruby-pg'),
	how => [qw(text binary)],
	checks => [
		'text: arrays',
		'an array of strings, with a cast',
		'other types use the type maps of the connection',
		'jsonb',
		'two databases: objectid',
		'two databases: apart.objectid',
		'a prepared statement',
		'no set-up: ObjectId in, string out',
		'no set-up: the 12 bytes as a binary parameter',
		'Sequel without set-up',
		'Sequel',
		'the first migration, and again'
	]);
