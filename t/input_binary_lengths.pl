# Binary parameters of every length from 0 to 64, sent by libpq: 12 bytes are an id, any
# other length is rejected with 08P01, and the session continues.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

# psycopg's module "pq" has libpq's own functions, such as PQexecParams()
need('input_binary_lengths');

my $node = start_node('binary_lengths',
	sql =>
	  'CREATE EXTENSION objectid; CREATE DOMAIN order_id AS objectid; CREATE TYPE pair AS (n integer, id objectid)');

my ($out, $err) = run_command([ '/usr/bin/python3', 't/input_binary_lengths.py', $node->connstr('postgres') ]);
is($err, '', 'the program completes');
is( $out,
	join(
		"\n",
		map {
			my $what = $_;
			map {
				"$what, $_ bytes: "
				  . ($_ == 12 ? 'the same bytes' : "08P01, invalid length of binary value for type objectid: $_")
			} 0 .. 64
		} 'parameter',
		'domain', 'array', 'row',
		'COPY'),
	'each length is accepted or rejected correctly');
unlike(slurp_file($node->logfile), qr/PANIC|terminated by signal|TRAP/, 'nothing crashed');

done_testing();
