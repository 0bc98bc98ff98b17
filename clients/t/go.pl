# Go: the modules, with mongo-driver.
use ClientTest;

my $modules = $ENV{MODULES} = "${PostgreSQL::Test::Utils::tmp_check}/go";
$ENV{SOURCES} = join(' ', grep { -d } map { "$_/src" } $ENV{GOPATH} // (), '/usr/share/gocode');
@ENV{qw(GOFLAGS GOPROXY GOCACHE GOPATH GOTOOLCHAIN)} =
  ("-mod=mod -modfile=$modules/go.mod", 'off', "$modules/cache", "$modules/path", 'local');
test_clients(
	install => 'bash $CLIENT/test/modules.sh',
	run => 'go test -c -o $MODULES/$DRIVER && $MODULES/$DRIVER');

__END__
# driver	program	ways	needs
lib-pq	test/sql/sql_test.go	text	lib-pq
pgx	test/pgx/pgx_test.go	cache_statement, describe_exec, exec, simple_protocol, copy, copy of strings	pgx
gorm	test/gorm/gorm_test.go	-	gorm lib-pq
# check	needs	command	allowed
clients/go/pgx: go vet	go_package	cd $CLIENT/pgx; go vet ./...
clients/go/sql: go vet	lib-pq	cd $CLIENT/sql; go vet ./...
clients/go/test: go vet	go_package	cd $CLIENT/test; go vet ./...
gofmt	go	gofmt -l $CLIENT
