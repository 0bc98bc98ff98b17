# Go pgx v4, and primitive.ObjectID, by clients/pgx.
use strict;
use warnings;
use lib 't';
use ClientTest;
use PostgreSQL::Test::Utils;
use Test::More;

# Debian's packages are sources; what is built is kept for the next test
$ENV{GOPATH} = '/usr/share/gocode';
$ENV{GO111MODULE} = 'off';
$ENV{GOCACHE} = "${PostgreSQL::Test::Utils::tmp_check}/go";
needs(
	'Go, pgx v4 or bson',
	'Debian: golang-go, golang-github-jackc-pgx-v4-dev, golang-mongodb-mongo-driver-dev',
	'go', 'list', 'github.com/jackc/pgx/v4', 'go.mongodb.org/mongo-driver/bson/primitive');

my $program = "${PostgreSQL::Test::Utils::tmp_check}/client_pgx";
system_or_bail('go', 'build', '-o', $program, './clients/pgx');
test_client(
	driver => 'pgx',
	run    => [$program],
	how    => [qw(text binary copy)],
	checks => [
		standard('text'),
		'text: arrays',
		standard('binary'),
		'binary: arrays',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: string in, string out',
		'no set-up: []byte in',
		'no set-up: what String() prints goes in',
		'an invalid id is SQLSTATE 22P02'
	]);
