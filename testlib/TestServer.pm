# Shared by the tests of the extension, objectid-import and the adapters: servers, statements, loads
package TestServer;
use strict;
use warnings FATAL => 'all';
use Exporter qw(import);
use IPC::Run;
use List::Util qw(shuffle);
use Page;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT =
  qw($long $pg_config set_seed init_node start_node wait_for_recovery query_is follow_pages page_is pg_upgrade start_load finish_load stop_load);

our $long = ($ENV{PG_TEST_EXTRA} // '') =~ /\blong\b/;
our $pg_config = $ENV{PG_CONFIG} || 'pg_config';

# The superuser of servers does not have the name of the user who runs the tests: that could be the name of a
# role of a test.  Programs connect as this superuser.
$ENV{PGUSER} = 'postgres';

# set_seed($default) - begin the random numbers of a test with those of OBJECTID_SEED, or by default with new ones.  The
# log has the seed, and at the end of a test that fails again.
my $seed;

sub set_seed
{
	my ($default) = @_;
	$seed = $ENV{OBJECTID_SEED} // $default // time;
	srand($seed);
	note("OBJECTID_SEED=$seed");
	return $seed;
}

END
{
	diag("repeat this by OBJECTID_SEED=$seed") if defined $seed && !Test::More->builder->is_passing;
}

# init_node($node, arguments of init()) - independent of the user's name and locale
sub init_node
{
	my ($node, %arg) = @_;
	$node->init(%arg, extra => [ "--username=$ENV{PGUSER}", '--encoding=UTF8', '--locale=C', @{ $arg{extra} // [] } ]);
	return;
}

# start_node($name, conf => settings, sql => statements, further arguments of init()) -
# start a server, which stops when the test ends
sub start_node
{
	my ($name, %arg) = @_;
	my ($conf, $sql) = delete @arg{qw(conf sql)};
	my $node = PostgreSQL::Test::Cluster->new($name);
	init_node($node, %arg);
	$node->append_conf('postgresql.conf', $conf) if $conf;
	$node->start;
	$node->safe_psql('postgres', $sql) if $sql;
	return $node;
}

# pg_upgrade($old_bindir, $from, $new_bindir, $to, $directory, @options) - check that it succeeds, run in this directory
sub pg_upgrade
{
	my ($old_bindir, $from, $new_bindir, $to, $directory, @options) = @_;
	my @sides = (
		'--old-datadir', $from->data_dir, '--old-bindir', $old_bindir, '--old-port', $from->port,
		'--new-datadir', $to->data_dir, '--new-bindir', $new_bindir, '--new-port', $to->port);
	my $done = IPC::Run::run([ "$new_bindir/pg_upgrade", @options, @sides, '--socketdir', $from->host ],
		'<', \undef, '>&', \my $output, init => sub { chdir($directory) or die "$directory: $!" });
	ok($done, "pg_upgrade @options");
	note($output);
	return;
}

# wait_for_recovery($node, $logged) - until the server has started again after a crash, by its log from
# this byte on.  A query could succeed before the postmaster notices the crash.
sub wait_for_recovery
{
	my ($node, $logged) = @_;
	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if substr(slurp_file($node->logfile), $logged) =~ /ready to accept connections/;
		select(undef, undef, undef, 0.1);
	}
	die('the server did not recover');
}

# query_is($node, $query, $expected, $what, $database) - a check of what a query gives
sub query_is
{
	my ($node, $query, $expected, $what, $database) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($node->safe_psql($database // 'postgres', $query), $expected, $what);
}

# page_needs($node, $page) - a reason to skip a page, or undef
sub page_needs
{
	my ($node, $page) = @_;
	my $text = slurp_file($page);
	my ($sharedir) = run_command([ $pg_config, '--sharedir' ]);
	return "$page: $1, of contrib, is not installed"
	  if $text =~ /CREATE EXTENSION (postgres_fdw|pg_trgm)/ && !-f "$sharedir/extension/$1.control";

	# a row's size depends on the alignment
	my $aligned = $node->safe_psql('postgres', 'SELECT max_data_alignment FROM pg_control_init()');
	return "$page: [expected] the sizes are those of a machine with an alignment of 8 bytes, not $aligned"
	  if $text =~ /pg_table_size/ && $aligned != 8;
	return;
}

# follow_pages($node, \@pages, $tree, $package, %more) - pages can be followed one after the other, in this order and in
# random ones: each prints what it shows, in the database that docs/README.md says, and changes nothing else.  The role has
# the rights that docs/README.md says; a page may need more, and says so.  In the given order, their files are those of this
# tree. In random orders, they are a read-only copy of what the Debian package with this option of dh_installdocs installs.
sub follow_pages
{
	my ($node, $pages, $tree, $package, %more) = @_;
	my $rule = slurp_file('docs/README.md');
	my @commands = $rule =~ /^(createdb (\w+)) .*\n.*\n(dropdb \2)$/m or die('docs/README.md: no createdb and dropdb');
	like($rule, qr{^mkdir try && cd try && ln -s \S+/\* \.\ncreatedb}m, 'docs/README.md: a folder for each page');
	my ($rights) = $rule =~ /A role with (`\w+` and `\w+`) is enough/ or die('docs/README.md: no rights');
	$node->safe_psql('postgres', 'CREATE ROLE reader ' . $rights =~ s/`| and//gr);
	$node->safe_psql('postgres', 'CREATE DATABASE mydb OWNER reader');
	local @ENV{qw(PGHOST PGPORT)} = ($node->host, $node->port);
	{
		local @ENV{qw(PGUSER PGDATABASE)} = qw(reader mydb);
		page_is('README.md', 'README.md', '.');
	}
	my $before = everything($node);
	like($before, qr/507f1f77bcf86cd799439011\tfrom MongoDB/, q{mydb has README's rows});
	set_seed();

	for my $order ($pages, map { [ shuffle(@$pages) ] } 1 .. ($long ? 10 : 1))
	{
		my $from = $order == $pages ? $tree : package_tree($package);
		follow_page($node, $_, $from, $more{$_}, @commands) for @$order;
		is(everything($node), $before, 'nothing else has changed: ' . join(' ', @$order));
	}
	return;
}

# package_tree($option) - the files that debian/rules installs by dh_installdocs with this option, in a tree that cannot be
# written
sub package_tree
{
	my ($option) = @_;
	my ($files) =
	  slurp_file('debian/rules') =~ /^\tdh_installdocs $option=objectid-import(?: -\S+)*(?: --all)? ?(?:-\S+ )*(.*)$/m
	  or die("debian/rules: no dh_installdocs $option");
	my $tree = PostgreSQL::Test::Utils::tempdir();
	system_or_bail('cp', '-RL', split(/ /, $files), $tree);
	system_or_bail('chmod', '-R', 'a-w', $tree);
	return $tree;
}

# what a page must not change
sub everything
{
	my ($node) = @_;
	my ($reader) = run_command([qw(pg_dump mydb)]);
	my ($roles) = run_command([qw(pg_dumpall --globals-only --username=postgres)]);
	my $databases = $node->safe_psql('postgres', 'SELECT datname FROM pg_database ORDER BY datname');
	return join("\n", $reader, $roles, $databases) =~ s/^\\(?:un)?restrict .*\n//mgr;
}

sub follow_page
{
	my ($node, $page, $from, $more, $create, $database, $drop) = @_;
	my $run = sub {
		local $ENV{PGUSER} = 'reader';
		is(join('', run_command([ split(/ /, $_[0]) ])), '', "$page: $_[0]");
	};
  SKIP:
	{
		my $needed = page_needs($node, $page);
		skip $needed, 3 if $needed;
		my $text = slurp_file($page);
		like($text, qr/README\.md#examples\).*?^```(?:sql|console)$/ms, "$page: says where its examples run");
		if ($more)
		{
			like($text, qr/\b$more\b/, "$page: says that it needs $more");
			$node->safe_psql('postgres', "ALTER ROLE reader $more");
		}
		$run->($create);
		{
			local @ENV{qw(PGUSER PGDATABASE)} = ('reader', $database);
			page_is($page, $page, $from);
		}
		$run->($_) for $drop, $text =~ /`(dropuser \w+)`/g;
		$node->safe_psql('postgres', "ALTER ROLE reader no$more") if $more;
	}
	return;
}

# page_is($page, $file, $from) - run the statements of a page, which is in this file, beside links to the files of $from, and
# check that they print what it shows
sub page_is
{
	my ($page, $file, $from) = @_;
	my $filled = eval { page_with_results($file, $from) };
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($@, '', "$page: its statements run") or return;
	if ($ENV{OBJECTID_ACCEPT} && $page eq $file && $filled ne slurp_file($file))    # script/test --accept copies it
	{
		open(my $out, '>', $file) or die "$file: $!\n";
		print $out $filled;
		close($out);
	}
	ok($filled eq slurp_file($file), "$page: its statements print what it shows") or do
	{
		IPC::Run::run([ 'diff', '-u', $file, '-' ], '<', \$filled, '>', \my $difference);
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

1;
