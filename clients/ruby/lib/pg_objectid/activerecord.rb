# ActiveRecord: BSON::ObjectId for columns of type objectid.
#
#   create_table :events, id: :objectid, default: -> { 'gen_objectid()' } do |t|
#     t.objectid :seen_by, array: true
#   end
#
# Models need no change: attributes are BSON::ObjectIds, also in arrays, and accept a string of
# 24 digits.  schema.rb contains tables with such columns.  Require this file before the first
# connection.
require 'active_record'
require 'active_record/connection_adapters/postgresql_adapter'
require 'bson'

module PgObjectId; end

class PgObjectId::Type < ActiveRecord::Type::Value
  def type
    :objectid
  end

  def serialize(value)
    cast(value)&.to_s
  end

  private

  # An invalid id becomes nil, as with uuid columns, so find() finds nothing.
  def cast_value(value)
    return value if value.is_a?(BSON::ObjectId)

    date = value.acts_like?(:time) || value.acts_like?(:date)
    raise ArgumentError, "write where('id > ?::timestamptz', time)" if date

    BSON::ObjectId.from_string(value) if BSON::ObjectId.legal?(value)
  end

  module Adapter
    # for where('id < ?', id)
    def quote(value)
      super(value.is_a?(BSON::ObjectId) ? value.to_s : value)
    end

    # for exec_query('...', 'SQL', [id])
    def type_cast(value)
      super(value.is_a?(BSON::ObjectId) ? value.to_s : value)
    end

    private

    # ActiveRecord looks up the OIDs of all names in the map after this, on each connection
    def initialize_type_map(map = type_map)
      map.register_type('objectid', PgObjectId::Type.new)
      super
    end
  end

  module Column
    def objectid(*names, **options)
      names.each { |name| column(name, :objectid, **options) }
    end
  end

  ActiveRecord::Type.register(:objectid, self, adapter: :postgresql)
  ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend(Adapter)
  ActiveRecord::ConnectionAdapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:objectid] = { name: 'objectid' }
  ActiveRecord::ConnectionAdapters::PostgreSQL::TableDefinition.include(Column)
  ActiveRecord::ConnectionAdapters::PostgreSQL::Table.include(Column)
end
