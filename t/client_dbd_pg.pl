# Perl DBD::Pg, and BSON::OID, in clients/dbd-pg.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

test_client(
	driver => 'dbd-pg',
	run => [ $^X, 'roundtrip.pl' ],
	how => [ 'text', 'text COPY', 'binary COPY' ],
	checks => [
		standard('text'),
		'text: arrays',
		'text COPY: 1,000 ids come back equal',
		'binary COPY: 1,000 ids come back equal',
		'invalid text is not read as an id',
		'an invalid id is SQLSTATE 22P02'
	]);
