# Tests Perl's DBD::Pg with BSON::OID, by the program in clients/perl.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('perl');
my $directory = install('perl', <<'END');
cd package
perl Makefile.PL INSTALL_BASE=.. </dev/null
make install
END
test_client(
	driver => 'perl',
	run => [ $^X, "-I$directory/lib/perl5", 'roundtrip.pl' ],
	how => [ 'text', 'text COPY', 'binary COPY' ],
	checks => [
		standard('text'),
		'text: arrays',
		'text COPY: 1,000 ids come back equal',
		'binary COPY: 1,000 ids come back equal',
		'invalid text is not read as an id',
		'an empty database: migrate, use, revert, migrate again'
	]);
