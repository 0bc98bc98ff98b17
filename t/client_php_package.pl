# The package of clients/php: Composer accepts it, and archives it without tests.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('php_package');
local $ENV{COMPOSER_ALLOW_SUPERUSER} = 1;
local $ENV{COMPOSER_ROOT_VERSION} = 'dev-main';    # Composer takes the version from a tag
my $directory = install('php', '');
passes(
	'composer validate --strict',
	"$directory/package",
	'composer validate --strict --no-interaction',
	qr/^\S*composer\.json is valid$/);
my ($files) = run_command([ 'sh', '-c', "cd $directory/package; find . -type f | sort" ]);
is( $files,
	join("\n",
		map { "./$_" }
		  qw(LICENSE README.md composer.json src/Doctrine/ObjectIdType.php src/Laravel/HasObjectIds.php src/Laravel/ServiceProvider.php src/pdo.php)
	),
	'its files');
done_testing();
