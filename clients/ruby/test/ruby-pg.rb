# See clients/t/ClientTest.pm.  Ids are strings, but Sequel reads them as BSON::ObjectId.
require 'bson'
require 'pg'
require 'sequel'
require_relative 'checks'

puts '1..13'
conn = PG.connect
read = ->(sql, parameters = []) { conn.exec_params(sql, parameters).column_values(0) }

# the example in README.md
id = BSON::ObjectId.new
conn.exec_params('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in'])
found = conn.exec_params('SELECT id FROM event WHERE id = ANY($1)', ["{#{[id].join(',')}}"]).getvalue(0, 0)

raise unless found == id.to_s && BSON::ObjectId.from_string(found) == id

bytes = { value: [id.to_s].pack('H24'), format: 1 }
check(read['SELECT $1::objectid', [bytes]] == [id.to_s], 'the 12 bytes as a binary parameter')

ids = new_ids
ids.each { |i| conn.exec_params("INSERT INTO made VALUES ('text', $1, $2)", [i.to_s, i.to_s]) }
check(read['SELECT id FROM made ORDER BY id'] == ids.map(&:to_s), 'text: 1,000 ids come back equal')
check(read['SELECT $1::objectid', [nil]] == [nil], 'text: NULL')
check(read['SELECT id FROM made WHERE id = $1', [ids[500].to_s]] == [ids[500].to_s] &&
      read['SELECT count(*) FROM made WHERE id = ANY($1)', ["{#{ids[500, 10].join(',')}}"]] == ['10'] &&
      refused?(PG::InvalidTextRepresentation, WRONG) { |wrong| read['SELECT $1::objectid', [wrong]] },
      'text: WHERE with an ObjectId')
# the server takes a parameter compared with an id for an id, unless it is cast
late = read['SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', [DATE]].map(&:to_i)
check(late == LATE, 'text: id > a date')
check_vectors('text', lambda do |vector|
  read['SELECT id FROM made WHERE id = $1', [vector]].map { |digits| BSON::ObjectId.from_string(digits) }
end)

# an encoder for arrays; PG::BasicTypeMapForQueries sends a list of strings as text[]
array = PG::TextEncoder::Array.new.encode([id.to_s, nil])
conn.type_map_for_queries = PG::BasicTypeMapForQueries.new(conn)
check(read['SELECT $1::objectid[]', [array]] == ["{#{id},NULL}"] &&
      read['SELECT $1::objectid[]', [[id.to_s]]] == ["{#{id}}"], 'arrays')

options = { adapter: 'postgres', database: ENV['PGDATABASE'], host: ENV['PGHOST'], port: ENV['PGPORT'] }
plain = Sequel.connect(options)
event = plain[:event].where(id: id.to_s).first
check(event[:id] == id.to_s, 'Sequel without set-up')

# the example of Sequel
class BSON::ObjectId
  def sql_literal(_dataset) = "'#{self}'"
end

db = Sequel.connect(options)
db.extension :pg_array
db.add_named_conversion_proc(:objectid) { |digits| BSON::ObjectId.from_string(digits) }
db.register_array_type('objectid')

made = db[:event].insert(what: 'log in')
found = db[:event].where(id: made).where(Sequel.lit('id > ?::timestamptz', Time.utc(2025))).first

check(found[:id] == made && made.is_a?(BSON::ObjectId) &&
      db[:event].where(id: [id, made]).order(:id).select_map(:id) == [id, made].sort_by(&:to_s) &&
      db[:event].where(id: made).delete == 1, 'Sequel')

db.extension :schema_dumper
dump = db.dump_table_schema(:event, same_db: true)
check(dump =~ /column :id, "objectid", .*default.*"gen_objectid\(\)"/, 'Sequel: a dump')
arrays = [[id, nil], [], [id] * 3].map { |list| db.get(Sequel.pg_array(list, :objectid)) }
refused = refused?(Sequel::DatabaseError, ELEMENTS) { |wrong| db.get(Sequel.pg_array([id, wrong], :objectid)) } &&
          refused?(Sequel::DatabaseError, WRONG) { |wrong| db[:event].where(id: wrong).first }
check(arrays == [[id, nil], [], [id] * 3] && refused, 'Sequel: arrays, and what is no id')

# an extension that is created later, or again: "the first migration, and again"
empty = Sequel.connect(options.merge(database: 'empty'))
2.times do
  empty.run('CREATE EXTENSION objectid; CREATE TABLE event (id objectid)')
  empty.add_named_conversion_proc(:objectid) { |digits| BSON::ObjectId.from_string(digits) }
  empty[:event].insert(id: id)
  check(empty[:event].get(:id) == id, 'Sequel: the first migration, and again')
  empty.run('DROP TABLE event; DROP EXTENSION objectid')
end
