# Functions that the programs of clients/ruby/ share; see t/ClientTest.pm.
require 'bson'

def check(condition, what)
  puts "#{condition ? 'ok' : 'not ok'} - #{what}"
end

# 1,000 ids, sorted: the counter of the library may wrap
def new_ids
  Array.new(1000) { BSON::ObjectId.new }.sort_by(&:to_s)
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
