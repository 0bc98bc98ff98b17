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

# Each package names the repository, whose address is in META.json.
my $meta = decode_json(slurp_file('META.json'));
my $address = $meta->{resources}{repository}{web} =~ s{^https://}{}r;
my @manifests = (
	'META.json',
	map({ "clients/$_" }
		qw(node/package.json python/pyproject.toml rust/Cargo.toml java/pom.xml go/pgx/go.mod go/sql/go.mod),
		qw(php/composer.json ruby/pg-objectid.gemspec elixir/mix.exs perl/Makefile.PL)),
	'debian/control.in',
	'packaging/rpm/objectid.spec');
is(join(' ', grep { index(slurp_file($_), $address) < 0 } @manifests), '', 'each manifest has the address');

# script/version puts an address in place of the placeholder
my $copy = PostgreSQL::Test::Utils::tempdir();
my @found = grep { -e } qw(META.json README.md clients debian docs packaging);
system("tar --exclude=node_modules -cf - script Makefile.win objectid.control plain @found | tar -C $copy -xf -") == 0
  or die;
system(q(perl -pi -e 's{"web": "https://\K[^"]+(?=",)}{github.com/someone/objectid}') . " $copy/META.json") == 0 or die;
my $differences = `perl $copy/script/version --check`;
SKIP:
{
	skip('[expected] the repository has an address', 3) if $address ne 'example.org/objectid';
	is(join(' ', grep { $differences !~ m{^\Q$_\E: example\.org/objectid.* instead of github\.com/}m } @manifests),
		'', 'script/version --check reports the placeholder');
	is( scalar(
			`cd $copy && perl script/version; perl script/version --check; grep -rE 'example\.org|org\.example' @found`
		),
		'',
		'script/version replaces it');
	like(
		slurp_file("$copy/clients/java/pom.xml"),
		qr{<groupId>io\.github\.someone</groupId>},
		'... and the namespace of Maven Central');
}

# Makefile.win has the objects and tests of the Makefile, in the same order.  It starts at 16.
my ($makefile, $windows) = map { s/\\\n/ /gr } map { slurp_file($_) } 'Makefile', 'Makefile.win';
my ($objects) = $makefile =~ /^OBJS = (.*)/m;
my ($tests) = $makefile =~ /^REGRESS = (.*)/m;
is($windows =~ /^OBJS = (.*)/m ? $1 =~ s/obj\b/o/gr : '', $objects, 'Makefile.win: the objects');
is( $windows =~ /^REGRESS = (.*)/m ? $1 =~ s/\$\((\w+)\)/lc $1/ger =~ s/\s+/ /gr : '',
	$tests =~ s/\$\(call since,\d+,(\w+)\)/$1/gr =~ s/\s+/ /gr,
	'Makefile.win: the tests');
while ($makefile =~ /call since,(\d+),(?!headers)(\w+)/g)
{
	my ($since, $test) = ($1, $2);
	like(
		$windows,
		qr/^!IF \[\$\(PG_MAJOR\)\] >= $since\n(?:\w+ = .*\n)*\U$test\E = $test\n/m,
		"Makefile.win: $test, since $since") if $since > 16;
}
is( join(' ', sort(split(' ', $tests =~ s/\$\(call since,\d+,(\w+)\)/$1/gr))),
	join(' ', sort map { m{(\w+)\.sql$} } glob('sql/*.sql')),
	'Makefile: all files of sql/');

# Every place that names the supported versions of PostgreSQL: text, the oldest version, all versions
my ($oldest, $newest) = slurp_file('README.md') =~ /PostgreSQL (\d+) to (\d+)/;
my %ranges;
for my $file (glob('*.md docs/*.md import/*.md plain/*.md t/*.md clients/*/*.md'))
{
	my $text = slurp_file($file);
	$ranges{"$file: $1 to $2"} = 1 while $text =~ /\bPostgreSQL\s+(\d+)\s+to\s+(\d+)/g;
}
is( join(', ', sort keys %ranges),
	join(', ',
		map { "$_: $oldest to $newest" } qw(README.md docs/install.md docs/managed.md docs/operations.md t/README.md)),
	'pages: the range of versions');
is(found(@$_), $oldest, "$_->[0]: the oldest version")
  for (
	[ 'META.json', qr/"PostgreSQL": "(\d+)\.0\.0"/ ],
	[ 'Makefile', qr/call since,(\d+),headers/ ],
	[ 'Makefile', qr/PostgreSQL (\d+) or later/ ],
	[ 'debian/pgversions', qr/^(\d+)\+$/m ],
	[ 'docs/troubleshooting.md', qr/PostgreSQL (\d+) or later/ ],
	[ 'script/setup', qr/-lt (\d+) \]/ ],
	[ 'script/setup', qr/objectid needs (\d+) or newer/ ]);
SKIP:
{
	skip('[expected] the archive of PGXN has no .github', 1) if !-d '.github';
	is( found('.github/workflows/ci.yml', qr/^ +postgres: \[(.*)\]$/m),
		join(', ', $oldest .. $newest),
		'ci.yml: all versions');
}

my $extension = $meta->{provides}{objectid};
ok(-f $extension->{docfile}, 'META.json: the documentation exists');

done_testing();
