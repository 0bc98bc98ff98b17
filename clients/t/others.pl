# C, Java and Perl: no package; ids are strings.
use lib qw(testlib clients/t);
use ClientTest;

$ENV{PG_CONFIG} = $pg_config;
$ENV{JARS} = join(':', map { "/usr/share/java/$_.jar" } qw(postgresql bson eclipselink eclipselink-jpa-2.1-spec));
test_clients(
	tcp => 1,
	run => <<'END');
case $PROGRAM in
*.c)
	cc -std=gnu11 -Wall -Wextra -Werror -I$($PG_CONFIG --includedir) $PROGRAM -o $DIRECTORY/program -L$($PG_CONFIG --libdir) -lpq
	$DIRECTORY/program
	;;
*.java)
	javac -Xlint -Xlint:-path -Werror -cp $JARS -d $DIRECTORY $PROGRAM
	java -cp $DIRECTORY:.:$JARS ${PROGRAM%.java}
	;;
*) perl $PROGRAM ;;
esac
END

__END__
# driver	program	ways	needs
libpq	others/test/libpq.c	text	libpq
jdbc	others/test/Jdbc.java	text	jdbc
jpa	others/test/Jpa.java	-	jpa
DBD::Pg	others/test/dbd-pg.pl	text	perl
