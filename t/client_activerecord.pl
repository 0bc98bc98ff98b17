# ActiveRecord, and the bson gem, in clients/ruby.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(gem('activerecord'),
	checks => [ 'text: arrays', 'a relation', 'a migration', 'the first migration, and again' ]);
