# C libpq, and libbson, by clients/libpq.
use strict;
use warnings;
use Cwd qw(abs_path);
use lib 't';
use ClientTest;
use PostgreSQL::Test::Utils;
use Test::More;

my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
needs('libbson', 'Debian: libbson-dev, pkg-config', 'pkg-config', '--exists', 'libbson-1.0');
needs('libpq', 'Debian: libpq-dev', 'sh', '-c', 'test -f "$("$0" --includedir)"/libpq-fe.h', $pg_config);

system_or_bail('make', '-s', '-C', 'clients/libpq', "PG_CONFIG=$pg_config");
test_client(
	driver => 'libpq',
	run    => [abs_path('clients/libpq/roundtrip')],
	how    => [qw(text binary copy)],
	checks => [
		standard('text'),
		standard('binary'),
		'text: arrays',
		'binary COPY: 1,000 ids go in',
		'binary COPY: 1,000 ids come out',
		'an invalid id is SQLSTATE 22P02'
	]);
