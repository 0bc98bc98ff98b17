# See t/ClientTest.pm.
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

  # no ids, and no elements of an array
  @texts ["zzz", "507f1f77bcf86cd7994390112", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390  ", "12 byte text", ""]
  @wrong [5, %BSON.ObjectId{value: "short"} | @texts]

  def check(condition, what), do: IO.puts("#{if condition, do: "ok", else: "not ok"} - #{what}")

  def hex(id), do: BSON.ObjectId.encode!(id)

  # the ids of VECTORS, with their seconds
  def vectors do
    for line <- String.split(System.fetch_env!("VECTORS"), "\n", trim: true) do
      [digits, seconds] = String.split(line)
      {BSON.ObjectId.decode!(digits), String.to_integer(seconds)}
    end
  end

  # BSON.ObjectId.get_timestamp!/1 is new in mongodb_driver 1.5
  def right?({%BSON.ObjectId{value: <<time::32, _::binary>> = bytes} = id, seconds}, find) do
    find.(id) == [id] and Base.decode16!(hex(id), case: :lower) == bytes and time == seconds
  end

  def refused?(run, value, error) do
    run.(value)
    false
  rescue
    raised -> raised.__struct__ == error
  end

  # by functions that write ids to "made", read them from there, all, those that are equal to one, and those in a list, read
  # nil, write and read an array, and count what is later than a date; and the error for what is no id
  def standard(how, insert, all, equal, among, null, echo, later, error) do
    new = for _ <- 1..1000, do: Mongo.object_id()
    ids = Enum.sort_by(new ++ for({id, _} <- vectors(), do: id), & &1.value)
    insert.(ids)
    check(all.() == ids, "#{how}: 1,000 ids come back equal")
    check(Enum.all?(vectors(), &right?(&1, equal)), "#{how}: vectors")
    check(null.() == nil, "#{how}: NULL")

    for list <- [Enum.take(ids, 3), [hd(ids), nil], [], nil] do
      check(echo.(list) == list, "#{how}: arrays")
    end

    middle = Enum.slice(ids, 500, 10)
    check(equal.(hd(middle)) == [hd(middle)] and length(among.(middle)) == 10, "#{how}: WHERE with an ObjectId")
    check(later.(~U[2025-02-20 05:00:00Z]) == 10, "#{how}: id > a date")
    accepted = for value <- @wrong, run <- [equal, &among.([&1])], not refused?(run, value, error), do: value
    check(accepted == [], "#{how}: what is no id: #{inspect(accepted)}")
    ids
  end

  def example do
    # the example in README.md
    %Event{id: id} = Repo.insert!(%Event{what: "log in"})
    %Event{what: "log in"} = Repo.get!(Event, id)

    since = DateTime.add(DateTime.utc_now(), -3600)
    [_] = Repo.all(from(e in Event, where: fragment("? > ?::timestamptz", e.id, ^since)))
  end

  def paths(id) do
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

    standard(
      "postgrex",
      &for(id <- &1, do: read.("INSERT INTO made VALUES ('postgrex', $1, $2) RETURNING 1", [id, hex(id)])),
      fn -> read.("SELECT id FROM made WHERE how = 'postgrex' ORDER BY id", []) end,
      &read.("SELECT id FROM made WHERE how = 'postgrex' AND id = $1", [&1]),
      &read.("SELECT id FROM made WHERE how = 'postgrex' AND id = ANY($1)", [&1]),
      fn -> hd(read.("SELECT $1::objectid", [nil])) end,
      &hd(read.("SELECT $1::objectid[]", [&1])),
      &length(read.("SELECT n FROM dated WHERE id > $1::timestamptz", [&1])),
      DBConnection.EncodeError
    )
  end

  def ecto do
    made = from(m in Made, where: m.how == "ecto", order_by: m.id, select: m.id)

    ids =
      standard(
        "ecto",
        &Repo.insert_all(Made, for(id <- &1, do: %{how: "ecto", id: id, hex: hex(id)})),
        fn -> Repo.all(made) end,
        &Repo.all(from(m in made, where: m.id == ^&1)),
        &Repo.all(from(m in made, where: m.id in ^&1)),
        fn -> Repo.one(from(Event, select: type(^nil, ObjectId))) end,
        fn list ->
          Repo.insert!(%EctoList{n: 1, ids: list}, on_conflict: :replace_all, conflict_target: :n)
          Repo.get!(EctoList, 1).ids
        end,
        &Repo.aggregate(from(d in "dated", where: fragment("? > ?::timestamptz", d.id, ^&1)), :count),
        Ecto.Query.CastError
      )

    id = List.last(ids)
    check(Repo.all(from(m in made, where: m.id == ^String.upcase(hex(id)))) == [id], "digits of a form")
    refused = Enum.map([:load, :dump], &apply(ObjectId, &1, [%BSON.ObjectId{value: "short"}]))
    check(refused == [:error, :error] and ObjectId.dump(hex(id)) == :error, "an ObjectId has 12 bytes")
  end

  # Ecto caches statements with the OID of the type, so the Repo starts again
  def empty_database(options) do
    for round <- 1..2 do
      {:ok, _} = Repo.start_link(options)
      :ok = Ecto.Migrator.up(Repo, round, CreateEvent, log: false)
      %Event{id: id} = Repo.insert!(%Event{what: "log in"})
      check(is_struct(id, BSON.ObjectId) and Repo.get!(Event, id).id == id, "the first migration, and again")
      :ok = Ecto.Migrator.down(Repo, round, CreateEvent, log: false)
      Supervisor.stop(Repo)
    end
  end
end

env = &System.fetch_env!/1
server = [port: String.to_integer(env.("PGPORT")), username: env.("PGUSER"), database: env.("PGDATABASE")]
server = [socket_dir: env.("PGHOST")] ++ server

IO.puts("1..27")
{:ok, pid} = Postgrex.start_link([types: PostgrexTypes] ++ server)
{:ok, _} = Repo.start_link([types: MyApp.PostgrexTypes, log: false] ++ server)
[event] = RoundTrip.example()
RoundTrip.paths(event.id)
RoundTrip.postgrex(pid)
RoundTrip.ecto()
Supervisor.stop(Repo)
RoundTrip.empty_database([types: MyApp.PostgrexTypes, log: false] ++ Keyword.put(server, :database, "empty"))
