# See clients/t/ClientTest.pm.
{:ok, _} = Application.ensure_all_started([:postgrex, :ecto_sql, :mongodb_driver])

Postgrex.Types.define(PostgrexTypes, [ObjectId.Extension], [])
Postgrex.Types.define(MyApp.PostgrexTypes, [ObjectId.Extension] ++ Ecto.Adapters.Postgres.extensions(), [])

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

defmodule Generated do
  use Ecto.Schema

  @primary_key {:id, ObjectId, autogenerate: true}
  schema("event", do: nil)
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

defmodule Note do
  use Ecto.Schema

  embedded_schema do
    field(:about, ObjectId)
  end
end

defmodule Remark do
  use Ecto.Schema

  @primary_key {:id, ObjectId, autogenerate: true}
  @foreign_key_type ObjectId
  schema "remark" do
    belongs_to(:event, Event)
    embeds_one(:note, Note)
  end
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

  # 1,000 ids, and the vectors, sorted
  def new_ids do
    new = for _ <- 1..1000, do: Mongo.object_id()
    Enum.sort_by(new ++ for({id, _} <- vectors(), do: id), & &1.value)
  end

  # the ids of VECTORS, with their seconds
  def vectors do
    for line <- String.split(System.fetch_env!("VECTORS"), "\n", trim: true) do
      [digits, seconds] = String.split(line)
      {BSON.ObjectId.decode!(digits), String.to_integer(seconds)}
    end
  end

  # find returns the ids that are equal to one; BSON.ObjectId.get_timestamp!/1 is new in mongodb_driver 1.5
  def check_vectors(how, find) do
    right =
      for {%BSON.ObjectId{value: bytes} = id, seconds} <- vectors() do
        <<time::32, _::binary>> = bytes
        find.(id) == [id] and Base.decode16!(hex(id), case: :lower) == bytes and time == seconds
      end

    check(Enum.all?(right), "#{how}: vectors")
  end

  def hex(id), do: BSON.ObjectId.encode!(id)

  def example do
    # the example in README.md
    %Event{id: id} = Repo.insert!(%Event{what: "log in"})
    %Event{what: "log in"} = Repo.get!(Event, id)

    since = DateTime.add(DateTime.utc_now(), -3600)
    [_] = Repo.all(from(e in Event, where: fragment("? > ?::timestamptz", e.id, ^since)))
  end

  def paths(id) do
    {:ok, form} = Ecto.Type.cast(ObjectId, String.upcase(hex(id)))
    check(form == id and ObjectId.equal?(form, id) and Ecto.Type.cast(ObjectId, "zzz") == :error, "digits of a form")

    check(
      Phoenix.Param.to_param(%Event{id: id}) == hex(id) and Phoenix.HTML.Safe.to_iodata(id) == hex(id) and
        "/event/#{id}" == "/event/" <> hex(id),
      "digits in URLs and HTML"
    )

    encode = [&Jason.encode!/1] ++ if(Code.ensure_loaded?(JSON), do: [&apply(JSON, :encode!, [&1])], else: [])
    check(Enum.all?(encode, &(&1.(%{ids: [id, nil]}) == ~s({"ids":["#{hex(id)}",null]}))), "digits in JSON")

    Repo.query!("CREATE TABLE remark (id objectid PRIMARY KEY, event_id objectid REFERENCES event, note jsonb)")
    event = Repo.get!(Event, id)
    Repo.insert!(%Remark{event: event, note: %Note{about: id}})
    remark = Repo.one!(from(Remark, preload: :event))
    check(remark.event == event and remark.note.about == id, "an association and an embed")
    Repo.query!("DROP TABLE remark")
  end

  def postgrex(pid) do
    read = fn sql, args -> for [value] <- Postgrex.query!(pid, sql, args).rows, do: value end
    ids = new_ids()
    for id <- ids, do: Postgrex.query!(pid, "INSERT INTO made VALUES ('postgrex', $1, $2)", [id, hex(id)])
    found = read.("SELECT id FROM made WHERE how = 'postgrex' ORDER BY id", [])
    check(found == ids, "postgrex: 1,000 ids come back equal")

    check(read.("SELECT $1::objectid", [nil]) == [nil], "postgrex: NULL")

    for list <- [Enum.take(ids, 3), [hd(ids), nil], [], nil] do
      check(read.("SELECT $1::objectid[]", [list]) == [list], "postgrex: arrays")
    end

    middle = Enum.at(ids, 500)

    check(
      read.("SELECT id FROM made WHERE id = $1", [middle]) == [middle] and
        read.("SELECT count(*) FROM made WHERE id = ANY($1)", [Enum.slice(ids, 500, 10)]) == [10],
      "postgrex: WHERE with an ObjectId"
    )

    since = ~U[2025-02-20 05:00:00Z]
    check(read.("SELECT count(*) FROM dated WHERE id > $1::timestamptz", [since]) == [10], "postgrex: id > a date")

    check_vectors("postgrex", &read.("SELECT id FROM made WHERE how = 'postgrex' AND id = $1", [&1]))

    for wrong <- ["507f1f77bcf86cd799439011", %BSON.ObjectId{value: "short"}] do
      error =
        try do
          read.("SELECT $1::objectid", [wrong])
        rescue
          error -> error
        end

      check(is_struct(error, DBConnection.EncodeError), "a value other than a BSON.ObjectId is an error")
    end
  end

  def ecto do
    short = %BSON.ObjectId{value: "short"}
    refused = Enum.map([:cast, :load, :dump], &apply(ObjectId, &1, [short]))
    check(refused == [:error, :error, :error], "ecto: an ObjectId has 12 bytes")

    ids = new_ids()
    Repo.insert_all(Made, for(id <- ids, do: %{how: "ecto", id: id, hex: hex(id)}))
    made = from(m in Made, where: m.how == "ecto", order_by: m.id, select: m.id)
    check(Repo.all(made) == ids, "ecto: 1,000 ids come back equal")

    for {ids, n} <- Enum.with_index([Enum.take(ids, 3), [hd(ids), nil], [], nil]) do
      Repo.insert!(%EctoList{n: n, ids: ids})
      check(Repo.get!(EctoList, n).ids == ids, "ecto: arrays")
    end

    check(Repo.one(from(Event, select: type(^nil, ObjectId))) == nil, "ecto: NULL")

    middle = Enum.at(ids, 500)
    ten = Enum.slice(ids, 500, 10)

    check(
      Repo.all(from(m in Made, where: m.id == ^middle, select: m.id)) == [middle] and
        Repo.all(from(m in Made, where: m.id == ^String.upcase(hex(middle)), select: m.id)) == [middle] and
        Repo.aggregate(from(m in Made, where: m.id in ^ten), :count) == 10,
      "ecto: WHERE with an ObjectId"
    )

    since = ~U[2025-02-20 05:00:00Z]
    late = from(d in "dated", where: fragment("? > ?::timestamptz", d.id, ^since))
    check(Repo.aggregate(late, :count) == 10, "ecto: id > a date")

    find = fn id -> Repo.all(from(m in Made, where: m.how == "ecto" and m.id == ^id, select: m.id)) end
    check_vectors("ecto", find)
  end

  # Ecto caches statements with the OID of the type, so the Repo starts again
  def empty_database(options) do
    for round <- 1..2 do
      {:ok, _} = Repo.start_link(options)
      :ok = Ecto.Migrator.up(Repo, round, CreateEvent, log: false)
      %Event{id: id} = Repo.insert!(%Event{what: "log in"})
      check(is_struct(id, BSON.ObjectId) and Repo.get!(Event, id).id == id, "the first migration, and again")
      %Generated{id: id} = Repo.insert!(%Generated{})
      check(is_struct(id, BSON.ObjectId) and Repo.get!(Event, id).what == nil, "autogenerate")
      :ok = Ecto.Migrator.down(Repo, round, CreateEvent, log: false)
      Supervisor.stop(Repo)
    end
  end
end

env = &System.fetch_env!/1
server = [port: String.to_integer(env.("PGPORT")), username: env.("PGUSER"), database: env.("PGDATABASE")]
server = [socket_dir: env.("PGHOST")] ++ server

IO.puts("1..29")
{:ok, pid} = Postgrex.start_link([types: PostgrexTypes] ++ server)
{:ok, _} = Repo.start_link([types: MyApp.PostgrexTypes, log: false] ++ server)
[event] = RoundTrip.example()
RoundTrip.paths(event.id)
RoundTrip.postgrex(pid)
RoundTrip.ecto()
Supervisor.stop(Repo)
RoundTrip.empty_database([types: MyApp.PostgrexTypes, log: false] ++ Keyword.put(server, :database, "empty"))
