# ruby-pg: BSON::ObjectId for columns of type objectid.
#
#   PgObjectId.register(conn)
#
# Writing a BSON::ObjectId needs no set-up: ruby-pg sends its to_s, the 24 digits.  register makes a
# connection return BSON::ObjectIds, and arrays of them in text format, and accept arrays.
require 'bson'
require 'pg'

module PgObjectId
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

  # The OID of the type differs between databases, and changes if the extension is created again.  So
  # the map looks it up first, and again whenever a result has a type that it has not seen.  The
  # extension may be created later, by a migration.
  class ResultMap < PG::TypeMapInRuby
    FIRST_OID = 16384 # below are the OIDs of built-in types
    FIND = "SELECT oid::int8, typarray::int8 FROM pg_catalog.pg_type WHERE typname = 'objectid' " \
           "AND typtype IN ('b', 'd')".freeze # not a table of that name

    def initialize(conn, others)
      super()
      @conn = conn
      @seen = []
      self.default_type_map = PG::TypeMapByOid.new
      default_type_map.default_type_map = others
    end

    def others
      default_type_map.default_type_map
    end

    def look_up
      @conn.exec_params(FIND, []).values.flat_map do |pair|
        oid, array_oid = pair.map(&:to_i)
        text = TextDecoder.new(oid: oid, name: 'objectid')
        default_type_map.add_coder(text)
        default_type_map.add_coder(BinaryDecoder.new(oid: oid, name: 'objectid', format: 1))
        default_type_map.add_coder(PG::TextDecoder::Array.new(oid: array_oid, name: '_objectid', elements_type: text))
        @seen.push(oid, array_oid)
      end
    end

    def fit_to_result(result)
      unseen = Array.new(result.nfields) { |i| result.ftype(i) }.select { |oid| oid >= FIRST_OID } - @seen
      # in single-row mode and between the results of several statements, a query would discard the rest
      unless unseen.empty? || in_flight?
        look_up
        @seen |= unseen
      end
      self
    end

    private

    def in_flight?
      pipeline = @conn.respond_to?(:pipeline_status) && @conn.pipeline_status != PG::PQ_PIPELINE_OFF
      pipeline || ![PG::PQTRANS_IDLE, PG::PQTRANS_INTRANS].include?(@conn.transaction_status)
    end
  end

  class QueryMap < PG::TypeMapByClass; end

  # The type maps of the connection read and write everything else, also arrays without an id:
  # PG::BasicTypeMapForQueries accepts an empty one.  register does not change these maps, because
  # connections to other databases may share them.
  def self.register(conn)
    earlier = conn.type_map_for_results
    results = ResultMap.new(conn, earlier.is_a?(ResultMap) ? earlier.others : earlier)
    results.look_up
    conn.type_map_for_results = results

    ids = PG::TextEncoder::Array.new(elements_type: PG::TextEncoder::String.new)
    earlier = conn.type_map_for_queries
    queries = QueryMap.new
    queries.default_type_map = earlier.is_a?(QueryMap) ? earlier.default_type_map : earlier
    queries[Array] = ->(array) { ids if array.flatten.compact.first.is_a?(BSON::ObjectId) }
    conn.type_map_for_queries = queries
  end
end
