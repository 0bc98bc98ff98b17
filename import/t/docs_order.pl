# Pages can be followed one after the other: each prints what it shows, in the database that
# docs/README.md says, and changes nothing else.  In the order of docs/README.md and import/README.md and in random
# orders, as a role with the rights that it says, where somebody has typed README.md's example.
use strict;
use warnings FATAL => 'all';
use List::Util qw(shuffle uniq);
use lib        qw(testlib import/t);
use ImportTest;

need('docs_order');
my $programs = PostgreSQL::Test::Utils::tempdir();
make_program($programs);
$ENV{PATH} = "$programs:$ENV{PATH}";

my $rule = slurp_file('docs/README.md');
my ($begin, $end) =
  $rule =~ /^(createdb (\w+)) .*\n.*\n(dropdb \2)$/m ? ($1, $3) : die('docs/README.md: no createdb and dropdb');
my ($rights) = $rule =~ /A role with (`\w+` and `\w+`) is enough/ or die('docs/README.md: no rights');
my @pages = map { "docs/$_" } $rule =~ /\]\((\w[\w-]*\.md)\)/g;
push @pages, 'import/README.md', map { "import/$_" } slurp_file('import/README.md') =~ m{\]\((docs/[\w-]+\.md)\)}g;
@pages = uniq(grep { slurp_file($_) =~ /^```(?:sql|console)$/m } @pages);
is( join(' ', sort @pages),
	join(' ',
		sort(grep { slurp_file($_) =~ /^```(?:sql|console)$/m } glob('docs/*.md import/README.md import/docs/*.md'))),
	'docs/README.md and import/README.md link each page with statements');

# pages that need more, and say so
my %more =
  ('docs/other-software.md' => 'superuser', 'docs/managed.md' => 'superuser', 'import/README.md' => 'CREATEROLE');

my $node = start_node('docs');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$node->safe_psql('postgres', 'CREATE ROLE reader ' . $rights =~ s/`| and//gr);
$node->safe_psql('postgres', 'CREATE DATABASE mydb OWNER reader');
{
	local @ENV{qw(PGUSER PGDATABASE)} = qw(reader mydb);
	page_is('README.md', 'README.md');
}

# what a page must not change
sub outside
{
	my ($reader) = run_command([qw(pg_dump mydb)]);
	my ($roles) = run_command([qw(pg_dumpall --globals-only --username=postgres)]);
	my $databases = $node->safe_psql('postgres', 'SELECT datname FROM pg_database ORDER BY datname');
	return join("\n", $reader, $roles, $databases) =~ s/^\\(?:un)?restrict .*\n//mgr;
}

# run_is($command) - a command of a page, which prints nothing
sub run_is
{
	my ($command) = @_;
	my ($printed, $error) = run_command([ split(/ /, $command) ]);
	is($printed . $error, '', $command);
}

my $before = outside();
like($before, qr/507f1f77bcf86cd799439011\tfrom MongoDB/, "README's rows");

set_seed();
for my $order (\@pages, map { [ shuffle(@pages) ] } 1 .. ($long ? 10 : 1))
{
	for my $page (@$order)
	{
	  SKIP:
		{
			my $needed = page_needs($node, $page);
			skip $needed, 3 if $needed;
			my $text = slurp_file($page);
			my $more = $more{$page};
			like($text, qr/README\.md#examples\).*?^```(?:sql|console)$/ms, "$page: says where its examples run");
			if ($more)
			{
				like($text, qr/\b$more\b/, "$page: says that it needs $more");
				$node->safe_psql('postgres', "ALTER ROLE reader $more");
			}
			{
				local $ENV{PGUSER} = 'reader';
				run_is($begin);
				{
					local ($ENV{PGDATABASE}) = $begin =~ /(\w+)$/;
					page_is($page, $page);
				}
				run_is($_) for $end, $text =~ /`(dropuser \w+)`/g;
			}
			$node->safe_psql('postgres', "ALTER ROLE reader no$more") if $more;
		}
	}
	is(outside(), $before, 'nothing else has changed: ' . join(' ', @$order));
}
done_testing();
