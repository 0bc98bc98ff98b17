# for Bundler, which requires the name of the gem after rails or active_record
require 'pg_objectid/ruby_pg'
require 'pg_objectid/activerecord' if defined?(ActiveRecord)
