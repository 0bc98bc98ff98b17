# Functions that the programs of clients/ruby/ share; see clients/t/ClientTest.pm.
require 'bson'

def check(condition, what)
  puts "#{condition ? 'ok' : 'not ok'} - #{what}"
end

# the seconds of VECTORS, by their ids
VECTORS = ENV['VECTORS'].lines.to_h do |line|
  digits, seconds = line.split
  id = BSON::ObjectId.from_string(digits)
  raise unless id.to_s == digits && id.to_bson.to_s == [digits].pack('H24')

  [id, seconds.to_i]
end

# 1,000 ids and the vectors, sorted
def new_ids
  (Array.new(1000) { BSON::ObjectId.new } + VECTORS.keys).sort_by(&:to_s)
end

# find returns the ids that are equal to one
def check_vectors(how, find)
  right = VECTORS.all? do |id, seconds|
    found = find[id]
    found == [id] && found[0].generation_time.to_i == seconds
  end
  check(right, "#{how}: vectors")
end

# what is no id, and what is no id within an array
WRONG = ['no id', '', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', ' 507f1f77bcf86cd799439011', 5].freeze
ELEMENTS = ['507f1f77bcf86cd799439011,507f1f77bcf86cd799439011', 'NULL', '', '"', '\\', '{}', ' ', 5].freeze

# whether the block raises this error for each value
def refused?(error, values)
  values.all? do |value|
    yield(value) && false
  rescue error
    true
  end
end

DATE = Time.utc(2025, 2, 20, 5)
LATE = [*9990..9999]

# In the database "empty", without the extension: the same connection migrates, uses the tables, reverts, and migrates
# again.  use returns an id that it has read.
def empty_database(migrate, use, revert)
  ids = Array.new(2) do
    migrate.call
    use.call.tap { revert.call }
  end
  check(ids.all?(BSON::ObjectId), 'the first migration, and again')
end
