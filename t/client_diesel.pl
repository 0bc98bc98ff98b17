# Rust: Diesel, and ObjectId of the crate bson: clients/rust.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	cargo('diesel'),
	how => ['binary'],
	checks => [
		'serde',
		'Display and FromStr',
		'max',
		'binary: arrays',
		'the first migration, and again',
		'no set-up: String by a cast',
	]);
