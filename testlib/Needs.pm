# Checks for software that tests need.  The tables "packages" beside this file and the tests of a project say what it is;
# script/setup installs it.
package Needs;
use strict;
use warnings FATAL => 'all';
use Exporter       qw(import);
use File::Basename qw(dirname);
use IPC::Run;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(needed missing missing_sources need need_contrib);

# needed() - the lines of the tables, as hashes: the Debian package, its content, the rooms and the tests that
# need it, a command that succeeds if it is installed, the first release of Debian that has it
sub needed
{
	my $tables = join('', map { slurp_file($_) } grep { -f } dirname(__FILE__) . '/packages', 't/packages');
	return map {
		my %needed;
		@needed{qw(package what rooms tests command since)} = split(/\t/);
		\%needed
	} grep { !/^#/ } split(/\n/, $tables);
}

# missing($test) - what the test needs and is not installed, as a reason to skip it, or undef.  If only
# packages are missing that this release of Debian lacks, the reason contains [expected], so that
# .ci/run accepts the skip.
sub missing
{
	my ($test) = @_;
	my $os = -e '/etc/os-release' ? slurp_file('/etc/os-release') : '';
	my ($debian) = $os =~ /^ID=debian$/m ? $os =~ /^VERSION_ID="(\d+)"$/m : ();
	my (@what, @packages, @later);
	for my $needed (grep { " $_->{tests} " =~ / \Q$test\E / } needed())
	{
		next if IPC::Run::run([ 'sh', '-c', $needed->{command} ], '<', \undef, '>&', \my $output);
		my $since = $needed->{since};
		if ($since && $debian && $debian < $since)
		{
			push @later, "$needed->{what}, which Debian has from $since on";
			next;
		}
		push @what, $needed->{what};
		push @packages, $needed->{package};
	}
	return join(', ', @what) . ' is not installed (Debian: ' . join(', ', @packages) . ')' if @what;
	return @later ? '[expected] this release lacks ' . join(', ', @later) : undef;
}

# missing_sources() - the same for OBJECTID_SOURCES, which a project by itself does not have
sub missing_sources
{
	return $ENV{OBJECTID_SOURCES} ? undef : 'the sources of the extension are not here';
}

# need($test) - skip the test file if something is missing
sub need
{
	my $missing = missing(@_);
	plan skip_all => $missing if $missing;
}

# need_contrib($module) - the same for a module of PostgreSQL's contrib
sub need_contrib
{
	my ($module) = @_;
	my ($libdir) = run_command([ $ENV{PG_CONFIG} || 'pg_config', '--pkglibdir' ]);
	my @libraries = glob("$libdir/$module.*");
	plan skip_all => "$module is not installed (Debian: postgresql)" unless @libraries;
}

1;
