# Rust: tokio-postgres, and ObjectId of the crate bson, in clients/tokio-postgres.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'tokio-postgres',
	cargo('tokio-postgres'),
	how => [qw(binary copy)],
	checks => [
		standard('binary'),
		'binary: arrays',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: String by a cast',
		'an invalid id is SQLSTATE 22P02'
	]);
