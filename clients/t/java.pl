# Java: the package of clients/java, with the bson of MongoDB's driver.
use lib qw(testlib clients/t);
use ClientTest;

my @jars =
  qw(postgresql bson gson jackson-core jackson-databind jackson-annotations eclipselink eclipselink-jpa-2.1-spec);
$ENV{JARS} = join(':', map { "/usr/share/java/$_.jar" } @jars);
test_clients(
	tcp => 1,
	install => <<'END',
javac -Xlint -Xlint:-path -Werror -cp $JARS -d classes package/src/main/java/objectid/*.java
jar -c -f pg-objectid.jar -C classes .
END
	run => <<'END');
javac -Xlint -Xlint:-path -Werror -cp $DIRECTORY/pg-objectid.jar:$JARS -d $DIRECTORY $PROGRAM
java -cp $DIRECTORY/pg-objectid.jar:$DIRECTORY:../resources:$JARS ${PROGRAM%.java}
END

__END__
# driver	adapter	program	ways	needs
jdbc	java/src/main/java/objectid/PGobjectid.java	java/src/test/java/RoundTrip.java	text, binary	jdbc
jpa	java/src/main/java/objectid/ObjectIdConverter.java	java/src/test/java/Jpa.java	-	jpa
# check	needs	command	allowed
javadoc	java_package	javadoc -quiet -Xdoclint -Werror -cp $JARS -d documentation package/src/main/java/objectid/*.java
what Maven Central requires	java_package	for i in name description url licenses developers scm; do grep -q "^[[:blank:]]<$i>" package/pom.xml || echo $i; done
the application has the driver, the BSON library and JPA	java_package	grep -e '<dependency>' -e '<scope>provided</scope>' package/pom.xml | tr -d '\t\n' | grep -qx '\(<dependency><scope>provided</scope>\)\{3\}'
