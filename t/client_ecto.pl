# Elixir: Postgrex and Ecto, and BSON.ObjectId, by clients/ecto.  Debian has neither; the
# directory that has them, and BSON of mongodb_driver, is to be named by ERL_LIBS.
use lib 't';
use ClientTest;

my $there = 'true = Enum.all?([Postgrex, Ecto.Adapters.Postgres, BSON], &Code.ensure_loaded?/1)';
plan skip_all => 'Debian has no Postgrex, nor Ecto, and ERL_LIBS does not name them'
  unless IPC::Run::run([ 'sh', '-c', 'elixir -e "$0"', $there ], '<', \undef, '>&', \my $output);

test_client(
	driver => 'ecto',
	run => [qw(elixir roundtrip.exs)],
	how => [qw(ecto postgrex)],
	checks => [
		standard('postgrex'),
		'postgrex: arrays',
		standard('ecto'),
		'ecto: arrays',
		'what is no BSON.ObjectId is an error',
		'an invalid id is SQLSTATE 22P02'
	]);
