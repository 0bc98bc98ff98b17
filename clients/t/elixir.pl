# Elixir: the package, with BSON.ObjectId of mongodb_driver.
use ClientTest;

my ($there) = shell('.', <<'END');
elixir -e 'true = Enum.all?([Postgrex, Ecto.Adapters.Postgres, BSON, Jason, Phoenix.Param, Phoenix.HTML.Safe], &Code.ensure_loaded?/1)'
END
test_clients(
	missing => $there
	? undef
	: '[expected] Debian lacks Postgrex, Ecto, Jason, Phoenix, and ERL_LIBS does not name them',
	# the package as a dependency by path; its own dependencies are those of ERL_LIBS, because there is no Hex
	install => <<'END',
sed -i '/^ *{:/d' package/mix.exs
mkdir application
echo >application/mix.exs 'defmodule Application.MixProject do
  use Mix.Project
  def project, do: [app: :application, version: "1.0.0", prune_code_paths: false, deps: [{:pg_objectid, path: "../package"}]]
end'
END
	run => <<'END');
(cd $DIRECTORY/application && mix compile --warnings-as-errors >&2)
elixir -pa $DIRECTORY/application/_build/dev/lib/pg_objectid/ebin $PROGRAM
END

__END__
# driver	program	ways	needs
elixir	test/roundtrip.exs	ecto, postgrex	elixir
# check	needs	command	allowed
mix format	elixir	cd $CLIENT; mix format --check-formatted
