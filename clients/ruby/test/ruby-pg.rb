# See clients/t/ClientTest.pm.
require 'pg-objectid'

require 'sequel'
require_relative 'checks'

puts '1..30'
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

# the example in docs/clients-ruby.md
conn.exec('CREATE EXTENSION IF NOT EXISTS objectid')
conn.exec('CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)')
PgObjectId.register(conn)

id = BSON::ObjectId.new
conn.exec_params('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in'])
found = conn.exec_params('SELECT id FROM event WHERE id = $1', [id]).getvalue(0, 0)
raise unless found.is_a?(BSON::ObjectId) && found == id

# the format of the results; parameters are text
%w[text binary].each_with_index do |how, format|
  ids = new_ids
  ids.each { |i| conn.exec_params('INSERT INTO made VALUES ($1, $2, $3)', [how, i, i.to_s]) }
  made = read['SELECT id FROM made WHERE how = $1 ORDER BY id', [how], format]
  check(made == ids, "#{how}: 1,000 ids come back equal")

  check(read['SELECT $1::objectid', [nil], format] == [nil], "#{how}: NULL")

  check(read['SELECT id FROM made WHERE id = $1', [ids[500]], format] == [ids[500]] &&
        read['SELECT count(*) FROM made WHERE id = ANY($1)', [ids[500, 10]], format] == [10],
        "#{how}: WHERE with an ObjectId")

  # the server takes a parameter compared with an id for an id, unless it is cast
  late = read['SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', [DATE], format]
  check(late == LATE, "#{how}: id > a date")
  check_vectors(how, ->(vector) { read['SELECT id FROM made WHERE how = $1 AND id = $2', [how, vector], format] })
end

ids = new_ids
arrays = [ids.first(3), [ids[0], nil], [], nil]
arrays.each_with_index { |array, n| conn.exec_params('INSERT INTO list VALUES ($1, $2)', [n.to_s, array]) }
check(read['SELECT ids FROM list ORDER BY n'] == arrays, 'text: arrays')
check(read['SELECT count(*) FROM made WHERE id = ANY($1::objectid[])', [ids[500, 10].map(&:to_s)]] == [0],
      'an array of strings, with a cast')

# the type maps without register
plain = PG.connect
others = [['SELECT $1::jsonb', { 'a' => [1] }], ['SELECT $1::text[]', ['a,b', nil]], ['SELECT $1::int8[]', [1, 2]],
          ['SELECT $1', 1.5], ['SELECT $1::timestamptz', Time.at(0)], ['SELECT $1', true],
          ['SELECT $1::bytea', "\\x00ff"], ['SELECT $1::text', 'text'], ['SELECT $1::int', nil]]
result_maps = [PG::TypeMapAllStrings.new, PG::BasicTypeMapForResults.new(plain)]
query_maps = [PG::TypeMapAllStrings.new, PG::BasicTypeMapForQueries.new(plain)]
registered = PG.connect
same = result_maps.product(query_maps).all? do |results, queries|
  read_both = [plain, registered].map do |c|
    c.type_map_for_results = results
    c.type_map_for_queries = queries
    2.times { PgObjectId.register(c) } if c == registered
    others.map { |sql, value| c.exec_params(sql, [value]).getvalue(0, 0) rescue $!.class }
  end
  read_both.uniq.one? && registered.type_map_for_results.others == results
end
check(same, 'other types use the type maps of the connection')
check(read['SELECT $1::jsonb', [{ 'a' => [id.to_s] }]] == [{ 'a' => [id.to_s] }], 'jsonb')

# in a database where the type has a different OID, while the first connection stays open, and with the same type map
other = PG.connect(dbname: 'other')
PgObjectId.register(other)
[conn, other].each do |c|
  c.exec('CREATE TEMP TABLE kept (id objectid, ids objectid[])')
  insert = 'INSERT INTO kept VALUES ($1, $2) RETURNING id, ids'
  check(c.exec_params(insert, [id, [id, nil]]).values == [[id, [id, nil]]], 'two databases')
end
conn.prepare('find', 'SELECT id FROM event WHERE id = $1')
check(conn.exec_prepared('find', [id]).column_values(0) == [id], 'a prepared statement')

# a type that the connection has not seen, while results are in flight
conn.exec("CREATE TYPE mood AS ENUM ('a')")
results = lambda do |setup|
  c = PG.connect
  PgObjectId.register(c)
  setup[c]
  found = []
  while (result = c.get_result)
    result.each_row { |row| found.push(*row) }
    result.clear
  end
  found
ensure
  c.close
end
check(results[lambda do |c|
  c.send_query("SELECT 'a'::mood FROM generate_series(1, 5)")
  c.set_single_row_mode
end] == ['a'] * 5, 'single-row mode')
check(results[->(c) { c.send_query("SELECT 'a'::mood; SELECT 'b'; SELECT 'c'") }] == %w[a b c], 'three statements')
check(results[lambda do |c|
  c.enter_pipeline_mode
  c.send_query_params("SELECT 'a'::mood", [])
  c.pipeline_sync
end] == %w[a], 'a pipeline')

# a table of this name has a composite type of this name
check(other.exec('SELECT row(1)::public.objectid').column_values(0) == ['(1)'], 'a table "objectid"')

# what comes back is what went in
parts = ['a,b', 'NULL', 'null', '', '"', '\\', '{}', ' ', "'", id.to_s]
random = Random.new(1)
right = Array.new(200) do
  [id] + Array.new(3) { [nil, Array.new(2) { parts.sample(random: random) }.join].sample(random: random) }
end
right = right.all? { |array| read['SELECT $1::text[]', [array]] == [array.map { |part| part&.to_s }] }
check(right, 'elements of arrays')

options = { adapter: 'postgres', database: ENV['PGDATABASE'], host: ENV['PGHOST'], port: ENV['PGPORT'] }
event = Sequel.connect(options)[:event].where(id: id.to_s).first
check(event[:id] == id.to_s, 'Sequel without set-up')

# the example of Sequel
class BSON::ObjectId
  def sql_literal(_dataset) = "'#{self}'"
end

db = Sequel.connect(options.merge(after_connect: PgObjectId.method(:register)))

made = db[:event].insert(what: 'log in')
found = db[:event].where(id: made).where(Sequel.lit('id > ?::timestamptz', Time.utc(2025))).first

check(found[:id] == made && made.is_a?(BSON::ObjectId) &&
      db[:event].where(id: [id, made]).order(:id).select_map(:id) == [id, made].sort_by(&:to_s) &&
      db[:event].where(id: made).delete == 1, 'Sequel')

db.extension :schema_dumper, :pg_array
dump = db.dump_table_schema(:event, same_db: true)
check(dump =~ /column :id, "objectid", .*default.*"gen_objectid\(\)"/, 'Sequel: a dump')
elements = [id, nil] + parts
right = Array.new(200) { Array.new(3) { elements.sample(random: random) } }.all? do |array|
  db.get(Sequel.pg_array(array, :objectid)) == array.map { |element| element.to_s == id.to_s ? id : element }
rescue Sequel::DatabaseError
  !array.all? { |element| element.nil? || element.to_s == id.to_s }
end
check(right, 'Sequel: elements of arrays')

# each query is the first with the type, and the connection has seen another type
empty = PG.connect(dbname: 'empty')
PgObjectId.register(empty)
ways = [-> { empty.exec_params("SELECT ARRAY[id], 'a'::mood FROM event", []).values[0][0][0] },
        -> { empty.exec_params('SELECT id FROM event', [], 1).column_values(0)[0] }]
create = "CREATE EXTENSION objectid; CREATE TYPE mood AS ENUM ('a'); CREATE TABLE event (id objectid)"
ways.each do |way|
  empty_database(-> { empty.exec(create) },
                 lambda do
                   empty.exec_params('INSERT INTO event VALUES ($1)', [id])
                   way.call
                 end,
                 -> { empty.exec('DROP TABLE event; DROP EXTENSION objectid; DROP TYPE mood') })
end
