# C, Java, Perl and ODBC: no package; ids are strings.
use ClientTest;

$ENV{PG_CONFIG} = $pg_config;
my @jars = (
	qw(postgresql bson eclipselink eclipselink-jpa-2.1-spec),
	qw(hibernate3 hibernate-entitymanager hibernate-core hibernate-commons-annotations slf4j-api slf4j-nop dom4j antlr),
	qw(commons-collections3 geronimo-jta-1.2-spec javassist commons-logging));
# Spring's have the number of its version in their names up to Debian 12
$ENV{JARS} = join(':',
	(map { "/usr/share/java/$_.jar" } @jars),
	glob('/usr/share/java/spring{,3}-{jdbc,core,beans,tx,transaction}.jar'));
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
libpq	test/libpq.c	-	libpq
jdbc	test/Jdbc.java	-	jdbc
eclipselink	test/Jpa.java	-	eclipselink
hibernate	test/Jpa.java	-	hibernate
DBD::Pg	test/dbd-pg.pl	-	perl
# check	needs	command	allowed
psqlODBC	odbc	/usr/bin/python3 $CLIENT/test/odbc.py
