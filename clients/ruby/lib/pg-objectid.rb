# for Rails: gem 'pg-objectid' in the Gemfile
require 'pg_objectid/activerecord'
