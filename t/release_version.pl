# objectid.control defines the version.  Files that cannot read it from there contain the
# same version, which script/version carries there.
use strict;
use warnings FATAL => 'all';
use JSON::PP;
use PostgreSQL::Test::Utils;
use Test::More;

my ($version) = slurp_file('objectid.control') =~ /^default_version = '(.+)'$/m;
ok($version, 'objectid.control has a version') or die('no version');

# PGXN requires versions of three numbers, and packages are built from its archive
my $release = $version =~ /^\d+\.\d+$/ ? "$version.0" : $version;

# the first match of a pattern in a file
sub found
{
	my ($file, $pattern) = @_;
	return slurp_file($file) =~ $pattern ? $1 : 'nothing';
}
is(found("objectid--$version.sql", qr{\A/\* (.+) \*/$}m),
	"objectid--$version.sql", "objectid--$version.sql: first line");
is(found('CHANGELOG.md', qr/^## (\S+)/m), $version, 'CHANGELOG.md: first entry');
is(found('debian/changelog', qr/\A\S+ \((.+)-[^-]+\)/), $release, 'debian/changelog: first entry');
is(found('packaging/rpm/objectid.spec', qr/^%changelog\n\*.* - (\S+)-\d+PGDG$/m),
	$release, 'packaging/rpm/objectid.spec: changelog');

is(scalar(`perl script/version --check`), '', 'the files that script/version changes');

# Makefile.win has the objects and tests of the Makefile, in the same order.  It starts at 16.
my ($makefile, $windows) = map { s/\\\n/ /gr } map { slurp_file($_) } 'Makefile', 'Makefile.win';
my ($objects) = $makefile =~ /^OBJS = (.*)/m;
my ($tests) = $makefile =~ /^REGRESS = (.*)/m;
is($windows =~ /^OBJS = (.*)/m ? $1 =~ s/obj\b/o/gr : '', $objects, 'Makefile.win: the objects');
is( $windows =~ /^REGRESS = (.*)/m ? $1 =~ s/\$\((\w+)\)/lc $1/ger =~ s/\s+/ /gr : '',
	$tests =~ s/\$\(call since,\d+,(\w+)\)/$1/gr =~ s/\s+/ /gr,
	'Makefile.win: the tests');
while ($makefile =~ /call since,(1[6-9]),(\w+)/g)
{
	my ($since, $test) = ($1, $2);
	my $digits = join('', $since - 10 .. 9);
	next if $since == 16;
	like($windows, qr/NUM 1\[$digits\]".*\n(?:\w+ = .*\n)*\U$test\E = $test\n/, "Makefile.win: $test, since $since");
}

my $meta = decode_json(slurp_file('META.json'));
my $extension = $meta->{provides}{objectid};
ok(-f $extension->{docfile}, 'META.json: the documentation exists');

done_testing();
