# objectid.control defines the version.  Files that cannot read it from there contain the
# same version, which script/version updates.
use File::Copy qw(copy);
use File::Path qw(make_path);
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

my $meta = decode_json(slurp_file('META.json'));
my $extension = $meta->{provides}{objectid};
is($meta->{version}, $release, 'META.json: version of the distribution');
is($extension->{version}, $release, 'META.json: version of the extension');
is($extension->{file}, "objectid--$version.sql", 'META.json: file of the script');
ok(-f $extension->{docfile}, 'META.json: the documentation exists');

# update a copy to the next version
my $copy = PostgreSQL::Test::Utils::tempdir();
make_path("$copy/script", "$copy/docs", "$copy/packaging/rpm");
copy($_, "$copy/$_") or die "$_: $!" for qw(script/version META.json docs/operations.md packaging/rpm/objectid.spec);
append_to_file("$copy/objectid.control", slurp_file('objectid.control') =~ s/^default_version = '\K[^']+/27.3/mr);
system_or_bail('perl', "$copy/script/version");
$meta = decode_json(slurp_file("$copy/META.json"));
is_deeply(
	[
		$meta->{version},
		@{ $meta->{provides}{objectid} }{qw(version file)},
		$meta->{'meta-spec'}{version},
		found("$copy/packaging/rpm/objectid.spec", qr/^Version:\s*(\S+)$/m),
		found("$copy/docs/operations.md", qr/UPDATE TO '(.+)-after-pg-upgrade'/)
	],
	[qw(27.3.0 27.3.0 objectid--27.3.sql 1.0.0 27.3.0 27.3)],
	'script/version updates META.json, the RPM spec and the manual');

done_testing();
