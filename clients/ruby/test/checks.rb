# What the programs of this directory share; see t/ClientTest.pm.
require 'bson'

# what is no id
WRONG = ['no id', '', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', ' 507f1f77bcf86cd799439011', 5].freeze
DATE = Time.utc(2025, 2, 20, 5)

# the seconds of VECTORS, by their ids; and 1,000 ids and the vectors, sorted
VECTORS = ENV['VECTORS'].lines.to_h do |line|
  digits, seconds = line.split
  [BSON::ObjectId.from_string(digits), seconds.to_i]
end
IDS = (Array.new(1000) { BSON::ObjectId.new } + VECTORS.keys).sort_by(&:to_s)

def check(condition, what)
  puts "#{condition ? 'ok' : 'not ok'} - #{what}"
end

# whether the block raises this error for each value
def refused?(error, values)
  values.all? do |value|
    yield(value) && false
  rescue error
    true
  end
end

# The checks of every client: insert takes an id and its digits; made returns all ids, find those that are equal to an
# id or to one of several, later the n of "dated" whose time is after a date.
def checks(insert:, made:, find:, later:)
  IDS.each { |id| insert.call(id, id.to_s) }
  check(made.call == IDS, 'text: 1,000 ids come back equal')
  right = VECTORS.all? do |id, seconds|
    found = find.call(id)
    found == [id] && found[0].generation_time.to_i == seconds && found[0].to_bson.to_s == [id.to_s].pack('H24')
  end
  check(right, 'text: vectors')
  check(find.call(IDS.first(10)) == IDS.first(10), 'text: WHERE with an ObjectId')
  check(later.call(DATE) == [*9990..9999], 'text: id > a date')
end
