# Shared by the tests in t/: servers, loads, and checks for missing software
package TestServer;
use strict;
use warnings FATAL => 'all';
use Exporter qw(import);
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT =
  qw($long $pg_config start_node query_is page_is start_load finish_load stop_load index_kinds missing need need_contrib);

our $long = ($ENV{PG_TEST_EXTRA} // '') =~ /\blong\b/;
our $pg_config = $ENV{PG_CONFIG} || 'pg_config';

# start_node($name, conf => settings, sql => statements, further arguments of init()) -
# start a server, which stops when the test ends
sub start_node
{
	my ($name, %arg) = @_;
	my ($conf, $sql) = delete @arg{qw(conf sql)};
	my $node = PostgreSQL::Test::Cluster->new($name);

	# do not depend on the user's locale
	$arg{extra} = [ '--encoding=UTF8', '--locale=C', @{ $arg{extra} // [] } ];
	$node->init(%arg);
	$node->append_conf('postgresql.conf', $conf) if $conf;
	$node->start;
	$node->safe_psql('postgres', $sql) if $sql;
	return $node;
}

# query_is($node, $query, $expected, $what, $database) - a check of what a query gives
sub query_is
{
	my ($node, $query, $expected, $what, $database) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($node->safe_psql($database // 'postgres', $query), $expected, $what);
}

# page_is($page, $file) - run the statements of a page, which is in this file, and check that
# they print what it shows
sub page_is
{
	my ($page, $file) = @_;
	my ($filled, $error) = run_command([ $^X, 'script/fill-page', $file ]);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($error, '', "$page: its statements run");
	ok("$filled\n" eq slurp_file($file), "$page: and print what it shows") or do
	{
		IPC::Run::run([ 'diff', '-u', $file, '-' ], '<', \"$filled\n", '>', \my $difference);
		diag($difference);
	};
}

# start_load($node, $script, @options) - run pgbench in the background, until it is
# stopped unless the options limit it
my $scripts = 0;

sub start_load
{
	my ($node, $script, @options) = @_;
	my $file = $node->basedir . '/load_' . ++$scripts . '.sql';
	append_to_file($file, $script);
	push @options, "--file=$file";
	push @options, '--time=86400' unless grep { /^--(?:time|transactions)=/ } @options;

	my %load = (node => $node, output => '');
	$load{harness} =
	  IPC::Run::start([ 'pgbench', '--no-vacuum', @options, $node->connstr('postgres') . ' application_name=pgbench' ],
		'<', \undef, '>&', \$load{output});
	return \%load;
}

# Wait for the end of a load, and return its exit status
sub finish_load
{
	my ($load) = @_;
	$load->{harness}->finish;
	return $load->{harness}->result(0);
}

# Stop a load, and wait until its sessions are gone.  finish() reads the rest of the output, unlike kill_kill().
sub stop_load
{
	my ($load) = @_;
	$load->{harness}->signal('TERM');
	$load->{harness}->finish;
	$load->{node}
	  ->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name = 'pgbench'})
	  or die('the load did not stop');
}

# The lines of t/index_kinds: a name, an index in the syntax of CREATE INDEX, for a table
# (id objectid, n integer), and a condition that the index supports.  An index with " (id"
# supports "id = ...".  A line without a condition supports all comparisons of "id".
sub index_kinds
{
	return
	  map { my %kind; @kind{qw(name index condition)} = split(/\t/); \%kind } split(/\n/, slurp_file('t/index_kinds'));
}

# missing($test) - which packages of t/client_packages that the test needs are not installed.
# If only packages are missing that this release of Debian lacks, the reason contains
# [expected], so that .ci/run accepts the skip.
sub missing
{
	my ($test) = @_;
	my $os = -e '/etc/os-release' ? slurp_file('/etc/os-release') : '';
	my ($debian) = $os =~ /^ID=debian$/m ? $os =~ /^VERSION_ID="(\d+)"$/m : ();
	my (@what, @packages, @later);
	for (grep { !/^#/ } split(/\n/, slurp_file('t/client_packages')))
	{
		my ($package, $what, $tests, $command, $since) = split(/\t+/);
		next if !grep { $_ eq $test } split(/ /, $tests);
		next if IPC::Run::run([ 'sh', '-c', $command ], '<', \undef, '>&', \my $output);
		if ($since && $debian && $debian < $since)
		{
			push @later, "$what, which Debian has from $since on";
			next;
		}
		push @what, $what;
		push @packages, $package;
	}
	return join(', ', @what) . ' is not installed (Debian: ' . join(', ', @packages) . ')' if @what;
	return @later ? '[expected] this release lacks ' . join(', ', @later) : undef;
}

# Skip the test if something is missing.
sub need
{
	my $missing = missing(@_);
	plan skip_all => $missing if $missing;
}

# the same for a module of contrib
sub need_contrib
{
	my ($module) = @_;
	my ($libdir) = run_command([ $pg_config, '--pkglibdir' ]);
	my @libraries = glob("$libdir/$module.*");
	plan skip_all => "$module is not installed (Debian: postgresql)" unless @libraries;
}

1;
