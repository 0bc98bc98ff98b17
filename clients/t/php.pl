# PHP: the package, with the MongoDB extension.
use ClientTest;

$ENV{COMPOSER_ALLOW_SUPERUSER} = 1;
$ENV{COMPOSER_ROOT_VERSION} = 'dev-main';    # Composer takes the version from a tag
test_clients(
	install => <<'END',
local='{ "type": "path", "url": "package", "options": { "symlink": false } }'
echo "{ \"repositories\": [{ \"packagist.org\": false }, $local] }" >composer.json
composer require --no-interaction pg-objectid/pg-objectid:@dev
END
	run => 'php -d auto_prepend_file=$DIRECTORY/vendor/autoload.php $PROGRAM');

__END__
# driver	program	ways	needs
pdo	tests/pdo.php	-	pdo
laravel	tests/laravel.php	-	laravel
doctrine	tests/doctrine.php	text	doctrine
# check	needs	command	allowed
composer validate --strict	php_package	cd package; composer validate --strict --no-interaction	^\S*composer\.json is valid$
its files	php_package	cd package; find . -type f | sort | diff <(printf './%s\n' CHANGELOG.md LICENSE README.md composer.json src/Doctrine/ObjectId{,s}Type.php src/Laravel/{HasObjectIds,ServiceProvider}.php) -
