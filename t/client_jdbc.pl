# JDBC, and org.bson: clients/java.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;

my $directory = "${PostgreSQL::Test::Utils::tmp_check}/java";
my $path = join(':',
	"$directory/pg-objectid.jar", $directory,
	map { "/usr/share/java/$_.jar" } qw(postgresql bson gson jackson-core jackson-databind jackson-annotations));
test_client(
	driver => 'jdbc',
	adapter => 'java/',
	program => 'clients/java/src/test/java/RoundTrip.java',
	build => [
		'sh', '-ce',
		"javac -cp $path -d $directory/classes clients/java/src/main/java/objectid/PGobjectid.java
		jar -c -f $directory/pg-objectid.jar -C $directory/classes .
		javac -cp $path -d $directory clients/java/src/test/java/RoundTrip.java"
	],
	tcp => 1,
	run => [ 'java', '-cp', $path, 'RoundTrip' ],
	how => [qw(text binary)],
	checks => [
		'text: arrays',
		'binary: arrays',
		'binary: the transfer is binary',
		'no set-up: String with stringtype=unspecified',
		'no set-up: ObjectId as Types.OTHER, String with a cast',
		'JSON',
		'Comparable',
		'the first migration, and again',
		'registered by a property, in a schema off the search path'
	]);
