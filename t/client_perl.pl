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
	checks => [
		'text: arrays',
		'invalid text is not read as an id',
		'DBD::Pg refuses objects in an array',
		'the first migration, and again'
	]);
