# ActiveRecord, and the bson gem, in clients/activerecord.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'activerecord',
	run => [ 'ruby', 'roundtrip.rb' ],
	how => [qw(text)],
	checks => [
		standard('text'), 'text: arrays', 'a relation', 'a migration',
		'another database',
		'an invalid id is SQLSTATE 22P02'
	]);
