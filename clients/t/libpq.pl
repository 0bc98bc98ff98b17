# C: clients/libpq, with libbson.
use lib qw(testlib clients/t);
use ClientTest;

$ENV{PG_CONFIG} = $pg_config;
test_clients(run => 'make -s && ./roundtrip');

__END__
# driver	adapter	program	ways	needs
libpq	libpq/	libpq/test/roundtrip.c	text, binary, copy	libpq
# check	needs	command	allowed
C++	libpq	cd $CLIENT/test; make -s roundtrip++; ./roundtrip++	^(ok - |1\.\.)
