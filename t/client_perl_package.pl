# The distribution of clients/perl: its manifest and documentation are complete, and it installs
# the module only.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('perl_package');
my $directory = install('perl', <<'END');
cd package
podchecker -warnings -warnings lib/Pg/ObjectId.pm >../podchecker 2>&1
perl Makefile.PL INSTALL_BASE=.. </dev/null >../output 2>&1
make distcheck >>../output 2>&1
make install >/dev/null
cd ..
find lib/perl5 -name '*.p[lm]' >installed
END
like(slurp_file("$directory/podchecker"), qr/pod syntax OK/, 'podchecker');
unlike(slurp_file("$directory/podchecker"), qr/WARNING/, 'podchecker does not warn');
unlike(slurp_file("$directory/output"), qr/warning|not in manifest|no such file/i, 'make distcheck');
is(slurp_file("$directory/installed"), "lib/perl5/Pg/ObjectId.pm\n", 'make install');
done_testing();
