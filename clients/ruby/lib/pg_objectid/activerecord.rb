# ActiveRecord: BSON::ObjectId for columns of type objectid.
#
#   create_table :events, id: :objectid do |t|
#     t.objectid :seen_by, array: true
#   end
#
# Models need no change: attributes are BSON::ObjectIds, also in arrays, and accept a string of
# 24 digits.  schema.rb contains tables with such columns.  Require this file before the first
# connection.
require 'active_record'
require 'active_record/connection_adapters/postgresql_adapter'
require 'active_record/fixtures'
require 'bson'
require 'digest/sha1'

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

    BSON::ObjectId.from_string(value.to_s) if BSON::ObjectId.legal?(value)
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

  # The default as for uuid.  A reference without a type has that of the key: NULL would become of an id in a bigint.
  module PrimaryKey
    def primary_key(name, type = :primary_key, **options)
      @objectid_key = type == :objectid
      options = { default: -> { 'gen_objectid()' } }.merge(options) if @objectid_key
      super
    end

    def references(*names, **options)
      super(*names, **(@objectid_key ? { type: :objectid } : {}), **options)
    end
    alias belongs_to references
  end

  module Dumper
    private

    def explicit_primary_key_default?(column)
      column.type == :objectid || super
    end
  end

  # A label of a fixture is an id of the second 0, so that Model.last is a row that the test creates.
  module Fixtures
    def identify(label, column_type = :integer)
      return super unless column_type == :objectid

      BSON::ObjectId.from_string("00000000#{Digest::SHA1.hexdigest(label.to_s).first(16)}")
    end
  end

  ActiveRecord::FixtureSet.singleton_class.prepend(Fixtures)
  ActiveRecord::Type.register(:objectid, self, adapter: :postgresql)
  ActiveRecord::ConnectionAdapters::PostgreSQLAdapter.prepend(Adapter)
  ActiveRecord::ConnectionAdapters::PostgreSQLAdapter::NATIVE_DATABASE_TYPES[:objectid] = { name: 'objectid' }
  ActiveRecord::ConnectionAdapters::PostgreSQL::SchemaDumper.prepend(Dumper)
  ActiveRecord::ConnectionAdapters::PostgreSQL::TableDefinition.include(Column)
  ActiveRecord::ConnectionAdapters::PostgreSQL::TableDefinition.prepend(PrimaryKey)
  ActiveRecord::ConnectionAdapters::PostgreSQL::Table.include(Column)
end
