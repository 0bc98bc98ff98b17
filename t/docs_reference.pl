# Every function for users, whose comment does not begin with "internal:", is where users, and
# those who change it, look for it.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;

my ($version) = slurp_file('objectid.control') =~ /^default_version = '(.+)'$/m;
my @functions =
  slurp_file("objectid--$version.sql") =~ /^\s*COMMENT ON (?:FUNCTION|AGGREGATE) (\w+\(.*?\)) IS '(?!internal: )/mg;
cmp_ok(scalar(@functions), '>=', 7, 'there are functions for users');

# plain SQL uses those of text
my %of_text = map { $_ => 1 } 'min(objectid)', 'max(objectid)';

for my $function (@functions)
{
	my ($name) = $function =~ /^(\w+)/;
	my %contains = ('docs/reference.md' => "`$function", 'CHANGELOG.md' => "`$name");
	my $qualified = $function =~ s/\b(text|timestamptz)\b/pg_catalog.$1/gr;
	@contains{qw(plain/objectid.sql plain/drop.sql t/plain_sql.pl)} =
	  ("CREATE FUNCTION $qualified", $qualified, "$name(")
	  unless $of_text{$function};
	for my $file (sort keys %contains)
	{
		ok(index(slurp_file($file), $contains{$file}) >= 0, "$file has $function");
	}
}

done_testing();
