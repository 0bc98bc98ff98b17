# Rust: sqlx, and ObjectId of the crate bson, in clients/sqlx.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'sqlx',
	cargo('sqlx'),
	how => ['binary'],
	checks => [
		standard('binary'),
		'binary: arrays',
		'text: 1,000 ids come out equal',
		'no set-up: String by a cast',
		'an invalid id is SQLSTATE 22P02'
	]);
