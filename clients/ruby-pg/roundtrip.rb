# See t/ClientTest.pm.
require_relative 'objectid_pg'

def check(condition, what)
  puts "#{condition ? 'ok' : 'not ok'} - #{what}"
end

# 1,000, in order even where the library's counter wraps
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

# the example of docs/clients.md
ObjectIdPg.register(conn)
id = BSON::ObjectId.new
conn.exec_params('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in'])
found = conn.exec_params('SELECT id FROM event WHERE id = $1', [id]).getvalue(0, 0)
raise unless found.is_a?(BSON::ObjectId) && found == id

# in text format an id goes as a string, and comes back in text; likewise in binary
%w[text binary].each_with_index do |how, format|
  value = ->(i) { format == 0 ? { value: i.to_s } : i }

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
end

ids = new_ids
arrays = [ids.first(3), [ids[0], nil], [], nil]
arrays.each_with_index { |array, n| conn.exec_params('INSERT INTO list VALUES ($1, $2)', [n.to_s, array]) }
check(read['SELECT ids FROM list ORDER BY n'] == arrays, 'text: arrays')
check(read['SELECT $1::text[]', [['a,b', nil]]] == [['a,b', nil]], 'arrays of text are as before')

# COPY: an encoder makes rows of text; binary ones are lengths and the 12 bytes
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
