# ruby-pg: BSON::ObjectId for columns of type objectid.
#
# With no set-up a BSON::ObjectId can be written: ruby-pg sends its to_s, the 24
# digits.  Reading gives strings.  register makes a connection give BSON::ObjectIds,
# in text and in binary format, and in arrays in text format, and take arrays of them.
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

  # The type's OID differs from database to database, so it is looked up; name the
  # type with its schema where that is not on the search path.
  #
  # What else is read becomes what PG::BasicTypeMapForResults makes of it; what else
  # is written goes as it would without this.
  def self.register(conn, type_name = 'objectid')
    row = conn.exec_params('SELECT oid, typarray FROM pg_type WHERE oid = $1::regtype', [type_name])[0]
    oid, array_oid = row.values_at('oid', 'typarray').map(&:to_i)

    text = TextDecoder.new(oid: oid, name: 'objectid')
    results = PG::BasicTypeMapForResults.new(conn)
    results.add_coder(text)
    results.add_coder(BinaryDecoder.new(oid: oid, name: 'objectid', format: 1))
    results.add_coder(PG::TextDecoder::Array.new(oid: array_oid, name: '_objectid', elements_type: text))
    conn.type_map_for_results = results

    # an array's type is for the server to tell, so that those of text pass as well
    queries = PG::TypeMapByClass.new
    queries[BSON::ObjectId] = BinaryEncoder.new(oid: oid, name: 'objectid', format: 1)
    queries[Array] = PG::TextEncoder::Array.new(elements_type: PG::TextEncoder::String.new)
    conn.type_map_for_queries = queries
  end
end
