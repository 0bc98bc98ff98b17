# objectid-import --section=post-data: each scenario is a dump in a schema of its own, which is loaded; the script is
# printed, run, and printed again, when nothing is missing.
use strict;
use warnings FATAL => 'all';
use ImportTest;

set_up(
	conf => 'log_min_messages = fatal',
	sql => 'CREATE EXTENSION objectid; CREATE ROLE ob LOGIN; CREATE ROLE mallory LOGIN; '
	  . 'GRANT CREATE ON DATABASE postgres TO ob, mallory');

sub oid { return '{"$oid":"' . hex_id($_[0]) . '"}' }

# key($name, $key, $more) - the metadata of an index
sub key { return sprintf('{"name":"%s","key":%s%s}', @_[ 0, 1 ], $_[2] // '') }

my $text = join('', map { chr(97 + $_ % 26) } 1 .. 3000);

# Each has a name, and, of these, what it needs:
#   files     documents of each collection, with ids from 1 on for directors, actors and users, and its metadata
#   role      that does all; the default is the superuser
#   chosen    changes in the first script, by which a reviewer chooses
#   before    SQL before the script is printed; names without a schema are the scenario's
#   settings  of the sessions that print and run
#   refused   printing fails with this message
#   says      on the terminal
#   script    the script has each of these
#   without   and none of these
#   fails     running fails with this message, and changes nothing
#   load_again  what the first script drops before the next load, and the next makes again: foreign keys, indexes
#   mend      SQL after which the same script runs
#   after     queries, and what they give
my @scenarios = (
	{
		name => 'reference',
		files => {
			directors => [ map { qq("name":"$_") } 1 .. 3 ],
			movies => [ map { '"director":' . oid($_) } 1, 2, 2 ],
			empty => ['"director":null']
		},
		says => qr/^objectid-import: post-data\.sql: 1 index, 1 foreign key$/m,
		script => [
			qr/^-- director: 3 of 3 values\nALTER TABLE reference\.movies ADD CONSTRAINT movies_director_fkey FOREIGN KEY \(director\) REFERENCES reference\.directors \(_id\);\nCOMMENT ON CONSTRAINT movies_director_fkey ON reference\.movies IS 'director, by objectid-import';$/m,
			qr/^CREATE INDEX movies_director_idx ON reference\.movies \(director\);$/m
		]
	},
	{
		name => 'orphans',
		files => { directors => ['"n":1'], movies => [ map { '"director":' . oid($_) } 1, 1, 7 ] },
		script => [
			qr/^-- director of orphans\.movies: 2 of 3 values are in orphans\.directors \(_id\); those without a target:\n-- SELECT /m,
			qr/^-- ALTER TABLE orphans\.movies ADD /m
		],
		without => [qr/^(?:ALTER|CREATE)/m],
		query => [ qr/^-- (SELECT \* FROM orphans.*);$/m, 'count(*)', 1 ]
	},
	{
		name => 'orphans_first',
		files => { directors => ['"n":1'], movies => [ map { '"director":' . oid($_) } (7) x 150, 1 ] },
		script => [qr/^-- director of orphans_first\.movies: 1 of 151 values are in orphans_first\.directors /m]
	},
	{
		name => 'ids_of_elements',
		files => {
			orders => [
				map {
					sprintf('"items":[{%s,"n":1},{%s}],"notes":[{%s,"n":1}]', json_id($_), json_id(9 + $_), json_id(5))
				} 1,
				2
			]
		},
		script => [
			qr/^-- items\[\]\._id of ids_of_elements\.orders_items: 4 of 4 values are different; when it is a table:\n-- CREATE UNIQUE INDEX orders_items__id_key ON ids_of_elements\.orders_items \(_id\);$/m
		],
		without => [qr/notes\[\]\._id of/],
		converted => [
			qr/^-- items\[\]\._id of ids_of_elements\.orders_items: 4 of 4 values are different:\n-- CREATE UNIQUE INDEX /m
		]
	},
	{
		name => 'several',
		files =>
		  { directors => ['"n":1'], actors => [ '"n":1', '"n":2' ], movies => [ map { '"who":' . oid($_) } 1, 1 ] },
		script => [
			qr/^-- who of several\.movies: 2 of 2 values are in several\.actors \(_id\):$/m,
			qr/^-- who of several\.movies: 2 of 2 values are in several\.directors \(_id\):$/m
		],
		without => [qr/^(?:ALTER|CREATE)/m]
	},
	{
		name => 'comment_of_key',
		files => { l => [ ['"v":"x"'], key('_id_', '{"_id":1}') ] },
		before => q(COMMENT ON COLUMN l._id IS 'keys[] of MongoDB'),
		says => qr/nothing is missing/
	},
	{
		name => 'aliases',
		files => { l => [ ['"v":"x"'], key('v_1', '{"v":1}') ] },
		script => [qr/^CREATE INDEX l_v_1 ON aliases\.l \(v\);$/m]
	},
	{
		name => 'own',
		# keys of another kind than _id, numbers, and texts of the document itself
		files => {
			users => [
				[ map { qq("name":"$_","n":$_,"slug":"$_") } 1 .. 3 ],
				key('name_1', '{"name":1}', ',"unique":true'),
				key('n_1', '{"n":1}', ',"unique":true')
			],
			posts => [ '"by":"2","stars":3', '"by":"3","stars":1' ]
		},
		script => [
			qr/^-- by: 2 of 2 values\nALTER TABLE own\.posts ADD CONSTRAINT posts_by_fkey FOREIGN KEY \(by\) REFERENCES own\.users \(name\);$/m,
			qr/^-- stars of own\.posts: 2 of 2 values are in own\.users \(n\), perhaps by chance:$/m,
			qr/^-- slug of own\.users: 3 of 3 values are in own\.users \(name\), perhaps by chance:$/m
		]
	},
	{
		name => 'next_load',
		files => {
			directors => [ [ map { qq("name":"$_") } 1 .. 3 ], key('name_1', '{"name":1}', ',"unique":true') ],
			movies => [ map { '"director":' . oid($_) . qq(,"by":"$_") } 1, 2 ]
		},
		load_again => [ 'movies_by_fkey movies_director_fkey', 'directors_name_1' ]
	},
	{
		name => 'each_other',
		files => {
			map { $_ => [ [ '"mail":"a"', '"mail":"b"' ], key('mail_1', '{"mail":1}', ',"unique":true') ] }
			  qw(users people)
		},
		script => [qr/^-- mail of each_other\.users: 2 of 2 values are in each_other\.people/m],
		without => [qr/^ALTER/m]
	},
	{
		name => 'in_arrays',
		files => {
			actors => [ '"n":1', '"n":2' ],
			movies => [
				[ '"cast":[{"actor":' . oid(1) . ',"role":"x"}],"tags":["a","b"]', '"tags":["c"]' ],
				key('tags_1', '{"tags":1}'),
				key('tags_1_year_1', '{"tags":-1,"cast.role":1}', ',"unique":true')
			]
		},
		says =>
		  qr/1 index, 0 foreign keys\. Not translated: 1 unique index \(line \d+\)|2 indexes, 0 foreign keys\. Not translated: 1 unique index \(line \d+\)/m,
		script => [
			qr/^CREATE INDEX movies_tags_1 ON in_arrays\.movies USING gin \(tags\);$/m,
			qr/^CREATE INDEX "?movies_tags_1_year_1\w*"? ON in_arrays\.movies USING gin \(\(doc->'cast'\) jsonb_path_ops\);$/m,
			qr/^-- When in_arrays\.movies_cast is a table:\n-- CREATE INDEX movies_cast_tags_1_year_1 ON in_arrays\.movies_cast \(role\);$/m,
			qr/^-- cast\[\]\.actor of in_arrays\.movies_cast: 1 of 1 values are in in_arrays\.actors \(_id\); when it is a table:$/m,
			qr/^-- Not translated: unique index tags_1_year_1 of in_arrays\.movies, because a field of it is in an array: \{.*"unique" : true.*\}$/m
		],
		without => [qr/USING gin \(tags\).*USING gin \(tags\)/s],
		converted => [
			qr/^CREATE INDEX movies_cast_tags_1_year_1 ON in_arrays\.movies_cast \(role\);$/m,
			qr/^-- cast\[\]\.actor: 1 of 1 values\nALTER TABLE in_arrays\.movies_cast ADD CONSTRAINT movies_cast_actor_fkey /m
		]
	},
	{
		name => 'duplicates',
		files => {
			users => [
				[ '"mail":"a"', '"mail":"a"', '"mail":"b"', '"n":1', '"n":1' ],
				key('mail_1', '{"mail":1}', ',"unique":true')
			]
		},
		says => qr/0 indexes, 0 foreign keys\. Cannot be made: 1 unique index \(line \d+\)$/m,
		script => [
			qr/^-- Cannot be made: unique index mail_1 of duplicates\.users, because so many values are there more than once: 1\n-- SELECT mail, count\(\*\) FROM duplicates\.users WHERE \(mail\) IS NOT NULL GROUP BY mail HAVING count\(\*\) > 1;\n-- CREATE UNIQUE INDEX users_mail_1 /m
		],
		query => [ qr/^-- (SELECT mail.*);$/m, 'mail, count', 'a|2' ]
	},
	{
		name => 'mended',
		files => {
			users =>
			  [ [ '"mail":"a"', '"mail":"b"' ], key('mail_1', '{"mail":1}', ',"unique":true'), key('n_1', '{"n":1}') ]
		},
		between => q{UPDATE users SET doc = doc || '{"mail":"a"}'},
		fails => qr/could not create unique index "users_mail_1"/,
		mend => q{UPDATE users SET doc = doc || '{"mail":"b"}' WHERE _id = (SELECT max(_id) FROM users)},
		after => [
			q{SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relname ~ '_1$' AND relnamespace = 'mended'::regnamespace}
			  => 'users_mail_1 users_n_1'
		]
	},
	{
		name => 'no_column',
		files => {
			users =>
			  [ ['"mail":"a"'], key('mail_1', '{"mail":1}', ',"unique":true,"partialFilterExpression":{"gone":null}') ]
		},
		script => [qr/^CREATE UNIQUE INDEX users_mail_1 ON no_column\.users \(mail\) WHERE \(doc->'gone' IS NULL /m],
		converted => [qr/\A(?!.*Not translated)/s]
	},
	{
		name => 'not_unique',
		files => { users => [ [ '"mail":"a"', '"mail":"b"' ], key('mail_1', '{"mail":1}', ',"unique":true') ] },
		before => q{CREATE INDEX mail_1 ON users (mail); COMMENT ON INDEX mail_1 IS 'index mail_1, by objectid-import'},
		says => qr/nothing is missing\. Not translated: 1 unique index \(line \d+\)$/m,
		script => [
			qr/^-- Not translated: unique index mail_1 of not_unique\.users, because the index with its comment is not unique: /m
		]
	},
	{
		name => 'renamed',
		files => {
			users => [
				[ '"mail":"a","age":1', '"mail":"b","age":"2"' ],
				key('mail_1', '{"mail":1}', ',"unique":true,"partialFilterExpression":{"mail":{"$gt":""}}'),
				key('age_1', '{"age":1}')
			]
		},
		before => 'ALTER TABLE users RENAME mail TO "E-Mail"; '
		  . q{ALTER TABLE users ADD years text GENERATED ALWAYS AS (doc->>'age') STORED},
		script => [
			qr/^CREATE UNIQUE INDEX users_mail_1 ON renamed\.users \("E-Mail"\) WHERE "E-Mail" COLLATE "C" > '';$/m,
			qr/^CREATE INDEX users_age_1 ON renamed\.users \(years\);$/m
		]
	},
	{
		name => 'kinds',
		files => {
			things => [
				[
					qq("a":"x","long":"$text","when":{"\$date":"2020-01-01T00:00:00Z"},"o":{"a.b":1,"c":[1]},"names":["$text"]),
					'"a":"X","old":"2020-01-01T00:00:00Z"'
				],
				key('_id_', '{"_id":1}'),
				key('long_1', '{"long":1}', ',"unique":true'),
				key('a_1', '{"a":1}', ',"unique":true,"collation":{"locale":"en","strength":2}'),
				key('a_de', '{"a":1}', ',"collation":{"locale":"de"}'),
				key('text', '{"_fts":"text"}'),
				key('ttl', '{"when":1}', ',"expireAfterSeconds":3600'),
				key('old', '{"old":1}', ',"expireAfterSeconds":1'),
				key('all', '{"$**":1}'),
				key('o.all', '{"o.$**":1}'),
				key('h', '{"a":"hashed"}'),
				key('two', '{"a":1,"o.c":-1}'),
				key('names_1', '{"names":1}'),
				key('any', '{"any.$**":1}'),
				key('h_s', '{"h":"hashed","s":1}'),
				key('descending', '{"y":-1,"_id":1}'),
				key('geo', '{"loc":"2dsphere"}'),
				key('no_key', '[1]'),
				key('no_path', '{"":1}'),
				key('text_1', '{"s":"1"}'),
				'"options":{"validator":{"a":{"$type":"string"}},"capped":true}'
			]
		},
		says => qr/Not translated: 2 unique indexes \(lines \d+, \d+\)$/m,
		script => [
			qr/^-- Not translated: unique index long_1 of kinds\.things, because its values are too long: \{/m,
			qr/^CREATE INDEX things_long_1 ON kinds\.things USING hash \(long\);$/m,
			qr/^-- CREATE UNIQUE INDEX things_a_1 ON kinds\.things \(lower\(a\)\);$/m,
			qr/^-- Not translated: index a_de of kinds\.things, because it has a collation: \{/m,
			qr/^-- Not translated: index text of kinds\.things, because it is of another kind: \{/m,
			qr/^-- Not translated: option validator of kinds\.things: \{ "a" : \{ "\$type" : "string" \} \}$/m,
			qr/^-- Not translated: option capped of kinds\.things$/m,
			qr/^-- DELETE FROM kinds\.things WHERE "when" < now\(\) - interval '3600 seconds';$/m,
			qr/^-- DELETE FROM kinds\.things WHERE kinds\.ejson_date\(doc->'old'\) < now\(\) - interval '1 seconds' AND doc->'old'->'\$date' IS NOT NULL;$/m,
			qr/^CREATE INDEX things_all ON kinds\.things USING gin \(\(doc\) jsonb_path_ops\);$/m,
			qr/^CREATE INDEX "things_o\.all" ON kinds\.things USING gin \(\(doc->'o'\) jsonb_path_ops\);$/m,
			(map { qr/^-- Not translated: index $_ of kinds\.things, because it/m } qw(geo no_key no_path text_1)),
			qr/^CREATE INDEX things_any ON kinds\.things USING gin \(\(doc->'any'\) jsonb_path_ops\);$/m,
			qr/^CREATE INDEX things_h_s ON kinds\.things USING hash \(\(doc->'h'\)\);$/m,
			qr/^CREATE INDEX things_h_s_[0-9a-f]{8} ON kinds\.things \(\(doc->'s'\)\);$/m,
			qr/^CREATE INDEX things_descending ON kinds\.things \(\(doc->'y'\) DESC, _id\);$/m,
			qr/^CREATE INDEX things_h ON kinds\.things USING hash \(a\);$/m,
			qr/^CREATE INDEX things_names_1 ON kinds\.things USING gin \(\(doc->'names'\) jsonb_path_ops\);$/m
		],
		delete => 1
	},
	{
		name => 'taken',
		files =>
		  { users => [ [ '"mail":"a","by":' . oid(1) ], key('mail_1', '{"mail":1}'), key('x' x 80, '{"mail":-1}') ] },
		before => 'CREATE SEQUENCE users_mail_1; ALTER TABLE users ADD CONSTRAINT users_by_fkey CHECK (true)',
		script => [
			qr/^CREATE INDEX users_mail_1_[0-9a-f]{8} ON/m,
			qr/^CREATE INDEX users_x{40,52}_[0-9a-f]{8} ON/m,
			qr/ADD CONSTRAINT users_by_fkey_[0-9a-f]{8} FOREIGN/
		]
	},
	{
		name => 'readers',
		files => { directors => ['"n":1'], movies => [ '"director":' . oid(1) ] },
		before =>
		  'ALTER TABLE movies ADD FOREIGN KEY (director) REFERENCES directors; CREATE INDEX ON movies (director)',
		without => [qr/^(?:ALTER|CREATE)/m]
	},
	{
		name => 'ordinary',
		role => 'ob',
		files => {
			directors => ['"n":1'],
			movies => [
				[ '"director":' . oid(1) ],
				key('n_1', '{"n":1}', ',"unique":true,"partialFilterExpression":{"n":{"$gt":1}}')
			]
		},
		settings =>
		  '-c default_transaction_isolation=serializable -c standard_conforming_strings=off -c quote_all_identifiers=on -c client_encoding=latin1',
		script => [ qr/^ALTER TABLE ordinary\.movies ADD/m, qr/^CREATE UNIQUE INDEX/m ]
	},
	{
		name => 'mallorys',
		files => { users => [ ['"n":1'], key('x_1', '{"x":1}', ',"partialFilterExpression":{"x":{"$gt":1}}') ] },
		before => 'ALTER TABLE users OWNER TO mallory',
		refused => qr/code of role "mallory" could run with your rights/
	},
	{
		name => "hostile\n\\! touch pwned #",
		files => {
			"ta\"b'l\\e" => [
				[ '"a\u0001\"\n":"x","z":[{"q\n\\\\! touch pwned":' . oid(1) . '}]' ],
				key('n\n\\\\! touch pwned', '{"a\u0001\"\n":1}', ',"unique":true'),
				key('f', '{"z.q\n\\\\! touch pwned":1}', ',"unique":true'),
				key('p', '{"z":1}', ',"partialFilterExpression":{"a\u0001\"\n":"\'x\n\\\\! touch pwned"}')
			]
		},
		script => [qr/^CREATE UNIQUE INDEX /m]
	});

my ($scenario, $schema);

# check($what, $found, $expected, @shown) - a failure names the scenario, and shows the script
sub check
{
	my ($what, $found, $expected, @shown) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	$what = "$scenario->{name}: $what" =~ s/\n/?/gr;
	(ref($expected) ? like($found, $expected, $what) : is($found, $expected, $what)) or diag(@shown);
	return;
}

# write_dump() - write the files of the scenario: the directory, and how many are loaded
sub write_dump
{
	my $dir = 'dump' . $schema++;
	my $files = $scenario->{files};
	for my $name (sort keys %$files)
	{
		my ($documents, @indexes) = ref($files->{$name}[0]) ? @{ $files->{$name} } : $files->{$name};
		my @options = grep { /^"options"/ } @indexes;
		@indexes = grep { !/^"options"/ } @indexes;
		my $base = "$dir/plain/" . $name =~ s/([^\w-])/sprintf('%%%02X', ord($1))/ger;
		my $id = $name =~ /^(?:directors|actors|users)$/ ? 1 : 1001;
		write_file("$base.json", join('', map { '{' . json_id($id++) . ",$_}\n" } @$documents));
		write_file("$base.metadata.json", '{' . join(',', @options, '"indexes":[' . join(',', @indexes) . ']') . '}')
		  if @indexes;
	}
	return ('-n', $scenario->{name}, "$work/$dir");
}

# load_again($script, @arguments) - the first script drops what can fail in a load, and the next makes it again
sub load_again
{
	my ($script, @arguments) = @_;
	my ($keys, $indexes) = @{ $scenario->{load_again} };
	my $first = script_of('--schema-only', @arguments);
	check('foreign keys go', join(' ', $first =~ /^ALTER TABLE \S+ DROP CONSTRAINT (\w+);$/mg), $keys, $first);
	check('unique indexes go', join(' ', $first =~ /^DROP INDEX \w+\.(\w+);$/mg), $indexes, $first);
	script_ends("$scenario->{name}: the first script", $first, 0, qr/./);
	import_is('the next load', '3|0 2|0', '--truncate', @arguments);
	my $again = statements(script_of('--section=post-data', @arguments));
	check('foreign keys and unique indexes are back',
		$again, join('', statements($script) =~ /^((?:ALTER|CREATE UNIQUE).*\n.*\n)/mg));
	script_ends("$scenario->{name}: the next script", script_of('--section=post-data', @arguments), 0, qr/./);
	return;
}

# convert(@arguments) - make tables of the views, and compare the next script
sub convert
{
	my (@arguments) = @_;
	run_script(script_of('--to-tables', @arguments[ 0, 1 ]));
	my ($status, $script, $err) = run_import('--section=post-data', @arguments);
	check('after the conversion', $script, $_, $err) for @{ $scenario->{converted} };
	script_ends("$scenario->{name}: the script after the conversion", $script, 0, qr/./);
	check('nothing is missing after the conversion', statements((run_import('--section=post-data', @arguments))[1]),
		'');
	return;
}

for (@scenarios)
{
	$scenario = $_;
	my @arguments = write_dump();
	local $ENV{PGUSER} = $scenario->{role} // $ENV{PGUSER} // '';
	delete local $ENV{PGUSER} unless $scenario->{role};
	make_schema(@arguments);
	my ($status, undef, $err) = run_import('-q', @arguments);
	check('the load', "$status$err", '0');
	in_schema($scenario->{name}, $scenario->{before}) if $scenario->{before};
	local $ENV{PGOPTIONS} = $scenario->{settings} // '';
	($status, my $script, $err) = run_import('--section=post-data', @arguments);
	check('exit status', $status, $scenario->{refused} ? 1 : 0, $err);
	check('message', $err, $scenario->{refused} // $scenario->{says} // qr/./, $script);
	check('nothing is printed', $script, '') if $scenario->{refused};
	next if $scenario->{refused};
	check("the script has $_", $script, $_) for @{ $scenario->{script} // [] };
	unlike($script, $_, "$scenario->{name}: the script has not $_") for @{ $scenario->{without} // [] };
	check('plain statements', not_plain($script), '', $script);

	if (my ($pattern, $columns, $rows) = @{ $scenario->{query} // [] })
	{
		my ($query) = $script =~ $pattern;
		check('the query in a comment', sql("SELECT $columns FROM ($query) AS q"), $rows);
	}
	in_schema($scenario->{name}, $scenario->{between}) if $scenario->{between};
	if ($scenario->{fails})
	{
		script_ends("$scenario->{name}, changed", $script, 3, $scenario->{fails});
		in_schema($scenario->{name}, $scenario->{mend});
	}
	script_ends($scenario->{name}, $script, 0, qr/./);
	my $again = (run_import('--section=post-data', @arguments))[1];
	check('after the script, nothing is missing', statements($again), '');
	check('after the script, the next one says that nothing is missing',
		$again, qr/^\\echo complete: nothing is missing$/m);
	my @after = @{ $scenario->{after} // [] };
	while (my ($query, $result) = splice(@after, 0, 2)) { check($query, in_schema($scenario->{name}, $query), $result) }
	load_again($script, @arguments) if $scenario->{load_again};
	in_schema($scenario->{name}, $_) for $scenario->{delete} ? $script =~ /^-- (DELETE .*;)$/mg : ();
	convert(@arguments) if $scenario->{converted};
	check('no name has run', -e "$work/pwned" ? 1 : 0, 0);
}

# A copy of a database: each refers to its own tables
for my $database (qw(one copy))
{
	write_file("both/$database/directors.json", '{' . json_id(1) . ",\"n\":1}\n");
	write_file("both/$database/movies.json", '{' . json_id(2) . ',"director":' . oid(1) . "}\n");
}
$scenario = { name => 'a copy' };
make_schema("$work/both");
import_ok('a dump of two databases', '1|0 1|0 1|0 1|0', "$work/both");
my $both = script_of('--section=post-data', "$work/both");
check(
	'foreign keys',
	join(' ', $both =~ /^ALTER TABLE (\S+) .* REFERENCES (\S+) /mg),
	'copy.movies copy.directors one.movies one.directors', $both);

# Each schema has fewer tables and keys than the server has locks, and all have more
sql(join('', map { "CREATE SCHEMA many$_;\n" } 0 .. 9)
	  . q{SELECT format('CREATE TABLE many%s.t%s (_id objectid PRIMARY KEY, doc jsonb NOT NULL,
  r objectid GENERATED ALWAYS AS ((doc->>''r'')::objectid) STORED)', n % 10, n),
  format('INSERT INTO many%s.t%s VALUES (%L, %L)', n % 10, n, lpad(n::text, 24, '0'),
    jsonb_build_object('r', lpad(n::text, 24, '0')))
FROM generate_series(0, 399) AS n \gexec});
$node->append_conf('postgresql.conf', "autovacuum = off\nmax_connections = 10\nmax_locks_per_transaction = 10");
$node->restart;
write_file(sprintf('many/many%d/t%d.json', $_ % 10, $_), '') for 0 .. 399;
my $many = script_of('--section=post-data', "$work/many");
is(() = $many =~ /^ALTER TABLE .* REFERENCES /mg, 400, 'locks of one schema at a time: a foreign key of each table');
done_testing();
