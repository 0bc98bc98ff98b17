# Python: the package with each of its extras, and bson of PyMongo.
# Takes long.
use ClientTest;

# SQLAlchemy 1.4 does not support psycopg 3
my (undef, $version) = shell('.', "/usr/bin/python3 -c 'import sqlalchemy; print(sqlalchemy.__version__)'");
test_clients(
	without => $version =~ /^1\./ ? qr/^(?:asynchronous )?psycopg$/ : undef,
	install => <<'END',
(cd package && /usr/bin/python3 -c 'from setuptools.build_meta import *; build_sdist("../dist"); build_wheel("../dist")')
/usr/bin/python3 -m venv --system-site-packages --without-pip types
/usr/bin/python3 -m pip --isolated --python types/bin/python install --quiet --no-index --no-deps dist/*.whl
END
	run => <<'END');
new=$DIRECTORY/$DRIVER
/usr/bin/python3 -m venv --system-site-packages --without-pip $new
/usr/bin/python3 -m pip --isolated --python $new/bin/python install --quiet --no-index --no-build-isolation $DIRECTORY/package[$DRIVER]
$new/bin/python $PROGRAM
END

__END__
# driver	program	ways	needs
asyncpg	tests/roundtrip_asyncpg.py	binary, copy	asyncpg
django	tests/roundtrip_django.py tests/blog/models.py	text	django
psycopg	tests/roundtrip_psycopg.py	text, binary, copy	psycopg
psycopg2	tests/roundtrip_psycopg2.py	text	psycopg2
sqlalchemy	tests/roundtrip_sqlalchemy.py	psycopg2, asyncpg, psycopg, asynchronous psycopg	sqlalchemy
# check	needs	command	allowed
twine check --strict	python_package	twine check --strict dist/*	PASSED
the wheel has a licence and types, but no tests	python_package	python3 -m zipfile -l dist/*.whl >files; grep -q /LICENSE files; grep -q pg_objectid/py.typed files; ! grep roundtrip files
so has the source	python_package	tar -tzf dist/*.tar.gz >files; grep -q /LICENSE files; grep -q pg_objectid/py.typed files; ! grep roundtrip files
mypy --strict, the package	python_types	cd package; mypy --strict -p pg_objectid	^Success
mypy --strict, a program with the package	python_types	mypy --strict --python-executable types/bin/python $CLIENT/tests/consumer.py	^Success
pydantic and FastAPI	pydantic	cd $CLIENT/tests; $DIRECTORY/types/bin/python -W ignore test_pydantic.py
SQLModel	sqlalchemy sqlmodel	cd $CLIENT/tests; $DIRECTORY/types/bin/python test_sqlmodel.py
sqlacodegen	sqlalchemy sqlacodegen	types/bin/python -c 'import pg_objectid.sqlalchemy; from sqlacodegen.cli import main; main()' postgresql+psycopg2:// >models; grep -q ObjectIdType models; ! grep NullType models
