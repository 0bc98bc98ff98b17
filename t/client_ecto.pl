# Elixir: Postgrex and Ecto, with BSON.ObjectId and the adapter in clients/ecto.  Debian packages
# neither, so ERL_LIBS must name a directory that has them, and BSON of mongodb_driver.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

my $there = 'true = Enum.all?([Postgrex, Ecto.Adapters.Postgres, BSON], &Code.ensure_loaded?/1)';
plan skip_all => '[expected] Debian has no packages of Postgrex and Ecto, and ERL_LIBS does not name them'
  unless IPC::Run::run([ 'sh', '-c', 'elixir -e "$0"', $there ], '<', \undef, '>&', \my $output);

test_client(
	driver => 'ecto',
	run => [qw(elixir roundtrip.exs)],
	how => [qw(ecto postgrex)],
	checks => [
		standard('postgrex'), 'postgrex: arrays',
		standard('ecto'), 'ecto: arrays',
		'a value other than a BSON.ObjectId is an error',
		'an invalid id is SQLSTATE 22P02'
	]);
