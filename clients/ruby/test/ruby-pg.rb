# See t/ClientTest.pm.  Ids are strings, but Sequel reads them as BSON::ObjectId.
require 'pg'
require 'sequel'
require_relative 'checks'

puts '1..8'
conn = PG.connect

# the example in README.md
id = BSON::ObjectId.new
conn.exec_params('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in'])
found = conn.exec_params('SELECT id FROM event WHERE id = ANY($1)', ["{#{[id].join(',')}}"]).getvalue(0, 0)

raise unless found == id.to_s

read = ->(sql, parameter) { conn.exec_params(sql, [parameter]).column_values(0) }
check(read['SELECT id FROM event WHERE id = $1', { value: [id.to_s].pack('H24'), format: 1 }] == [id.to_s],
      'the 12 bytes as a binary parameter')
check(read['SELECT n FROM dated WHERE id > $1::timestamptz', DATE].size == 10, 'id > a date')
conn.copy_data('COPY list FROM STDIN') { conn.put_copy_data("1\t{#{id},NULL}\n") }
check(read['SELECT ids FROM list WHERE $1 = ANY (ids)', id] == ["{#{id},NULL}"], 'an array, COPY')

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
check(arrays.map(&array) == arrays, 'Sequel: arrays')

# an extension that is created later, or again
empty = Sequel.connect(options.merge(database: 'empty'))
again = Array.new(2) do
  empty.run('CREATE EXTENSION objectid')
  empty.add_named_conversion_proc(:objectid) { |digits| BSON::ObjectId.from_string(digits) }
  empty.get(Sequel.lit('?::objectid', id)).tap { empty.run('DROP EXTENSION objectid') }
end
check(again == [id, id], 'Sequel: the first migration, and again')
