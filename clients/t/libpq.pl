# C: clients/libpq, with libbson.
use lib qw(testlib clients/t);
use ClientTest;

test_clients(run => "make -s PG_CONFIG=$pg_config && ./roundtrip");

__END__
# driver	adapter	program	ways	needs
libpq	libpq/	libpq/test/roundtrip.c	text, binary, copy	libpq
