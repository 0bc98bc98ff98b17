# Rust: sqlx, and ObjectId of the crate bson: clients/rust.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	cargo('sqlx'),
	how => ['binary'],
	checks => [
		'serde',
		'Display and FromStr',
		'binary: arrays',
		'JSON',
		'the first migration, and again',
		'text: 1,000 ids come out equal',
		'no set-up: String by a cast'
	]);
