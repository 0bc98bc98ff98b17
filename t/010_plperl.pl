# PL/Perl takes ids as arguments and gives them back, by their text form.
use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('plperl');
$node->init;
$node->start;
plan skip_all => 'PL/Perl is not installed (Debian: postgresql-plperl-NN)'
  unless $node->safe_psql('postgres', q{SELECT count(*) FROM pg_available_extensions WHERE name = 'plperl'});

$node->safe_psql(
	'postgres', q{
CREATE EXTENSION objectid;
CREATE EXTENSION plperl;
CREATE FUNCTION seconds(objectid) RETURNS bigint LANGUAGE plperl AS 'return hex(substr($_[0], 0, 8))';
CREATE FUNCTION forms(objectid) RETURNS SETOF objectid LANGUAGE plperl AS
  $$return [uc($_[0]), qq(ObjectId("$_[0]")), qq({"\$oid": "$_[0]"}), undef]$$;
CREATE FUNCTION reversed(objectid[]) RETURNS objectid[] LANGUAGE plperl AS 'return [reverse @{$_[0]}]';
CREATE FUNCTION wrong() RETURNS objectid LANGUAGE plperl AS 'return "no id"';
});
is( $node->safe_psql('postgres', q{SELECT seconds('507f1f77bcf86cd799439011'), seconds(gen_objectid()) - floor(extract(epoch FROM now())) <= 1}),
	'1350508407|t',
	'an argument');
is($node->safe_psql('postgres', q{SELECT count(*), count(id), count(DISTINCT id) FROM forms('507f1f77bcf86cd799439011') AS id}),
	'4|3|1', 'results, in any form, and NULL');
is( $node->safe_psql('postgres', q{SELECT reversed('{507f1f77bcf86cd799439011,507f1f77bcf86cd799439012}')}),
	'{507f1f77bcf86cd799439012,507f1f77bcf86cd799439011}',
	'arrays');
my ($status, $out, $err) = $node->psql('postgres', 'SELECT wrong()');
like($err, qr/invalid input syntax for type objectid: "no id"/, 'what is no id is refused');
$node->stop;

done_testing();
