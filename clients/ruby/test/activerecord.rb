# See clients/t/ClientTest.pm.
require 'active_record'
require 'pg-objectid'

require 'stringio'
require 'tmpdir'
require_relative 'checks'

puts '1..19'
ActiveRecord::Base.establish_connection(adapter: 'postgresql', database: ENV['PGDATABASE'])
ActiveRecord::Base.pluralize_table_names = false
ActiveRecord::Migration.verbose = false

class CreateTables < ActiveRecord::Migration[6.1]
  def change
    enable_extension 'objectid'
    create_table :event, id: :objectid do |t|
      t.text :what
    end
    create_table :remark, id: :objectid do |t|
      t.references :event, type: :objectid, foreign_key: true
      t.objectid :seen_by, :reply_to
      t.objectid :likes, array: true, default: []
    end
  end
end

class Event < ActiveRecord::Base
  has_many :remarks, class_name: 'Remark'
end

class Remark < ActiveRecord::Base
  belongs_to :event, optional: true
end

class Made < ActiveRecord::Base
  self.primary_key = :id
end

class List < ActiveRecord::Base; end
class Dated < ActiveRecord::Base; end
class Fixed < ActiveRecord::Base; end

class Referring < ActiveRecord::Base
  belongs_to :fixed
end

# the example in README.md
event = Event.create!(what: 'log in')
found = Event.find(event.id)
late = Event.where('id > ?::timestamptz', 1.day.ago)
raise unless late.to_a == [event] && found.id.is_a?(BSON::ObjectId) && found == event

ids = new_ids
Made.transaction { ids.each { |id| Made.create!(how: 'text', id: id, hex: id.to_s) } }
check(Made.order(:id).pluck(:id) == ids && Made.order(:id).map(&:id) == ids, 'text: 1,000 ids come back equal')

check(Made.where(id: ids[500]).pluck(:id) == [ids[500]] && Made.where(id: ids.first(10)).count == 10 &&
      Made.where('id < ?', ids[500]).count == 500 &&
      Made.connection.exec_query('SELECT hex FROM made WHERE id = $1', 'SQL', [ids[0]]).rows == [[ids[0].to_s]] &&
      WRONG.all? { |wrong| Made.where(id: wrong).none? } && Made.find_by(id: ids[500].to_s).hex == ids[500].to_s,
      'text: WHERE with an ObjectId')

check_vectors('text', ->(vector) { Made.where(id: vector).pluck(:id) })

late = Dated.where('id > ?::timestamptz', DATE).order(:n).pluck(:n)
dates = [DATE, DATE.to_date, DATE.in_time_zone('UTC')..]
check(late == LATE && refused?(ArgumentError, dates) { |value| Dated.where(id: value).to_a }, 'text: id > a date')

arrays = [ids.first(3), [ids[0], nil], [], nil]
arrays.each_with_index { |array, n| List.create!(n: n, ids: array) }
check(List.order(:n).pluck(:ids) == arrays && List.order(:n).map(&:ids) == arrays &&
      List.where('? = ANY (ids)', ids[1]).pluck(:n) == [0], 'text: arrays')
right = [ids[0], ids[0].to_s, nil, :symbol, *ELEMENTS].each_with_index.all? do |element, n|
  found = List.create!(n: n + 10, ids: [ids[0], element]).reload.ids
  found == [ids[0], element.to_s == ids[0].to_s ? ids[0] : nil]
end
check(right, 'elements of arrays')
List.where('n >= 10').delete_all

# schema.rb contains each table, and creates the same tables again
def schema
  source = ActiveRecord::VERSION::STRING < '7.2' ? ActiveRecord::Base.connection : ActiveRecord::Base.connection_pool
  ActiveRecord::SchemaDumper.dump(source, StringIO.new).string
end

upper = event.id.to_s.upcase
check(Event.find(upper) == event && Event.find([upper]) == [event] && Event.where(id: [upper]).to_a == [event],
      'upper-case digits')
check(Event.find_by(id: event.id.to_s.to_sym) == event && Event.find_by(id: :zzz).nil?, 'a Symbol')

# a key without a default stays without one
ActiveRecord::Base.connection.create_table(:bare, id: :objectid, default: nil)
check(schema.include?('create_table "bare", id: :objectid, default: nil'), 'no default')

# labels of fixtures, as references and as keys
Dir.mktmpdir do |directory|
  ActiveRecord::Base.connection.create_table(:fixed, id: :objectid)
  ActiveRecord::Base.connection.create_table(:referring, id: :objectid) { |t| t.references :fixed, type: :objectid }
  File.write("#{directory}/fixed.yml", "one: {}\n")
  File.write("#{directory}/referring.yml", "its: {fixed: one}\n")
  ActiveRecord::FixtureSet.create_fixtures(directory, %w[fixed referring], { fixed: Fixed, referring: Referring })
  new = Fixed.create!
  check(Referring.first.fixed.id.to_s.start_with?('0' * 8) && Fixed.count == 2 && Fixed.last == new, 'fixtures')
end

def migrate
  CreateTables.migrate(:up)
  ActiveRecord::Base.connection.change_table(:remark) { |t| t.objectid :later }
  before = schema
  %i[remark event].each { |table| ActiveRecord::Base.connection.drop_table(table) }
  eval(before)
  columns = ActiveRecord::Base.connection.columns('remark').select { |column| column.sql_type == 'objectid' }
  check(before == schema && before.include?('t.objectid "seen_by"') &&
        columns.map(&:name) == %w[id event_id seen_by reply_to likes later], 'a migration')
end

def use
  [Event, Remark].each(&:reset_column_information)
  event = Event.create!(what: 'log in')
  remark = event.remarks.create!(likes: [event.id, event.id.to_s])
  check(Remark.includes(:event).map(&:event) == [event] &&
        Event.joins(:remarks).where(remark: { id: remark.id }).to_a == [event] &&
        remark.reload.likes == [event.id] * 2 && !remark.changed?, 'a relation')

  check(Remark.new(event_id: event.id.to_s.upcase).event == event && event.remark_ids == [remark.id] &&
        (event.remark_ids = [remark.id.to_s.upcase]) && event.remarks.to_a == [remark], 'a relation, upper-case')
  orphan = Remark.create!.reload
  check(orphan.event_id.nil? && orphan.likes == [] && Remark.where(event_id: nil).to_a == [orphan], 'text: NULL')
  Event.find(event.id.to_s).id
end

ActiveRecord::Base.establish_connection(adapter: 'postgresql', database: 'empty')
empty_database(-> { migrate }, -> { use }, -> { CreateTables.migrate(:down) })
