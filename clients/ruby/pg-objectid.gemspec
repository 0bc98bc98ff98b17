Gem::Specification.new do |spec|
  spec.name = 'pg-objectid'
  spec.version = '1.0.0'
  spec.summary = 'BSON::ObjectId for PostgreSQL columns of type objectid: ActiveRecord'
  spec.authors = ['The objectid authors']
  spec.homepage = 'https://example.org/objectid'
  spec.license = 'PostgreSQL'
  spec.required_ruby_version = '>= 3.0'
  spec.files = Dir['{LICENSE,README.md,lib/**/*.rb}']
  spec.add_dependency 'bson', '>= 4.15', '< 6'
  spec.add_dependency 'pg', '~> 1.4'
end
