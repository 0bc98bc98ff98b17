# Rust: Diesel, and ObjectId of the crate bson, in clients/diesel.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'diesel',
	cargo('diesel'),
	how => ['binary'],
	checks => [ standard('binary'), 'binary: arrays', 'no set-up: String by a cast', 'an invalid id is an error' ]);
