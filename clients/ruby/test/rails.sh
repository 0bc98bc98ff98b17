# A Rails application is generated, with a model that refers to another; its own tests pass.  Prints what fails.
GEM_PATH=$DIRECTORY/gems:$(gem env path)
export GEM_PATH DATABASE_URL=postgresql:///empty RAILS_ENV=test PARALLEL_WORKERS=1
{
	rails new app --minimal --skip-bundle --skip-git --database=postgresql
	cd app
	rm -f config/initializers/assets.rb # without Sprockets
	printf "gem '%s'\n" rails pg pg-objectid >Gemfile
	sed -i '/load_defaults/a config.generators { |g| g.orm :active_record, primary_key_type: :objectid }' config/application.rb
	mkdir db/migrate
	echo "class First < ActiveRecord::Migration[6.1]; def change = enable_extension('objectid'); end" >db/migrate/1_first.rb
	bin/rails generate model author name
	bin/rails generate scaffold post title author:references
	bin/rails generate model remark 'subject:references{polymorphic}'
	printf 'one:\n  subject: two (Post)\n' >test/fixtures/remarks.yml
	cat >test/models/remark_test.rb <<-'END'
		require 'test_helper'
		class RemarkTest < ActiveSupport::TestCase
		  test 'references' do
		    post = Post.create!(title: 'new', author: authors(:one))
		    assert_equal posts(:two), Remark.first.subject
		    assert_equal post, Remark.create!(subject: post).reload.subject
		    assert_equal [post, authors(:one)], [Post.last, post.reload.author]
		    assert_nil Post.find_by(id: 'zzz')
		  end
		end
	END
	bin/rails db:migrate
	bin/rails db:schema:load
	bin/rails test
} >"$DIRECTORY/log" 2>&1 || cat "$DIRECTORY/log"
grep -q '^8 runs, .* 0 failures, 0 errors, 0 skips' "$DIRECTORY/log" || cat "$DIRECTORY/log"
