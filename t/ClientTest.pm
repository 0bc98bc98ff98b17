# Functions of the tests of clients/: they start a server, install a package of clients/ as users
# do, run a program with it, and check on the server what the program did.
#
# The program finds the server by PGHOST, PGPORT, PGUSER and PGDATABASE.  It prints a line for each
# of its checks, "ok - WHAT" or "not ok - WHAT".  The test lists each WHAT, too, so a missing check
# fails.  The program has these tables:
#
#	event		for the example in docs/clients*.md
#	made		1,000 ids that the BSON library generated for each way of sending them, HOW, with
#				the digits as the library writes them
#	list		arrays
#	dated		10,000 ids, one for each hour from 2024-01-01 00:00 UTC on, and the number n of
#				the hour.  "id > a date" compares "id" with 2025-02-20 05:00 UTC as the language's
#				date type, and must get the n greater than 9989.  The server logs its plans: each
#				query of the table must have an index condition.
#
# In the database "other" the type is apart.objectid: it has a different OID, and its schema is not
# on the search path.  The database "empty" is for the first migration of an application: the type
# does not exist there.
package ClientTest;
use strict;
use warnings FATAL => 'all';
use Cwd            qw(abs_path);
use Exporter       qw(import);
use File::Basename qw(basename dirname);
use File::Copy     qw(copy);
use File::Path     qw(make_path);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

our @EXPORT =
  qw(cargo cargo_command composer gem go_modules golang install need_node node npm passes python test_client sections);

# cargo_command($command) - a shell command that runs cargo with the crates that Debian packages; the
# test of a package shares what the tests of drivers build
sub cargo_command
{
	my ($command) = @_;
	my $directory = $ENV{CARGO_TARGET_DIR} // "${PostgreSQL::Test::Utils::tmp_check}/cargo";
	return
		"CARGO_HOME=$directory/home CARGO_TARGET_DIR=$directory CARGO_PROFILE_DEV_DEBUG=false cargo $command --offline"
	  . q( --config='source.crates-io.replace-with="debian"')
	  . q( --config='source.debian.directory="/usr/share/cargo/registry"');
}

# cargo($driver) - arguments of test_client() that build and run the test of a driver in clients/rust
sub cargo
{
	my ($driver) = @_;
	my $name = $driver =~ tr/-/_/r;
	my $test = cargo_command("test --quiet --all-features --test=$name");
	return (
		language => 'rust',
		driver => $driver,
		program => "clients/rust/tests/$name.rs",
		build => [ 'sh', '-c', "cd clients/rust && $test --no-run" ],
		run => [ 'sh', '-c', "$test -- --nocapture" ]);
}

# the modules that a go.mod requires
sub required
{
	my ($mod) = @_;
	return $mod =~ m{^\s*(?:require\s+)?"?([^\s/"]+\.[^\s/]+/[^\s"]+)"?\s+v\d}mg;
}

# go_modules() - a go.mod for the tests of clients/go, in a new directory.  Debian's packages contain
# the sources of modules, for GOPATH, so each gets a "replace".  What they require beyond that is not
# needed to build: an empty module.
sub go_modules
{
	my $directory = "${PostgreSQL::Test::Utils::tmp_check}/go";
	my $none = sub {
		my ($module) = @_;
		my $path = "$directory/" . ($module =~ s/\W/_/gr);
		make_path($path);
		append_to_file("$path/go.mod", "module $module\n") unless -f "$path/go.mod";
		return $path;
	};
	my $own = slurp_file('clients/go/test/go.mod');
	my ($ours) = $own =~ m{^module (.*/)test$}m;
	my (%replace, %required);
	for my $source (map { "$_/src" } grep({ defined } $ENV{GOPATH}), '/usr/share/gocode')
	{
		for (-d $source ? split(/\n/, (run_command([ 'find', "$source/", '-name', 'go.mod' ]))[0]) : ())
		{
			my ($path, $module) = m{^(\Q$source\E/+(.+))/go\.mod$};
			my $mod = slurp_file($_);
			next unless $mod =~ /^module\s+"?\Q$module\E"?\s*$/m;
			$replace{$module} = $path;
			$required{$_} = 1 for required($mod);
		}
	}
	# where v2 of mongo-driver is not installed, such as on Debian, v1 gets its names
	my $v2 = 'go.mongodb.org/mongo-driver/v2';
	if (!$replace{$v2})
	{
		$replace{$v2} = $none->($v2);
		mkdir "$replace{$v2}/bson";
		copy('t/mongo_driver_v1.go', "$replace{$v2}/bson/bson.go");
	}
	$replace{$_} //= $none->($_) for keys %required, grep { !m{^\Q$ours\E} } required($own);
	unlink "$directory/go.mod";
	append_to_file("$directory/go.mod", join("\n", $own, map { "replace $_ => $replace{$_}" } sort keys %replace));
	@ENV{qw(GOFLAGS GOPROXY GOCACHE GOPATH GOTOOLCHAIN)} =
	  ("-mod=mod -modfile=$directory/go.mod", 'off', "$directory/cache", "$directory/path", 'local');
	return $directory;
}

# golang($driver) - arguments of test_client() that build clients/go/test/$driver with the modules of
# clients/go
sub golang
{
	my ($driver) = @_;
	my $directory = go_modules();
	return (
		program => "clients/go/test/$driver/${driver}_test.go",
		build => [ 'sh', '-c', "cd clients/go/test && go test -c -o $directory/$driver ./$driver" ],
		run => ["$directory/$driver"]);
}

# install($language, $commands) - puts what is published of clients/$language into the directory
# "package" in a new directory, runs shell commands there, which install it, and returns the directory
sub install
{
	my ($language, $commands) = @_;
	my $directory = abs_path(PostgreSQL::Test::Utils::tempdir());
	my $done = IPC::Run::run([ 'script/package', $language, "$directory/package" ])
	  && IPC::Run::run([ 'sh', '-e', '-c', $commands ],
		'<', \undef, '>&', \my $output, init => sub { chdir($directory); $ENV{HOME} = $directory });
	$done or die "the package of clients/$language cannot be installed:\n$output\n";
	return $directory;
}

# passes($what, $directory, $command, $allowed) - checks that a shell command succeeds in a directory,
# and prints no line other than those that the pattern $allowed matches
sub passes
{
	my ($what, $directory, $command, $allowed) = @_;
	# some tools color their output if CI is set
	local $ENV{NO_COLOR} = 1;
	my $done = IPC::Run::run([ 'sh', '-e', '-c', $command ],
		'<', \undef, '>&', \my $output, init => sub { chdir($directory) or die "$directory: $!\n" });
	my @other = grep { !defined $allowed || !/$allowed/ } split(/\n/, $output);
	ok($done && !@other, $what) or diag(join("\n", $done ? @other : $output));
	return;
}

# need_node($what) - skips the test if Node.js is older than 20.19, which $what needs
sub need_node
{
	my ($what) = @_;
	need('node');
	my ($version) = run_command([ 'node', '--version' ]);
	my ($major, $minor) = $version =~ /^v(\d+)\.(\d+)/;
	plan skip_all => "[expected] Node.js $version is too old for $what, which needs 20.19"
	  if $major < 20 || $major == 20 && $minor < 19;
}

# npm(@packages) - packs clients/node, installs the tarball, and returns a directory with it and the
# programs of clients/node/test.  @packages are those of clients/node/package.json that the test needs.
sub npm
{
	my @packages = @_;
	need('node');
	plan skip_all => 'the packages of clients/node/package.json are not installed (script/setup --clients)'
	  unless IPC::Run::run([ 'node', '--input-type=module', '-e', join('', map { "import '$_';" } @packages) ],
		'<', \undef, '>&', \my $output, init => sub { chdir('clients/node') });
	my ($modules, $test) = map { abs_path($_) } 'clients/node/node_modules', 'clients/node/test';

	# compile it once for all tests
	my $tarball = "${PostgreSQL::Test::Utils::tmp_check}/pg-objectid.tgz";
	if (!-f $tarball)
	{
		my ($packed) = glob(install('node', <<"END") . '/*.tgz');
ln -s '$modules' package/node_modules
npm pack ./package --loglevel=error
END
		rename($packed, $tarball) or die "$tarball: $!\n";
	}
	my $directory = install('node', <<"END");
rm -r package
cp -R '$test/.' .
echo '{ "type": "module" }' >package.json
npm install --offline --legacy-peer-deps --no-audit --no-fund --loglevel=error '$tarball'
END
	symlink($_, "$directory/node_modules/" . basename($_)) for glob("$modules/*");
	return $directory;
}

# node($name, @packages) - arguments of test_client() that run clients/node/test/$name in the directory of npm()
sub node
{
	my ($name, @packages) = @_;
	return (
		language => 'node',
		driver => $name,
		program => npm(@packages) . "/$name/roundtrip.js",
		run => [ 'node', 'roundtrip.js' ]);
}

# composer($driver) - arguments of test_client() that install the package of clients/php, and run the
# program of a driver with it
sub composer
{
	my ($driver) = @_;
	need($driver);
	my $directory = install('php', <<'END');
cat >composer.json <<'JSON'
{ "repositories": [{ "packagist.org": false }, { "type": "path", "url": "package", "options": { "symlink": false } }] }
JSON
COMPOSER_ALLOW_SUPERUSER=1 composer require --no-interaction pg-objectid/pg-objectid:@dev
END
	return (
		language => 'php',
		driver => $driver,
		program => "clients/php/tests/$driver.php",
		run => [ 'php', '-d', "auto_prepend_file=$directory/vendor/autoload.php", "$driver.php" ]);
}

# gem($driver) - arguments of test_client() that build and install the gem of clients/ruby, and run
# the program of a driver with it
sub gem
{
	my ($driver) = @_;
	need($driver);
	my $directory = install('ruby', <<'END');
(cd package && gem build --quiet --output=../pg-objectid.gem pg-objectid.gemspec)
export GEM_PATH="$PWD/gems:$(gem env path)"
GEM_HOME=$PWD/gems gem install --quiet --local --no-document pg-objectid.gem
END
	return (
		language => 'ruby',
		driver => $driver,
		program => "clients/ruby/test/$driver.rb",
		run => [ 'sh', '-c', "GEM_PATH=$directory/gems:\$(gem env path) exec ruby $driver.rb" ]);
}

# python($extra) - arguments of test_client() that install the package of clients/python with one of
# its extras, without the network, and run its program
sub python
{
	my ($extra) = @_;
	need($extra);
	my $directory = install('python', <<"END");
/usr/bin/python3 -m venv --system-site-packages --without-pip venv
/usr/bin/python3 -m pip --isolated --python venv/bin/python install --quiet --no-index --no-build-isolation './package[$extra]'
END
	return (
		language => 'python',
		driver => $extra,
		program => "clients/python/tests/roundtrip_$extra.py",
		run => [ "$directory/venv/bin/python", "roundtrip_$extra.py" ]);
}

# test_client(
#	language => the directory in clients/, the default is the driver,
#	driver => its name,
#	adapter => the start of the path that the first link of its section in docs/clients*.md leads to, in
#				clients/: see sections(),
#	program => the program of the test, which contains the examples of that section; the default
#				is "roundtrip" in that directory,
#	also   => other files that contain examples,
#	build  => a command to run first,
#	run    => the command to run in the directory of the program,
#	how    => the ways of sending ids that must have inserted 1,000 rows each into "made"; the
#				default is "text".  There is a standard list of checks for each way other than COPY,
#	checks => the other checks that must print "ok",
#	tcp    => true for a driver without Unix sockets)
sub test_client
{
	my (%arg) = @_;
	$arg{language} //= $arg{driver};
	$arg{how}      //= ['text'];
	$arg{program}  //= (glob("clients/$arg{driver}/{,test/,tests/,t/}[rR]ound[tT]rip{,_test}.*"))[0];
	need($arg{language} eq 'node' ? 'node' : $arg{driver});
	need_contrib('auto_explain');
	my @ways = grep { !/^copy/ } @{ $arg{how} };
	my @checks = @{ $arg{checks} };

	for my $how (@ways)
	{
		push @checks, map { "$how: $_" } '1,000 ids come back equal', 'NULL', 'WHERE with an ObjectId', 'id > a date';
	}

	die "$arg{driver}: the program cannot be built\n"
	  if $arg{build} && PostgreSQL::Test::Utils::system_log(@{ $arg{build} }) != 0;

	my $node = start_node(
		'client_' . $arg{driver} =~ s/\W/_/gr,
		conf => join("\n",
			"TimeZone = 'Asia/Kolkata'",
			"session_preload_libraries = 'auto_explain'",
			'auto_explain.log_min_duration = 0',
			$arg{tcp} ? "listen_addresses = '127.0.0.1'" : ()),
		sql => q{
CREATE EXTENSION objectid;
CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text);
CREATE TABLE made (how text, id objectid, hex text NOT NULL, PRIMARY KEY (how, id));
CREATE TABLE list (n integer PRIMARY KEY, ids objectid[]);
CREATE TABLE dated AS
  SELECT n, gen_objectid(timestamptz '2024-01-01 00:00Z' + n * interval '1 hour') AS id FROM generate_series(0, 9999) AS n;
ALTER TABLE dated ADD PRIMARY KEY (id);
ANALYZE dated;
CREATE DATABASE other;
CREATE DATABASE empty;
});
	$node->safe_psql('other', 'CREATE SCHEMA apart; CREATE EXTENSION objectid SCHEMA apart');

	# client and server have different time zones other than UTC, so a date that loses its zone is wrong by hours
	local $ENV{TZ} = 'America/St_Johns';
	local $ENV{PGHOST} = $arg{tcp} ? '127.0.0.1' : $node->host;
	local $ENV{PGPORT} = $node->port;
	local $ENV{PGDATABASE} = 'postgres';
	local $ENV{PGUSER} = getpwuid($<);
	my ($output, $error);
	my $done = IPC::Run::run($arg{run}, '<', \undef, '>', \$output, '2>', \$error,
		init => sub { chdir(dirname($arg{program})) or die "$arg{program}: $!\n" });

	ok($done, "$arg{driver}: the program exits with 0");
	diag("it printed:\n$output$error") unless $done;

	# a check may run several times
	my %is = map { /^((?:not )?ok) - (.*)$/ ? ($2 => $1) : () } sort { $b cmp $a } split(/\n/, $output);
	is(delete $is{$_}, 'ok', "$arg{driver}: $_") for @checks;
	is(join(', ', sort keys %is), '', "$arg{driver}: the program runs no unlisted check");

	query_is(
		$node,
		'SELECT how, count(*), count(*) FILTER (WHERE id::text <> hex OR abs(extract(epoch FROM now() - objectid_time(id))) > 3600) FROM made GROUP BY how ORDER BY how',
		join("\n", map { "$_|1000|0" } sort @{ $arg{how} }),
		"$arg{driver}: the server writes each id as the BSON library does, and reads its time");
	query_is($node, 'SELECT count(*) FROM event', '1', "$arg{driver}: the example inserted its row");
	$node->stop;

	# plans of the queries of "dated"
	my @plans = grep { / on dated\b.*\(cost=/ } slurp_file($node->logfile) =~ /^\S.* plan:\n(?:\t.*\n)+/mg;
	cmp_ok(scalar @plans, '>=', scalar @ways, "$arg{driver}: each condition with a date reached the server");
	is(join("\n", grep { !/\bIndex Cond: / } @plans), '', "$arg{driver}: each condition with a date uses the index");

	shown($arg{driver}, [ $arg{program}, @{ $arg{also} // [] } ], sections(@arg{qw(language driver adapter)}));
	done_testing();
}

# sections($language, $driver, $adapter) - the sections of docs/clients*.md whose first link leads to a
# file of the driver in clients/, each as [page, heading, text].  The path starts with $adapter if that
# is defined.  Otherwise it contains the name of the driver as a word, unless that is the language.
sub sections
{
	my ($language, $driver, $adapter) = @_;
	my $name = join('[-_.]?', split(/[-_.]/, $driver));
	my $path =
		defined $adapter     ? quotemeta($adapter)
	  : $driver eq $language ? "$language/"
	  :                        "$language/(?:[^)]*[/_])?$name(?![-a-z0-9])";
	my @found;
	for my $page (glob('docs/clients*.md'))
	{
		for (split(/^(?=#+ )/m, slurp_file($page)))
		{
			push @found, [ $page, $1, $2 ] if m{\A#+ ([^\n]*)\n([^\]]*\]\(\.\./clients/$path.*)\z}si;
		}
	}
	return @found;
}

# Each part of an example, up to an empty line, is in the program that was run.  TypeScript is
# checked by t/client_node_package.pl.
sub shown
{
	my ($driver, $files, @sections) = @_;
	my $program = join("\n", map { slurp_file($_) } @$files);
	my @parts = map { split(/\n\n/) } map { $_->[2] =~ /^```(?!ts)\w+\n(.*?)^```$/msg } @sections;

	for ($program, @parts)
	{
		s/^[ \t]+//mg;
		s/[ \t]+/ /g;
	}
	cmp_ok(scalar @parts, '>', 0, "$driver: docs/clients*.md has an example");
	is(join("\n", grep { index($program, $_) < 0 } @parts), '', "$driver: the program contains the example");
}

1;
