# The package of clients/java: what Maven Central requires, and javadoc without warnings.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('java_package');
my $package = install('java', '') . '/package';
my $jars = '/usr/share/java/postgresql.jar:/usr/share/java/bson.jar';
passes('javadoc', $package,
	"javadoc -quiet -Xdoclint -Werror -cp $jars -d documentation src/main/java/objectid/*.java");

my $pom = slurp_file("$package/pom.xml");
like($pom, qr{^\t<$_>\s*\S}m, "pom.xml: $_") for qw(name description url licenses developers scm);
my @dependencies = $pom =~ m{<dependency>(.*?)</dependency>}sg;
is(scalar @dependencies, 2, 'the driver and the BSON library');
is(join('', grep { !m{<scope>provided</scope>} } @dependencies), '', '... are those of the application');
done_testing();
