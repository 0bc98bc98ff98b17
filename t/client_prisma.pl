# Tests Prisma with node-postgres and npm's bson, by the program in clients/node/prisma.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('node');
my ($version) = run_command([ 'node', '--version' ]);
my ($major, $minor) = $version =~ /^v(\d+)\.(\d+)/;
plan skip_all => "[expected] Node.js $version is too old for Prisma 7, which needs 20.19"
  if $major < 20 || $major == 20 && $minor < 19;

test_client(
	node('prisma', qw(@prisma/adapter-pg @prisma/driver-adapter-utils prisma/config pg bson)),
	checks => [ 'a relation', 'a migration', 'no set-up: string in, string out', 'the first migration, and again' ]);
