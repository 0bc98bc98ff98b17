# ruby-pg: BSON::ObjectId for columns of type objectid.
#
# Writing a BSON::ObjectId needs no set-up: ruby-pg sends its to_s, the 24 digits.  Results are
# strings.  register makes a connection return BSON::ObjectIds in text and in binary format, and
# arrays of them in text format.  It also makes the connection accept arrays of them.
require 'bson'
require 'pg'

module ObjectIdPg
  class TextDecoder < PG::SimpleDecoder
    def decode(digits, _tuple = nil, _field = nil)
      digits && BSON::ObjectId.from_string(digits)
    end
  end

  class BinaryDecoder < PG::SimpleDecoder
    def decode(bytes, _tuple = nil, _field = nil)
      bytes && BSON::ObjectId.from_data(bytes)
    end
  end

  class BinaryEncoder < PG::SimpleEncoder
    def encode(id, _encoding = nil)
      [id.to_s].pack('H24')
    end
  end

  class ResultMap < PG::TypeMapByOid; end
  class QueryMap < PG::TypeMapByClass; end

  # Looks up the type's OID, which differs between databases.  Qualify the type's name if its
  # schema is not on the search path.
  #
  # The type maps of the connection read and write everything else, also arrays without an id:
  # PG::BasicTypeMapForQueries accepts an empty one.  register does not change these maps, because
  # connections to other databases may share them.
  def self.register(conn, type_name = 'objectid')
    find = 'SELECT oid::int8, typarray::int8 FROM pg_type WHERE oid = $1::regtype'
    oid, array_oid = conn.exec_params(find, [type_name]).values[0].map(&:to_i)

    text = TextDecoder.new(oid: oid, name: 'objectid')
    results = ResultMap.new
    results.default_type_map = beneath(conn.type_map_for_results, ResultMap)
    results.add_coder(text)
    results.add_coder(BinaryDecoder.new(oid: oid, name: 'objectid', format: 1))
    results.add_coder(PG::TextDecoder::Array.new(oid: array_oid, name: '_objectid', elements_type: text))
    conn.type_map_for_results = results

    ids = PG::TextEncoder::Array.new(oid: array_oid, name: '_objectid', elements_type: PG::TextEncoder::String.new)
    queries = QueryMap.new
    queries.default_type_map = beneath(conn.type_map_for_queries, QueryMap)
    queries[BSON::ObjectId] = BinaryEncoder.new(oid: oid, name: 'objectid', format: 1)
    queries[Array] = ->(array) { ids if array.flatten.compact.first.is_a?(BSON::ObjectId) }
    conn.type_map_for_queries = queries
  end

  # the map below that of an earlier register
  def self.beneath(map, ours)
    map.is_a?(ours) ? map.default_type_map : map
  end
  private_class_method :beneath
end
