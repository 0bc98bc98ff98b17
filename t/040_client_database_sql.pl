# Go database/sql with lib/pq, and primitive.ObjectID, by clients/database-sql.
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
	'Go, lib/pq or bson',
	'Debian: golang-go, golang-github-lib-pq-dev, golang-mongodb-mongo-driver-dev',
	'go', 'list', 'github.com/lib/pq', 'go.mongodb.org/mongo-driver/bson/primitive');

my $program = "${PostgreSQL::Test::Utils::tmp_check}/client_database_sql";
system_or_bail('go', 'build', '-o', $program, './clients/database-sql');
test_client(
	driver => 'database-sql',
	run    => [$program],
	how    => ['text', 'binary_parameters', 'text COPY'],
	checks => [
		standard('text'),
		'text: arrays',
		standard('binary_parameters'),
		'binary_parameters: arrays',
		'text COPY: 1,000 ids come back equal',
		'no set-up: string in, string out',
		'no set-up: []byte in, with binary_parameters=yes',
		'an invalid id is SQLSTATE 22P02'
	]);
