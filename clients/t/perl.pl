# Perl: the distribution of clients/perl, with BSON::OID.
use lib qw(testlib clients/t);
use ClientTest;

test_clients(
	install => <<'END',
cd package
perl Makefile.PL INSTALL_BASE=.. </dev/null 2>&1 | tee ../output
make distcheck 2>&1 | tee -a ../output
make install
END
	run => 'perl -I$DIRECTORY/lib/perl5 $PROGRAM');

__END__
# driver	adapter	program	ways	needs
DBD::Pg	perl/lib/Pg/ObjectId.pm	perl/t/roundtrip.pl	text	perl
# check	needs	command	allowed
podchecker	perl_package	podchecker -warnings -warnings package/lib/Pg/ObjectId.pm	pod syntax OK
make distcheck	perl_package	! grep -iE 'warning|not in manifest|no such file' output
make install	perl_package	find lib/perl5 -name '*.p[lm]' | diff <(echo lib/perl5/Pg/ObjectId.pm) -
