# See t/ClientTest.pm.
{:ok, _} = Application.ensure_all_started([:postgrex, :ecto_sql])

Postgrex.Types.define(PostgrexTypes, [ObjectId.Extension], [])
Postgrex.Types.define(EctoTypes, [ObjectId.Extension] ++ Ecto.Adapters.Postgres.extensions(), [])

defmodule Repo do
  use Ecto.Repo, otp_app: :objectid, adapter: Ecto.Adapters.Postgres
end

defmodule Event do
  use Ecto.Schema

  @primary_key {:id, ObjectId, read_after_writes: true}
  schema "event" do
    field(:what, :string)
  end
end

defmodule Made do
  use Ecto.Schema

  @primary_key false
  schema "made" do
    field(:how, :string, primary_key: true)
    field(:id, ObjectId, primary_key: true)
    field(:hex, :string)
  end
end

defmodule EctoList do
  use Ecto.Schema

  @primary_key {:n, :integer, autogenerate: false}
  schema "list" do
    field(:ids, {:array, ObjectId})
  end
end

defmodule Dated do
  use Ecto.Schema

  @primary_key {:id, ObjectId, read_after_writes: true}
  schema "dated" do
    field(:n, :integer)
  end
end

defmodule Document do
  use Ecto.Schema

  @primary_key {:id, ObjectId, read_after_writes: true}
  schema "document" do
    field(:bson, :binary)
  end
end

defmodule Empty do
  use Ecto.Repo, otp_app: :objectid, adapter: Ecto.Adapters.Postgres
end

defmodule CreateEvent do
  use Ecto.Migration

  def up do
    execute("CREATE EXTENSION IF NOT EXISTS objectid")

    create table(:event, primary_key: false) do
      add(:id, :objectid, primary_key: true, default: fragment("gen_objectid()"))
      add(:what, :string)
    end
  end

  def down do
    drop(table(:event))
    execute("DROP EXTENSION objectid")
  end
end

defmodule RoundTrip do
  import Ecto.Query

  def check(condition, what), do: IO.puts("#{if condition, do: "ok", else: "not ok"} - #{what}")

  # 1,000 ids: a time, and a part that differs
  def new_ids do
    now = System.os_time(:second)
    random = :crypto.strong_rand_bytes(5)
    for n <- 1..1000, do: %BSON.ObjectId{value: <<now::32, random::binary, n::24>>}
  end

  def hex(%BSON.ObjectId{value: value}), do: Base.encode16(value, case: :lower)
  def seconds(%BSON.ObjectId{value: <<seconds::32, _::binary>>}), do: seconds

  # BSON.encode returns iodata in some versions
  def encode(document), do: document |> BSON.encode() |> IO.iodata_to_binary()

  def example do
    # the example in docs/clients-others.md
    %Event{id: id} = Repo.insert!(%Event{what: "log in"})
    %Event{what: "log in"} = Repo.get!(Event, id)

    since = DateTime.add(DateTime.utc_now(), -3600)
    [_] = Repo.all(from(e in Event, where: fragment("? > ?::timestamptz", e.id, ^since)))
  end

  def postgrex(pid) do
    read = fn sql, args -> for [value] <- Postgrex.query!(pid, sql, args).rows, do: value end
    ids = new_ids()
    for id <- ids, do: Postgrex.query!(pid, "INSERT INTO made VALUES ('postgrex', $1, $2)", [id, hex(id)])
    found = read.("SELECT id FROM made WHERE how = 'postgrex' ORDER BY id", [])
    check(found == ids, "postgrex: 1,000 ids come back equal")

    generated = Postgrex.query!(pid, "SELECT id, seconds FROM generated", []).rows
    right = Enum.all?(generated, fn [id, seconds] -> seconds(id) == seconds end)
    check(right and length(generated) == 1004, "postgrex: generated ids have the time of objectid_time()")

    check(read.("SELECT $1::objectid", [nil]) == [nil], "postgrex: NULL")

    insert = "INSERT INTO list SELECT -1 - count(*), $1::objectid[] FROM list RETURNING ids"
    lists = [Enum.take(ids, 3), [hd(ids), nil], [], nil]
    check(Enum.all?(lists, &(read.(insert, [&1]) == [&1])), "postgrex: arrays")

    middle = Enum.at(ids, 500)

    check(
      read.("SELECT id FROM made WHERE id = $1", [middle]) == [middle] and
        read.("SELECT count(*) FROM made WHERE how = 'postgrex' AND id < $1", [middle]) == [500] and
        read.("SELECT count(*) FROM made WHERE id = ANY($1)", [Enum.take(ids, 10)]) == [10],
      "postgrex: WHERE with an ObjectId"
    )

    since = ~U[2025-02-20 05:00:00Z]
    hours = Enum.to_list(9990..9999)

    check(
      read.("SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", [since]) == hours and
        read.("SELECT n FROM dated WHERE $1::timestamptz < id ORDER BY n", [since]) == hours,
      "postgrex: id > a date"
    )

    [[id, stored]] = Postgrex.query!(pid, "SELECT id, bson FROM document", []).rows
    %{"_id" => decoded} = BSON.decode(stored)

    check(
      encode(%{"_id" => id}) == stored and decoded == id and
        read.("SELECT count(*) FROM document WHERE id = $1", [decoded]) == [1],
      "postgrex: BSON"
    )

    right =
      for wrong <- ["507f1f77bcf86cd799439011", %BSON.ObjectId{value: "short"}] do
        try do
          Postgrex.query!(pid, "SELECT $1::objectid", [wrong])
          false
        rescue
          DBConnection.EncodeError -> true
        end
      end

    check(right == [true, true], "a value other than a BSON.ObjectId is an error")

    {:error, error} = Postgrex.query(pid, "SELECT '507f1f77bcf86cd79943901'::objectid", [])
    check(error.postgres.pg_code == "22P02", "an invalid id is SQLSTATE 22P02")
  end

  def ecto do
    ids = new_ids()
    Repo.insert_all(Made, for(id <- ids, do: %{how: "ecto", id: id, hex: hex(id)}))
    made = from(m in Made, where: m.how == "ecto")
    check(Repo.all(from(m in made, order_by: m.id, select: m.id)) == ids, "ecto: 1,000 ids come back equal")

    generated = Repo.all(from(g in "generated", select: {type(g.id, ObjectId), g.seconds}))
    right = Enum.all?(generated, fn {id, seconds} -> seconds(id) == seconds end)
    check(right and length(generated) == 1004, "ecto: generated ids have the time of objectid_time()")

    lists = Enum.with_index([Enum.take(ids, 3), [hd(ids), nil], [], nil])
    for {ids, n} <- lists, do: Repo.insert!(%EctoList{n: n, ids: ids})
    check(Enum.all?(lists, fn {ids, n} -> Repo.get!(EctoList, n).ids == ids end), "ecto: arrays")
    check(Repo.one(from(l in EctoList, where: l.n == 3, select: l.ids)) == nil, "ecto: NULL")

    middle = Enum.at(ids, 500)
    ten = Enum.take(ids, 10)

    check(
      Repo.all(from(m in Made, where: m.id == ^middle, select: m.id)) == [middle] and
        Repo.all(from(m in Made, where: m.id == ^hex(middle), select: m.id)) == [middle] and
        Repo.aggregate(from(m in made, where: m.id < ^middle), :count) == 500 and
        Repo.aggregate(from(m in Made, where: m.id in ^ten), :count) == 10,
      "ecto: WHERE with an ObjectId"
    )

    since = ~U[2025-02-20 05:00:00Z]
    after_it = from(d in Dated, where: fragment("? > ?::timestamptz", d.id, ^since))
    swapped = from(d in Dated, where: fragment("?::timestamptz < ?", ^since, d.id))
    hours = Enum.to_list(9990..9999)

    check(
      Enum.all?([after_it, swapped], &(Repo.all(from(d in &1, order_by: d.n, select: d.n)) == hours)),
      "ecto: id > a date"
    )

    %Document{id: id, bson: stored} = Repo.one!(Document)
    %{"_id" => decoded} = BSON.decode(stored)
    same = Repo.get!(Document, decoded)
    check(encode(%{"_id" => id}) == stored and decoded == id and same.id == id, "ecto: BSON")
  end

  # Ecto caches statements with the OID of the type, so the Repo starts again
  def empty_database(options) do
    right =
      for round <- 1..2 do
        {:ok, _} = Empty.start_link(options)
        :ok = Ecto.Migrator.up(Empty, round, CreateEvent, log: false)
        %Event{id: id} = Empty.insert!(%Event{what: "log in"})
        found = Empty.get!(Event, id)
        :ok = Ecto.Migrator.down(Empty, round, CreateEvent, log: false)
        Supervisor.stop(Empty)
        match?(%BSON.ObjectId{}, id) and found.id == id
      end

    check(right == [true, true], "an empty database: migrate, use, revert, migrate again")
  end
end

env = &System.fetch_env!/1
server = [port: String.to_integer(env.("PGPORT")), username: env.("PGUSER"), database: env.("PGDATABASE")]
server = [socket_dir: env.("PGHOST")] ++ server

{:ok, pid} = Postgrex.start_link([types: PostgrexTypes] ++ server)
{:ok, _} = Repo.start_link([types: EctoTypes, log: false] ++ server)
RoundTrip.example()
RoundTrip.postgrex(pid)
RoundTrip.ecto()
RoundTrip.empty_database([types: EctoTypes, log: false] ++ Keyword.put(server, :database, "empty"))
