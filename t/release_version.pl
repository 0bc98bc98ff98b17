# objectid.control defines the version.  Files that cannot read it from there contain the
# same version, which script/version updates.
use File::Basename qw(dirname);
use File::Copy     qw(copy);
use File::Path     qw(make_path);
use JSON::PP;
use lib 't';
use TestServer;

my ($version) = slurp_file('objectid.control') =~ /^default_version = '(.+)'$/m;
ok($version, 'objectid.control has a version') or BAIL_OUT('no version');

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
is(found('packaging/rpm/objectid.spec', qr/^Version:\s*(\S+)$/m), $release, 'packaging/rpm/objectid.spec');
is(found('packaging/rpm/objectid.spec', qr/^%changelog\n\*.* - (\S+)-\d+PGDG$/m),
	$release, 'packaging/rpm/objectid.spec: changelog');

is(found('docs/operations.md', qr/UPDATE TO '(.+)-after-pg-upgrade'/),
	$version, 'docs/operations.md: the version after pg_upgrade');

# the packages of clients/, and the pages that show their files
my %packages = (
	(   map { ("clients/$_" => qr/\bversion"?(?::| =) ["'](.+)["']/i) }
		  qw(node/package.json node/package-lock.json php/composer.json ruby/pg-objectid.gemspec elixir/mix.exs)),
	'clients/perl/lib/Pg/ObjectId.pm' => qr/VERSION = '(.+)'/,
	'docs/clients-javascript.md' => qr/pg-objectid-([\d.]+)\.tgz/,
	'docs/clients-others.md' => qr/pg-objectid-([\d.]+)\.gem/);
is(found($_, $packages{$_}), $release, $_) for sort keys %packages;

is(found('Makefile.win', qr/^EXTVERSION = (\S+)$/m), $version, 'Makefile.win');
is(found('packaging/nix/objectid.nix', qr/^\s+version = "(.+)"/m), $release, 'packaging/nix/objectid.nix');
is(found('packaging/homebrew/objectid.rb', qr/objectid-([\d.]+)\.zip"/), $release, 'packaging/homebrew/objectid.rb');
ok(-f "plain/objectid--$version.tle.sql", "plain/objectid--$version.tle.sql");

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
is($meta->{version}, $release, 'META.json: version of the distribution');
is($extension->{version}, $release, 'META.json: version of the extension');
is($extension->{file}, "objectid--$version.sql", 'META.json: file of the script');
ok(-f $extension->{docfile}, 'META.json: the documentation exists');

# update a copy to the next version
my $copy = PostgreSQL::Test::Utils::tempdir();
make_path(map { "$copy/$_" } qw(script docs packaging/rpm packaging/nix packaging/homebrew),
	map { dirname($_) } keys %packages);
copy($_, "$copy/$_")
  or die "$_: $!"
  for
  qw(script/version META.json Makefile.win docs/operations.md packaging/rpm/objectid.spec packaging/nix/objectid.nix packaging/homebrew/objectid.rb),
  keys %packages;
append_to_file("$copy/objectid.control", slurp_file('objectid.control') =~ s/^default_version = '\K[^']+/27.3/mr);
system_or_bail('perl', "$copy/script/version");
$meta = decode_json(slurp_file("$copy/META.json"));
is_deeply(
	[
		$meta->{version},
		@{ $meta->{provides}{objectid} }{qw(version file)},
		$meta->{'meta-spec'}{version},
		found("$copy/packaging/rpm/objectid.spec", qr/^Version:\s*(\S+)$/m),
		found("$copy/docs/operations.md", qr/UPDATE TO '(.+)-after-pg-upgrade'/),
		found("$copy/Makefile.win", qr/^EXTVERSION = (\S+)$/m),
		found("$copy/packaging/nix/objectid.nix", qr/^\s+version = "(.+)"/m),
		found("$copy/packaging/homebrew/objectid.rb", qr/objectid-([\d.]+)\.zip"/)
	],
	[qw(27.3.0 27.3.0 objectid--27.3.sql 1.0.0 27.3.0 27.3 27.3 27.3.0 27.3.0)],
	'script/version carries a version to META.json, Makefile.win, the packages and the manual');
is(found("$copy/$_", $packages{$_}), '27.3.0', "script/version carries it to $_") for sort keys %packages;

done_testing();
