# See clients/t/ClientTest.pm.  Ids are strings, but Sequel reads them as BSON::ObjectId.
require 'pg'
require 'sequel'
require_relative 'checks'

puts '1..12'
conn = PG.connect

# the example in README.md
id = BSON::ObjectId.new
conn.exec_params('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in'])
found = conn.exec_params('SELECT id FROM event WHERE id = ANY($1)', ["{#{[id].join(',')}}"]).getvalue(0, 0)

raise unless found == id.to_s && BSON::ObjectId.from_string(found) == id

read = ->(sql, *parameters) { conn.exec_params(sql, parameters).column_values(0) }
read_ids = ->(*query) { read[*query].map { |digits| BSON::ObjectId.from_string(digits) } }
checks(
  insert: ->(*row) { conn.exec_params("INSERT INTO made VALUES ('text', $1, $2)", row) },
  made: -> { read_ids['SELECT id FROM made ORDER BY id'] },
  find: ->(ids) { read_ids['SELECT id FROM made WHERE id = ANY ($1) ORDER BY id', "{#{[*ids].join(',')}}"] },
  # the server takes a parameter compared with an id for an id, unless it is cast
  later: ->(date) { read['SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', date].map(&:to_i) }
)
check(read['SELECT $1::objectid', nil] == [nil], 'text: NULL')
bytes = { value: [id.to_s].pack('H24'), format: 1 }
check(read['SELECT $1::objectid', bytes] == [id.to_s], 'the 12 bytes as a binary parameter')

options = { adapter: 'postgres', database: ENV['PGDATABASE'], host: ENV['PGHOST'], port: ENV['PGPORT'] }
check(Sequel.connect(options)[:event].get(:id) == id.to_s, 'Sequel without set-up')

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
      refused?(Sequel::DatabaseError, WRONG) { |wrong| db[:event].where(id: wrong).first }, 'Sequel')
event = Class.new(Sequel::Model(db[:event])).first(id: made)
event.id = made.to_s
check(event.id == made.to_s && event.refresh.id == made && db[:event].where(id: made).delete == 1, 'Sequel: a Model')
arrays = [[id, nil], [], [id] * 3]
array = ->(list) { db.get(Sequel.pg_array(list, :objectid)) }
check(arrays.map(&array) == arrays && refused?(Sequel::DatabaseError, ELEMENTS) { |wrong| array[[id, wrong]] },
      'Sequel: arrays')
dump = db.extension(:schema_dumper).dump_table_schema(:event, same_db: true)
check(dump =~ /column :id, "objectid", .*default.*"gen_objectid\(\)"/, 'Sequel: a dump')

# an extension that is created later, or again
empty = Sequel.connect(options.merge(database: 'empty'))
again = Array.new(2) do
  empty.run('CREATE EXTENSION objectid')
  empty.add_named_conversion_proc(:objectid) { |digits| BSON::ObjectId.from_string(digits) }
  empty.get(Sequel.lit('?::objectid', id)).tap { empty.run('DROP EXTENSION objectid') }
end
check(again == [id, id], 'Sequel: the first migration, and again')
