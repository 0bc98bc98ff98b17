# The gem of clients/ruby: RubyGems builds it without a warning.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use ClientTest;
use TestServer;

need('ruby_package');
my $directory = install('ruby', '');
passes(
	'gem build --strict',
	"$directory/package",
	'gem build --strict --output=../pg-objectid.gem pg-objectid.gemspec',
	qr/^  (?:Successfully built RubyGem|(?:Name|Version|File): .*)$/);
my ($files) = run_command([ 'sh', '-c', "tar -xOf $directory/pg-objectid.gem data.tar.gz | tar -tz | sort" ]);
is($files,
	join("\n", qw(LICENSE README.md lib/pg-objectid.rb lib/pg_objectid/activerecord.rb lib/pg_objectid/ruby_pg.rb)),
	'its files');
done_testing();
