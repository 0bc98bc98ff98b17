# See t/ClientTest.pm.
require 'active_record'
require 'pg-objectid'

require 'stringio'
require_relative 'checks'

puts '1..13'
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

# the example in README.md
event = Event.create!(what: 'log in')
late = Event.where('id > ?::timestamptz', 1.day.ago)
raise unless late.to_a == [event] && event.id.is_a?(BSON::ObjectId)

checks(
  insert: ->(id, hex) { Made.create!(how: 'text', id: id, hex: hex) },
  made: -> { Made.order(:id).pluck(:id) },
  find: ->(ids) { Made.where(id: ids).order(:id).map(&:id) },
  later: ->(date) { Dated.where('id > ?::timestamptz', date).order(:n).pluck(:n) }
)
check(Made.where('id < ?', IDS[500]).count == 500 &&
      Made.connection.exec_query('SELECT hex FROM made WHERE id = $1', 'SQL', [IDS[0]]).rows == [[IDS[0].to_s]] &&
      WRONG.all? { |wrong| Made.where(id: wrong).none? }, 'values in SQL, and what is no id')
dates = [DATE, DATE.to_date, DATE.in_time_zone('UTC')..]
check(refused?(ArgumentError, dates) { |value| Dated.where(id: value).to_a }, 'a date is no id')

arrays = [IDS.first(3), [IDS[0], nil], [], nil]
arrays.each_with_index { |array, n| List.create!(n: n, ids: array) }
check(List.order(:n).pluck(:ids) == arrays && List.order(:n).map(&:ids) == arrays &&
      List.where('? = ANY (ids)', IDS[1]).pluck(:n) == [0], 'arrays')
list = List.create!(n: 10, ids: [IDS[0].to_s, *WRONG]).reload
check(list.ids == [IDS[0], *Array.new(WRONG.size)], 'elements of arrays')

upper = event.id.to_s.upcase
check(Event.find(upper) == event && Event.find([upper]) == [event] && Event.where(id: [upper]).to_a == [event] &&
      ActiveRecord::Type.lookup(:objectid, adapter: :postgresql).cast(upper) == event.id &&
      Event.find_by(id: event.id.to_s.to_sym) == event && Event.find_by(id: :zzz).nil?,
      'upper-case digits, and a Symbol')

# the first migration, and again, with a different OID of the type
ActiveRecord::Base.establish_connection(adapter: 'postgresql', database: 'empty')
event = nil
2.times do
  CreateTables.migrate(:down) if event
  CreateTables.migrate(:up)
  [Event, Remark].each(&:reset_column_information)
  event = Event.create!(what: 'log in')
end
remark = event.remarks.create!(likes: [event.id, event.id.to_s])
check(Event.find(event.id.to_s).id.is_a?(BSON::ObjectId) && Remark.includes(:event).map(&:event) == [event] &&
      Event.joins(:remarks).where(remark: { id: remark.id }).to_a == [event] &&
      remark.reload.likes == [event.id] * 2 && !remark.changed?, 'a relation')
check(Remark.new(event_id: event.id.to_s.upcase).event == event && event.remark_ids == [remark.id] &&
      (event.remark_ids = [remark.id.to_s.upcase]) && event.remarks.to_a == [remark], 'a relation, upper-case')
orphan = Remark.create!.reload
check(orphan.event_id.nil? && orphan.likes == [] && Remark.where(event_id: nil).to_a == [orphan], 'text: NULL')

# schema.rb contains each table, and creates the same tables again
def schema
  source = ActiveRecord::VERSION::STRING < '7.2' ? ActiveRecord::Base.connection : ActiveRecord::Base.connection_pool
  ActiveRecord::SchemaDumper.dump(source, StringIO.new).string
end

connection = ActiveRecord::Base.connection
connection.change_table(:remark) { |t| t.objectid :later }
connection.create_table(:bare, id: :objectid, default: nil) do |t|
  t.references :subject, polymorphic: true
  t.belongs_to :topic
end
before = schema
%i[bare remark event].each { |table| connection.drop_table(table) }
eval(before)
all = %w[remark bare].flat_map { |table| connection.columns(table) }
columns = all.select { |column| column.sql_type == 'objectid' }
check(before == schema && before.include?('t.objectid "seen_by"') &&
      before.include?('create_table "bare", id: :objectid, default: nil') &&
      columns.map(&:name) == %w[id event_id seen_by reply_to likes later id subject_id topic_id], 'schema.rb')
