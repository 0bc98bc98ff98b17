# Go pgx v5, and bson.ObjectID, in clients/pgx.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my $go = "${PostgreSQL::Test::Utils::tmp_check}/go";
my $bson = 'go.mongodb.org/mongo-driver/v2/bson';
my $program = "$go/client_pgx";
my @modes = qw(binary describe exec simple);

# strings and []byte work without set-up and after Register
my @before =
  map { ("no set-up: $_", "registered: $_") } 'string and []byte in', 'string and []byte out', '[]string in and out';
test_client(
	driver => 'pgx',
	build => [
		'sh', '-ce',
		"go list $bson >/dev/null 2>&1 || { mkdir -p $go/src/$bson; cp t/mongo_driver_v1.go $go/src/$bson/bson.go; }
		go build -o $program ./clients/pgx/roundtrip.go"
	],
	run => [$program],
	how => [ @modes, 'copy' ],
	checks => [
		map({ standard($_) } @modes),
		map({
				my $mode = $_;
				map { "$mode: $_" } 'arrays', 'any', 'a derived type', @before
		} @modes),
		'binary COPY: 1,000 ids come back equal',
		'a pool, and a schema off the search path',
		'an invalid id is SQLSTATE 22P02'
	]);
