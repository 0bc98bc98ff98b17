defmodule PgObjectId.MixProject do
  use Mix.Project

  def project do
    [
      app: :pg_objectid,
      version: "1.0.0",
      elixir: "~> 1.14",
      description: "BSON.ObjectId for PostgreSQL columns of type objectid: Postgrex, Ecto",
      package: [licenses: ["PostgreSQL"], links: %{"Repository" => "https://example.org/objectid"}],
      deps: [
        {:postgrex, ">= 0.17.0"},
        {:mongodb_driver, ">= 1.0.0"},
        {:ecto_sql, ">= 3.10.0", optional: true},
        {:jason, ">= 1.0.0", optional: true},
        {:phoenix, ">= 1.6.0", optional: true},
        {:phoenix_html, ">= 3.0.0", optional: true}
      ]
    ]
  end
end
