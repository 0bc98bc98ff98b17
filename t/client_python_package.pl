# The package of clients/python: it builds without a warning, twine accepts it, and mypy checks it
# and a program that uses it.
use strict;
use warnings FATAL => 'all';
use Cwd qw(abs_path);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('python_package');
my $consumer = abs_path('clients/python/tests/consumer.py');
my $directory = install('python', <<'END');
cd package
/usr/bin/python3 -c 'import setuptools.build_meta as build; build.build_sdist("../dist"); build.build_wheel("../dist")'
END
passes('twine check --strict', $directory, 'twine check --strict dist/*', qr/PASSED/);

my ($files) =
  run_command([ 'sh', '-c', "tar -tzf $directory/dist/*.tar.gz; python3 -m zipfile -l $directory/dist/*.whl" ]);
is(() = $files =~ m{[-/]LICENSE\b}g, 2, 'they contain the licence');
is(() = $files =~ m{pg_objectid/py\.typed\b}g, 2, 'they contain py.typed');
unlike($files, qr/roundtrip/, 'they do not contain tests');

SKIP:
{
	my $missing = missing('python_types');
	skip $missing, 2 if $missing;
	passes('mypy --strict, the package', "$directory/package", 'mypy --strict -p pg_objectid', qr/^Success/);
	passes(
		'mypy --strict, a program with the package',
		$directory,
		"/usr/bin/python3 -m venv --system-site-packages --without-pip venv
		/usr/bin/python3 -m pip --isolated --python venv/bin/python install --quiet --no-index --no-deps dist/*.whl
		mypy --strict --python-executable venv/bin/python $consumer",
		qr/^Success/);
}
done_testing();
