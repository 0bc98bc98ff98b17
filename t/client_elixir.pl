# Elixir: Postgrex and Ecto, with BSON.ObjectId and the adapter in clients/elixir.  Debian packages
# neither, so ERL_LIBS must name a directory that has them, and BSON of mongodb_driver.
use strict;
use warnings FATAL => 'all';
use Test::More;
use lib 't';
use ClientTest;

my $there = 'true = Enum.all?([Postgrex, Ecto.Adapters.Postgres, BSON], &Code.ensure_loaded?/1)';
plan skip_all => '[expected] Debian has no packages of Postgrex and Ecto, and ERL_LIBS does not name them'
  unless IPC::Run::run([ 'sh', '-c', 'elixir -e "$0"', $there ], '<', \undef, '>&', \my $output);

# the package as a dependency by path; its own dependencies are those of ERL_LIBS, because there is no Hex
my $directory = install('elixir', <<'END');
sed -i '/^ *{:/d' package/mix.exs
mkdir application
cat >application/mix.exs <<'EXS'
defmodule Application.MixProject do
  use Mix.Project

  def project do
    [app: :application, version: "1.0.0", prune_code_paths: false, deps: [{:pg_objectid, path: "../package"}]]
  end
end
EXS
cd application
mix compile --warnings-as-errors
END
test_client(
	driver => 'elixir',
	run => [ 'elixir', '-pa', "$directory/application/_build/dev/lib/pg_objectid/ebin", 'roundtrip.exs' ],
	how => [qw(ecto postgrex)],
	checks => [
		'postgrex: arrays',
		'ecto: arrays', 'autogenerate',
		'a value other than a BSON.ObjectId is an error',
		'the first migration, and again'
	]);
