# README.md, the pages of docs/ and that of objectid-import show what is really printed.
use strict;
use warnings FATAL => 'all';
use Cwd qw(cwd);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

# any other login name could be that of a role in a page
$ENV{PGUSER} = 'postgres';
my $node = start_node('docs', extra => ['--username=postgres']);
my ($sharedir) = run_command([ $pg_config, '--sharedir' ]);
my $programs = PostgreSQL::Test::Utils::tempdir();
my $missing = missing('docs_pages');
if (!$missing)
{
	system_or_bail('make', '-s', '-C', $programs, '-f', cwd() . '/import/Makefile', 'with_llvm=no');
	symlink('/usr/bin/python3', "$programs/python3");
	$ENV{PATH} = "$programs:$ENV{PATH}";
}

# a row's size depends on the alignment
my $aligned = $node->safe_psql('postgres', 'SELECT max_data_alignment FROM pg_control_init()');

for my $page (glob('*.md docs/*.md import/*.md'))
{
	my $text = slurp_file($page);
	next unless $text =~ /^```(?:sql|console)$/m;
	my $needed = $text =~ /^\$ /m ? $missing : undef;
	$needed = "$1, of contrib, is not installed"
	  if $text =~ /CREATE EXTENSION (postgres_fdw)/ && !-f "$sharedir/extension/$1.control";
	$needed = "[expected] the sizes are those of a machine with an alignment of 8 bytes, not $aligned"
	  if $text =~ /pg_table_size/ && $aligned != 8;
	if ($needed)
	{
	  SKIP: { skip "$page: $needed", 2 }
		next;
	}

	my $database = $page =~ tr{/}{_}r;
	$node->safe_psql('postgres', qq(CREATE DATABASE "$database"));
	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	local $ENV{PGDATABASE} = $database;
	page_is($page, $page);
}

done_testing();
