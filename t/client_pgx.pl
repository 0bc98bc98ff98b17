# Go pgx v5, and bson.ObjectID: clients/go/pgx.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

my @modes = qw(cache_statement describe_exec exec simple_protocol);

# strings and []byte work without set-up and after Register
my @before =
  map { ("no set-up: $_", "registered: $_") } 'string and []byte in', 'string and []byte out', '[]string in and out';
test_client(
	driver => 'pgx',
	adapter => 'go/pgx/',
	golang('pgx'),
	how => [ @modes, 'copy', 'copy of strings' ],
	checks => [
		map({
				my $mode = $_;
				map { "$mode: $_" } 'arrays', 'any', 'sql.Null', 'a derived type', @before
		} @modes),
		'no set-up: CopyFrom of strings is an error',
		map({ "$_: nested arrays are an error" } qw(exec simple_protocol)),
		map({ "created later: $_" } 'arrays', 'sql.Null', 'a derived type'),
		'a pool, a schema off the search path, and JSON',
		'the first migration, and again'
	]);
