# The options of objectid-import are the same in --help, in its page and in its man page.
use strict;
use warnings FATAL => 'all';
use lib qw(testlib import/t);
use ImportTest;

need('import');
$work = PostgreSQL::Test::Utils::tempdir();
make_program($work);

# The long options that a text names, sorted, without repetition
sub options
{
	my %options = map { $_ => 1 } $_[0] =~ /--([a-z][a-z-]*)/g;
	return join(' ', sort keys %options);
}

my ($help) = run_command([ "$work/objectid-import", '--help' ]);
like($help, qr/--dbname/, '--help names options');

my $man = slurp_file('import/objectid-import.1') =~ s/\\-/-/gr;
my ($described) = $man =~ /^\.SH OPTIONS\n(.*?)^\.SH/ms;
is(options($described), options($help), 'the man page: those of --help');

# the options of all client programs are in one line of the table, as letters
my ($table) = slurp_file('import/README.md') =~ /^## Options\n(.*?)\n\n[^|\n]/ms;
my $common = qr/--(?:quiet|verbose|version|help|host|port|username|no-password|password|dbname)\b/;
is(options($table), options($help =~ s/$common//gr), 'README.md: those of --help');
like($table, qr/`-q`, `-v`, `-V`, `-\?`.*`-h`, `-p`, `-U`, `-w`, `-W`, `-d`/s, 'and those of all client programs');

done_testing();
