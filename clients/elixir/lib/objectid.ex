# Postgrex and Ecto: BSON.ObjectId (of the package mongodb_driver) for columns of type
# objectid.
#
# Postgrex needs an extension for every type.  ObjectId.Extension reads and writes the binary
# format, the only one of Postgrex: values, NULL as nil, arrays as lists, COPY.  Postgrex finds
# the type in any schema, by the name of its send function.  Define a module of types:
#
#   Postgrex.Types.define(MyApp.PostgrexTypes, [ObjectId.Extension], [])
#   {:ok, pid} = Postgrex.start_link(types: MyApp.PostgrexTypes)
#
# For Ecto, add Ecto.Adapters.Postgres.extensions() to the list, and "types:
# MyApp.PostgrexTypes" to the configuration of the Repo.  ObjectId is the type of a field.  A
# schema whose key the server generates has
#
#   @primary_key {:id, ObjectId, read_after_writes: true}
#   @foreign_key_type ObjectId
#
# and its migration has "add :id, :objectid, primary_key: true, default: fragment("gen_objectid()")".

defmodule ObjectId.Extension do
  use Postgrex.BinaryExtension, send: "objectid_send"

  def init(_), do: nil

  def encode(_) do
    quote location: :keep do
      %BSON.ObjectId{value: <<id::binary-12>>} ->
        [<<12::signed-32>> | id]

      other ->
        raise DBConnection.EncodeError, Postgrex.Utils.encode_msg(other, "a BSON.ObjectId")
    end
  end

  # copied, because the 12 bytes would keep the whole message in memory
  def decode(_) do
    quote location: :keep do
      <<12::signed-32, id::binary-12>> -> %BSON.ObjectId{value: :binary.copy(id)}
    end
  end
end

if Code.ensure_loaded?(Ecto.Type) do
  defmodule ObjectId do
    use Ecto.Type

    def type, do: :objectid

    # parameters of a request are 24 digits
    def cast(%BSON.ObjectId{} = id), do: {:ok, id}

    def cast(<<digits::binary-24>>) do
      with {:ok, id} <- Base.decode16(digits, case: :mixed), do: {:ok, %BSON.ObjectId{value: id}}
    end

    def cast(_), do: :error

    def load(%BSON.ObjectId{} = id), do: {:ok, id}

    def dump(%BSON.ObjectId{} = id), do: {:ok, id}
    def dump(_), do: :error
  end
end
