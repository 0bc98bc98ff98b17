# Run the SQL and the commands of a Markdown page.
#
# One psql session, of PGHOST etc., runs all ```sql blocks of the page.  A ```text block directly after
# one shows what psql prints.  A ```sql block without it must print nothing.  A shell runs each
# "$ command" of a ```console block, whose output follows the command.
#
# A block with the name of a file, such as ```json movies.json, becomes a file of that name in
# the working directory.
package Page;
use strict;
use warnings FATAL => 'all';
use Cwd            qw(abs_path);
use Exporter       qw(import);
use File::Basename qw(basename dirname);
use File::Path     qw(make_path);
use File::Temp     qw(tempdir);
use IPC::Run       qw(run);
use List::Util     qw(max);

our @EXPORT = qw(page_with_results);

my $block = qr/^```(?:sql\n(?<sql>.*?)^```\n(?<shown>\n```text\n.*?^```\n)?|console\n(?<console>.*?)^```\n)/ms;
my $mark = '--8<--';

my @results;

# what was printed for the next block or command
sub result
{
	return shift(@results) =~ s/[ \t]+$//mgr =~ s/\s+\z//r;
}

# a block of commands, each with what it prints
sub console
{
	return "```console\n"
	  . join("\n",
		map { my $printed = result(); "\$ $_\n" . ($printed eq '' ? '' : "$printed\n") } $_[0] =~ /^\$ (.*)$/mg)
	  . "```\n";
}

# page_with_results($file, $from) - the page, with what is printed now.  Its folder has links to the files of $from, as
# docs/README.md says.
sub page_with_results
{
	my ($file, $from) = @_;
	open(my $in, '<', $file) or die "$file: $!\n";
	my $page = do { local $/; <$in> };

	# all blocks in one session, so that they build on each other
	my $script = '';
	while ($page =~ /$block/g)
	{
		my ($sql, $console) = ($+{sql}, $+{console});
		$script .= "$sql\n\\echo $mark\n" if defined $sql;
		$script .= "\\! ( $_ ) 2>&1 </dev/null\n\\echo $mark\n" for ($console // '') =~ /^\$ (.*)$/mg;
	}
	my $directory = tempdir(CLEANUP => 1);
	for my $path (map { abs_path($_) } glob("$from/*"))
	{
		symlink($path, "$directory/" . basename($path)) or die "$path: $!\n";
	}
	while ($page =~ m{^```\w+ ([\w./]+)\n(.*?)^```\n}msg)
	{
		my ($name, $content) = ("$directory/$1", $2);
		make_path(dirname($name));
		open(my $out, '>:raw', $name) or die "$name: $!\n";
		print $out $content;
		close($out);
	}
	# README.md does not set these
	local @ENV{qw(PGTZ PGDATESTYLE)} = qw(UTC ISO);
	my $output = '';
	run([ 'psql', '-X', '-q', '-P', 'pager=off', '-P', 'footer=off' ],
		'<', \$script, '>&', \$output, init => sub { chdir $directory })
	  or die "$file: psql failed:\n$output\n";
	# Print what is the same on all versions: without the line "Window:" of plans from 18 on.  The head
	# of a plan is as wide as its widest line.
	$output =~ s{^ +QUERY PLAN *\n-+\n((?: .*\n)+)}{
		my $rows = $1 =~ s/^ +Window: .*\n//mgr;
		my $width = max(map { length } split(/\n/, $rows)) - 1;
		' ' x (1 + int(($width - length('QUERY PLAN')) / 2)) . "QUERY PLAN\n" . '-' x ($width + 2) . "\n$rows";
	}gem;
	# replace the time and the duration of an import
	$output =~ s/^(\S+(?: +\d+){2,} +)\d+\.\d$/${1}0.1/mg;
	$output =~ s/(already loaded on )[-0-9]+ [:0-9]+\S*/${1}2026-11-21 09:30:00+00/g;
	@results = split(/^\Q$mark\E\n/m, $output, -1);

	$page =~ s{$block}{
		my ($sql, $shown, $console) = @+{qw(sql shown console)};
		defined $console ? console($console) : do
		{
			my $result = result();
			die "$file: this block prints an error, or something that is not shown:\n$sql\n$result\n"
			  if !defined $shown && $result ne '';
			"```sql\n$sql```\n" . (defined $shown ? "\n```text\n$result\n```\n" : '');
		};
	}gex;
	return $page;
}

1;
