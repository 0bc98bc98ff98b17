# JDBC, and org.bson, in clients/jdbc.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my @jars = map { "/usr/share/java/$_.jar" } qw(postgresql bson);
my $classes = PostgreSQL::Test::Utils::tempdir();
test_client(
	driver => 'jdbc',
	build => [ 'javac', '-cp', join(':', @jars), '-d', $classes, glob('clients/jdbc/*.java clients/jdbc/*/*.java') ],
	tcp => 1,
	run => [ 'java', '-cp', join(':', @jars, $classes), 'RoundTrip' ],
	how => [qw(text binary copy)],
	checks => [
		standard('text'),
		'text: arrays',
		standard('binary'),
		'binary: arrays',
		'registered by a property',
		'binary: the transfer is binary',
		'binary COPY: 1,000 ids come back equal',
		'no set-up: String in an INSERT or with a cast, String out',
		'no set-up: String as Types.OTHER',
		'no set-up: ObjectId as Types.OTHER',
		'a schema off the search path',
		'an invalid id is SQLSTATE 22P02'
	]);
