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
		standard('binary'),
		'serde',
		'binary: arrays',
		'the first migration, and again',
		'NULL needs an Option',
		'no cast: id > a date',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: String by a cast'
	]);
