# See t/ClientTest.pm.
require_relative 'objectid_pg'

def check(condition, what)
  puts "#{condition ? 'ok' : 'not ok'} - #{what}"
end

# 1,000 ids, sorted: the counter of the library may wrap
def new_ids
  Array.new(1000) { BSON::ObjectId.new }.sort_by(&:to_s)
end

conn = PG.connect
read = ->(sql, parameters = [], format = 0) { conn.exec_params(sql, parameters, format).column_values(0) }

# no set-up
id = BSON::ObjectId.new
check(read['SELECT $1::objectid', [id]] == [id.to_s], 'no set-up: ObjectId in, string out')
bytes = { value: [id.to_s].pack('H24'), format: 1 }
check(read['SELECT $1::objectid', [bytes]] == [id.to_s], 'no set-up: the 12 bytes as a binary parameter')

# with these type maps, numbers are read as numbers, and [] is an array
conn.type_map_for_results = PG::BasicTypeMapForResults.new(conn)
conn.type_map_for_queries = PG::BasicTypeMapForQueries.new(conn)

# the example in docs/clients-others.md
ObjectIdPg.register(conn)
id = BSON::ObjectId.new
conn.exec_params('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in'])
found = conn.exec_params('SELECT id FROM event WHERE id = $1', [id]).getvalue(0, 0)
raise unless found.is_a?(BSON::ObjectId) && found == id

# text: an id is sent as a string, and returned in text format; binary: both are binary
%w[text binary].each_with_index do |how, format|
  value = ->(i) { format == 0 ? i.to_s : i }

  ids = new_ids
  ids.each { |i| conn.exec_params('INSERT INTO made VALUES ($1, $2, $3)', [how, value[i], i.to_s]) }
  check(read['SELECT id FROM made WHERE how = $1 ORDER BY id', [how], format] == ids, "#{how}: 1,000 ids come back equal")

  rows = conn.exec_params('SELECT id, seconds FROM generated', [], format)
  check(rows.ntuples == 1004 && rows.values.all? { |i, seconds| i.generation_time.to_i == seconds },
        "#{how}: generated ids have the time of objectid_time()")

  check(read['SELECT $1::objectid', [nil], format] == [nil], "#{how}: NULL")

  check(read['SELECT id FROM made WHERE id = $1', [value[ids[500]]], format] == [ids[500]] &&
        read['SELECT count(*) FROM made WHERE how = $1 AND id < $2', [how, value[ids[500]]], format] == [500] &&
        read['SELECT count(*) FROM made WHERE id = ANY($1)', [ids.first(10)], format] == [10],
        "#{how}: WHERE with an ObjectId")

  # the server takes a parameter compared with an id for an id, unless it is cast
  late = ['id > $1::timestamptz', '$1::timestamptz < id'].map do |condition|
    read["SELECT n FROM dated WHERE #{condition} ORDER BY n", [Time.utc(2025, 2, 20, 5)], format]
  end
  check(late == [[*9990..9999]] * 2, "#{how}: id > a date")

  of, document = conn.exec_params('SELECT id, bson FROM document', [], format).values[0]
  found = BSON::Document.from_bson(BSON::ByteBuffer.new(document))['_id']
  check({ '_id' => of }.to_bson.to_s == document && found == of &&
        read['SELECT count(*) FROM document WHERE id = $1', [value[found]], format] == [1], "#{how}: BSON")
end

ids = new_ids
arrays = [ids.first(3), [ids[0], nil], [], nil]
arrays.each_with_index { |array, n| conn.exec_params('INSERT INTO list VALUES ($1, $2)', [n.to_s, array]) }
check(read['SELECT ids FROM list ORDER BY n'] == arrays, 'text: arrays')

# the type maps without register
plain = PG.connect
others = [['SELECT $1::jsonb', { 'a' => [1] }], ['SELECT $1::text[]', ['a,b', nil]], ['SELECT $1::int8[]', [1, 2]],
          ['SELECT $1', 1.5], ['SELECT $1::timestamptz', Time.at(0)], ['SELECT $1', true], ['SELECT $1::bytea', "\\x00ff"],
          ['SELECT $1::text', 'text'], ['SELECT $1::int', nil]]
same = [-> { nil }, -> { PG::BasicTypeMapForResults.new(plain) }].product([-> { nil }, -> { PG::BasicTypeMapForQueries.new(plain) }])
same = same.all? do |results, queries|
  run = lambda do |conn|
    others.map { |sql, value| conn.exec_params(sql, [value]).getvalue(0, 0) rescue $!.class }
  end
  registered = PG.connect
  [plain, registered].each do |c|
    c.type_map_for_results = results.call || PG::TypeMapAllStrings.new
    c.type_map_for_queries = queries.call || PG::TypeMapAllStrings.new
  end
  2.times { ObjectIdPg.register(registered) }
  registered.type_map_for_results.default_type_map.class == plain.type_map_for_results.class &&
    run[registered] == run[plain]
end
check(same, 'other types use the type maps of the connection')
check(read['SELECT $1::jsonb', [{ 'a' => [id.to_s] }]] == [{ 'a' => [id.to_s] }], 'jsonb')

# in a database where the type has a different OID and is not on the search path, while the first connection stays open,
# and with the same type map
other = PG.connect(dbname: 'other')
ObjectIdPg.register(other, 'apart.objectid')
[[conn, 'objectid'], [other, 'apart.objectid']].each do |c, type|
  c.exec("CREATE TEMP TABLE kept (id #{type}, ids #{type}[])")
  insert = 'INSERT INTO pg_temp.kept VALUES ($1, $2) RETURNING id, ids, pg_typeof($1)::text'
  check(c.exec_params(insert, [id, [id, nil]]).values == [[id, [id, nil], type]], "two databases: #{type}")
end
conn.prepare('find', 'SELECT id FROM event WHERE id = $1')
check(conn.exec_prepared('find', [id]).column_values(0) == [id], 'a prepared statement')

# COPY: an encoder writes text rows; binary rows are lengths and the 12 bytes
conn.copy_data('COPY made FROM STDIN', PG::TextEncoder::CopyRow.new) do
  ids.each { |i| conn.put_copy_data(['text COPY', i, i.to_s]) }
end
conn.copy_data('COPY made FROM STDIN WITH (FORMAT binary)') do
  conn.put_copy_data("PGCOPY\n\xff\r\n\0".b + "\0" * 8)
  ids.each { |i| conn.put_copy_data([3, 11, 'binary COPY', 12, i.to_s, 24, i.to_s].pack('nNa*NH24Na*')) }
  conn.put_copy_data("\xff\xff".b)
end
['text COPY', 'binary COPY'].each do |how|
  check(read['SELECT id FROM made WHERE how = $1 ORDER BY id', [how]] == ids, "#{how}: 1,000 ids come back equal")
end

begin
  conn.exec_params('SELECT $1::objectid', ['507f1f77bcf86cd79943901'])
  check(false, 'an invalid id is SQLSTATE 22P02')
rescue PG::InvalidTextRepresentation => e
  check(e.result.error_field(PG::PG_DIAG_SQLSTATE) == '22P02', 'an invalid id is SQLSTATE 22P02')
end
