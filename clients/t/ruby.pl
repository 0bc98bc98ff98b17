# Ruby: the gem, with the gem bson.
use ClientTest;

test_clients(
	install => <<'END',
(cd package && gem build --strict --output=../pg-objectid.gem pg-objectid.gemspec) 2>&1 | tee built
GEM_PATH=$PWD/gems:$(gem env path) GEM_HOME=$PWD/gems gem install --local --no-document pg-objectid.gem
END
	run => 'GEM_PATH=$DIRECTORY/gems:$(gem env path) ruby $PROGRAM');

__END__
# driver	program	ways	needs
ruby-pg	test/ruby-pg.rb	-	ruby-pg
activerecord	test/activerecord.rb	text	activerecord
# check	needs	command	allowed
a generated Rails application	rails	sh -e $CLIENT/test/rails.sh
gem build --strict	ruby_package	cat built	^  (Successfully built RubyGem|(Name|Version|File): .*)$
its files	ruby_package	tar -xOf pg-objectid.gem data.tar.gz | tar -tz | sort | diff <(printf '%s\n' LICENSE README.md lib/pg-objectid.rb lib/pg_objectid/activerecord.rb) -
