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

    check(read.("SELECT $1::objectid", [nil]) == [nil], "postgrex: NULL")

    insert = "INSERT INTO list SELECT -1 - count(*), $1::objectid[] FROM list RETURNING ids"
    lists = [Enum.take(ids, 3), [hd(ids), nil], [], nil]
    check(Enum.all?(lists, &(read.(insert, [&1]) == [&1])), "postgrex: arrays")

    middle = Enum.at(ids, 500)

    check(
      read.("SELECT id FROM made WHERE id = $1", [middle]) == [middle] and
        read.("SELECT count(*) FROM made WHERE id = ANY($1)", [Enum.take(ids, 10)]) == [10],
      "postgrex: WHERE with an ObjectId"
    )

    since = ~U[2025-02-20 05:00:00Z]
    hours = Enum.to_list(9990..9999)

    check(read.("SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", [since]) == hours, "postgrex: id > a date")

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
  end

  def ecto do
    ids = new_ids()
    Repo.insert_all(Made, for(id <- ids, do: %{how: "ecto", id: id, hex: hex(id)}))
    made = from(m in Made, where: m.how == "ecto", order_by: m.id, select: m.id)
    check(Repo.all(made) == ids, "ecto: 1,000 ids come back equal")

    lists = Enum.with_index([Enum.take(ids, 3), [hd(ids), nil], [], nil])
    for {ids, n} <- lists, do: Repo.insert!(%EctoList{n: n, ids: ids})
    check(Enum.all?(lists, fn {ids, n} -> Repo.get!(EctoList, n).ids == ids end), "ecto: arrays")
    check(Repo.one(from(l in EctoList, where: l.n == 3, select: l.ids)) == nil, "ecto: NULL")

    middle = Enum.at(ids, 500)
    ten = Enum.take(ids, 10)

    check(
      Repo.all(from(m in Made, where: m.id == ^middle, select: m.id)) == [middle] and
        Repo.all(from(m in Made, where: m.id == ^hex(middle), select: m.id)) == [middle] and
        Repo.aggregate(from(m in Made, where: m.id in ^ten), :count) == 10,
      "ecto: WHERE with an ObjectId"
    )

    since = ~U[2025-02-20 05:00:00Z]
    late = from(d in Dated, where: fragment("? > ?::timestamptz", d.id, ^since), order_by: d.n, select: d.n)
    check(Repo.all(late) == Enum.to_list(9990..9999), "ecto: id > a date")
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

    check(right == [true, true], "the first migration, and again")
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
