# Rust: tokio-postgres, and ObjectId of the crate bson: clients/rust.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	cargo('tokio-postgres'),
	how => [qw(binary copy)],
	checks => [
		'serde',
		'Display and FromStr',
		'binary: arrays',
		'the first migration, and again',
		'no cast: id > a date',
		'no set-up: String by a cast'
	]);
