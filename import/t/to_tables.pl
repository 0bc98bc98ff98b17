# objectid-import --to-tables: the script is printed, run, and printed again, in databases where others have rights,
# views, functions, policies and settings of their own, or change something between printing and running.
# Takes long.
use strict;
use warnings FATAL => 'all';
use ImportTest;

set_up(
	conf => 'log_min_messages = fatal',
	sql => 'CREATE EXTENSION objectid; CREATE ROLE ann LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE ob LOGIN; '
	  . 'CREATE ROLE mallory LOGIN; CREATE ROLE boss SUPERUSER; GRANT CREATE ON DATABASE postgres TO ob');
$ENV{PGDATABASE} = 'postgres';
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;

# what each scenario starts with, in a schema of its name
my @orders = (
	'"who":"ann","seen":{"$date":"2020-01-01T00:00:00Z"},"items":[{"sku":"a","n":1,"parts":[{"p":1}]},{"sku":"b","n":2}]',
	'"who":"bob","total":{"$numberDecimal":"1.50"},"items":[{"sku":"c","n":3}],"codes":[{"$oid":"507f1f77bcf86cd799439011"}]'
);

# Each has a name, and, of these, what it needs:
#   documents   of the table orders
#   before      SQL before the script is printed; names without a schema are the scenario's
#   role        that prints and runs; the default is the superuser
#   settings    of the sessions that print and run
#   options     instead of -n and the schema
#   refused     printing fails with this message, and changes nothing
#   script      the script has each of these
#   without     and none of these
#   between     SQL between printing and running
#   runs_as     the role that runs it
#   fails       running fails with this message, and changes nothing
#   after       queries, and what they give
my @scenarios = (
	{
		name => 'plain',
		script => [
			qr/^ALTER VIEW plain\.orders_items RENAME TO old_orders_items;$/m,
			qr/^CREATE TABLE plain\.orders_items AS TABLE plain\.old_orders_items;$/m,
			qr/^DROP VIEW plain\.old_orders_items;$/m,
			qr/^-- ALTER TABLE plain\.orders ALTER who SET NOT NULL;  -- in all 2 rows$/m,
			qr/^-- ALTER TABLE plain\.orders_items ALTER \w+ SET NOT NULL, ALTER \w+ SET NOT NULL;  -- in all 3 rows$/m,
			qr/^  ALTER _id SET DEFAULT pg_catalog\.gen_objectid\(\),$/m,
			qr/^\\echo complete: 1 table, 3 arrays$/m
		],
		without => [ qr/only in doc/, qr/reads old documents/ ],
		after => [
			q{SELECT string_agg(concat_ws(' ', position, sku, n), ', ' ORDER BY sku) FROM orders_items} =>
			  '1 a 1, 2 b 2, 1 c 3',
			q{INSERT INTO orders (who) VALUES ('new') RETURNING _id IS NOT NULL, old_doc IS NULL} => 't|t',
			q{SELECT col_description('orders_items_parts'::regclass, 4), obj_description('orders_items_parts'::regclass)}
			  => 'items[].parts[].p|items[].parts[]',
			q{SELECT col_description('orders'::regclass, attnum) FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attname = 'seen'}
			  => 'seen',
			q{DELETE FROM orders WHERE who = 'ann'; SELECT count(*), (SELECT count(*) FROM orders_items_parts) FROM orders_items}
			  => '1|0',
			q{UPDATE orders SET _id = gen_objectid() WHERE who = 'bob'; SELECT count(*) FROM orders_items JOIN orders ON _id = orders_id}
			  => '1'
		]
	},
	{
		name => 'losses',
		before =>
		  q{UPDATE orders SET doc = doc || '{"total":"x","new":[1,{"b":2}],"items":[{"n":"y","sku":null},{},5]}' WHERE who = 'bob'},
		script => [
			qr/^-- only in doc: 1 of items\[\]$/m,
			qr/^-- only in doc: 1 of items\[\]\.n, whose column is bigint$/m,
			qr/^-- only in doc: 1 of new\[\]$/m,
			qr/^-- only in doc: 1 of new\[\]\.b$/m,
			qr/^-- only in doc: 1 of total, whose column is numeric$/m
		],
		after => [ q{SELECT old_doc->>'total' FROM orders WHERE who = 'bob'} => 'x' ]
	},
	{
		name => 'rights',
		before => <<'END',
ALTER DEFAULT PRIVILEGES IN SCHEMA rights GRANT ALL ON TABLES TO mallory, PUBLIC;
GRANT USAGE ON SCHEMA rights TO ann, bob; GRANT SELECT ON orders_items TO ann WITH GRANT OPTION;
GRANT SELECT (sku), UPDATE (n) ON orders_items TO bob; GRANT SELECT ON orders_items_parts TO PUBLIC;
ALTER VIEW orders_items OWNER TO boss
END
		script => [qr/^REVOKE ALL ON rights\.orders_items FROM PUBLIC, mallory;$/m],
		after => [
			q{SELECT has_table_privilege('mallory', 'orders_items', 'SELECT'), has_table_privilege('ann', 'orders_items', 'SELECT WITH GRANT OPTION'),
				has_table_privilege('ann', 'orders_items', 'UPDATE'), has_column_privilege('bob', 'orders_items', 'n', 'SELECT'),
				has_column_privilege('bob', 'orders_items', 'sku', 'SELECT'), has_column_privilege('bob', 'orders_items', 'n', 'UPDATE')}
			  => 'f|t|f|f|t|t',
			q{SELECT has_table_privilege('mallory', 'orders_items_parts', 'SELECT'), has_table_privilege('mallory', 'orders_items_parts', 'INSERT')}
			  => 't|f',
			q{SELECT relowner::regrole FROM pg_class WHERE oid = 'orders_items'::regclass} => 'boss'
		]
	},
	{
		name => 'readers',
		before => <<'END',
CREATE VIEW skus WITH (security_barrier) AS SELECT sku FROM orders_items WHERE n > 1; GRANT SELECT ON skus TO ann; COMMENT ON VIEW skus IS 'mine';
CREATE VIEW on_skus AS SELECT * FROM skus; CREATE VIEW of_both AS SELECT sku, p, doc FROM orders_items, orders_items_parts, orders;
CREATE VIEW row_types AS SELECT i FROM orders_items AS i; CREATE MATERIALIZED VIEW kept AS SELECT sku FROM orders_items;
CREATE FUNCTION skus() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM orders_items; END;
CREATE FUNCTION sku_of(orders_items) RETURNS text LANGUAGE sql AS 'SELECT $1.sku';
CREATE VIEW raw AS SELECT doc FROM orders; CREATE INDEX ON orders ((doc->'x'));
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER keep BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION keep()
END
		script => [
			qr/^-- .*function readers\.skus\(\).*: through readers\.old_orders_items$/m,
			qr/^-- reads old documents: rule _RETURN on view readers\.raw$/m,
			qr/^-- reads old documents: index readers\.orders_expr_idx$/m,
			qr/^-- perhaps reads old documents: trigger keep$/m,
			qr/^CREATE OR REPLACE VIEW readers\.skus WITH \(security_barrier=true\) AS$/m
		],
		without => [qr/VIEW readers\.(?:on_skus|raw) /],
		after => [
			q{INSERT INTO orders_items (orders_id, position, sku, n) SELECT _id, 9, 'new', 9 FROM orders WHERE who = 'bob'; SELECT count(*) FROM on_skus}
			  => '3',
			q{SELECT skus(), (SELECT count(*) FROM of_both), (SELECT count(*) FROM row_types)} => '4|8|4',
			q{REFRESH MATERIALIZED VIEW kept; SELECT count(*) FROM kept} => '4',
			q{SELECT string_agg(sku_of(i), ' ' ORDER BY 1) FROM old_orders_items AS i} => 'a b c new',
			q{SELECT has_table_privilege('ann', 'skus', 'SELECT'), obj_description('skus'::regclass)} => 't|mine',
			q{SELECT count(*) FROM pg_depend JOIN pg_rewrite AS r ON objid = r.oid WHERE ev_class = 'skus'::regclass AND refobjid = 'orders_items'::regclass AND refobjsubid > 0}
			  => '2'
		]
	},
	{
		name => 'policies',
		before => <<'END',
GRANT USAGE ON SCHEMA policies TO ann, bob; GRANT SELECT ON ALL TABLES IN SCHEMA policies TO ann, bob;
ALTER TABLE orders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; CREATE POLICY own ON orders USING (who = current_user)
END
		after => [
			q{SET ROLE ann; SELECT string_agg(sku, ' ' ORDER BY sku) FROM orders_items} => 'a b',
			q{SET ROLE bob; SELECT string_agg(sku, ' ' ORDER BY sku) FROM orders_items} => 'c',
			q{SET ROLE bob; SELECT count(*) FROM orders_items_parts} => '0',
			q{SELECT relforcerowsecurity FROM pg_class WHERE oid = 'orders_items'::regclass} => 't'
		]
	},
	{
		name => 'owner',
		role => 'ob',
		before => <<'END',
RESET ROLE; CREATE SCHEMA anns AUTHORIZATION ann; GRANT USAGE ON SCHEMA owner TO ann; GRANT SELECT ON orders, orders_items TO ann;
SET ROLE ann; CREATE VIEW anns.mine AS SELECT sku FROM owner.orders_items; RESET ROLE
END
		script => [ qr/^-- rule _RETURN on view anns\.mine: through owner\.old_orders_items$/m, qr/<> \('ob', 'ob'\)/ ],
		without => [qr/OWNER TO/],
		after => [
			q{INSERT INTO orders_items (orders_id, position, sku) SELECT _id, 9, 'new' FROM orders WHERE who = 'bob'; SELECT count(*) FROM anns.mine}
			  => '4',
			q{SELECT DISTINCT relowner::regrole FROM pg_class WHERE relnamespace = 'owner'::regnamespace AND relkind = 'r' AND relname ~ '^orders_items'}
			  => 'ob'
		]
	},
	{
		name => 'another_role',
		role => 'ob',
		runs_as => '',
		fails => qr/postgres is not ob, for whom this script was printed|is not ob, for whom/
	},
	{
		name => 'row_security',
		role => 'ob',
		before => 'ALTER TABLE orders ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY',
		refused => qr/error: query would be affected by row-level security/
	},
	{
		name => 'odd_settings',
		settings =>
		  '-c standard_conforming_strings=off -c quote_all_identifiers=on -c client_encoding=latin1 -c default_transaction_isolation=serializable'
		  . ' -c search_path=mallory -c datestyle=german -c extra_float_digits=-15 -c bytea_output=escape -c timezone=Asia/Tokyo',
		documents =>
		  [qq("pr\xc3\xa9nom":"x","a\\\\' :b":[{"\xc3\xa9":"\xc3\xa9","d":{"\$date":"2020-01-01T00:00:00Z"}}])],
		before =>
		  qq{CREATE VIEW own AS SELECT '\\d\xc3\xa9''' AS a, timestamptz '2020-01-01 00:00:00Z' AS b, v.* FROM orders_a_b AS v;},
		script => [qr/'\\d\xc3\xa9'''/],
		after => [ qq{SELECT a, b = '2020-01-01Z', "\xc3\xa9" FROM own} => qq(\\d\xc3\xa9'|t|\xc3\xa9) ]
	},
	{
		name => 'names_in_use',
		documents => [
			join(',',
				map({ qq("$_":5) } qw(path node kind field value key type types w d e t n c u k)),
				'"items":[{"path":1,"position":2,"k":3,"n":4,"name":"x","counts":6}]')
		],
		before => 'CREATE TABLE old_orders_items (a int); CREATE VIEW used AS TABLE orders_items',
		after => [ 'SELECT count(*) FROM used' => 1, 'SELECT count(*) FROM old_orders_items' => 0 ]
	},
	{
		name => 'partitions',
		prepare => <<'END',
CREATE TABLE orders (_id objectid NOT NULL, doc jsonb NOT NULL, PRIMARY KEY (_id)) PARTITION BY HASH (_id);
CREATE TABLE orders_0 PARTITION OF orders FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE orders_1 PARTITION OF orders FOR VALUES WITH (MODULUS 2, REMAINDER 1)
END
		after => [
			'SELECT count(*) FROM orders_items' => 3,
			q{DELETE FROM orders; SELECT count(*) FROM orders_items} => 0,
			q{SELECT count(*) FROM pg_attribute WHERE attrelid IN ('orders_0'::regclass, 'orders_1'::regclass) AND (attgenerated <> '' OR attname = 'doc')}
			  => 0
		]
	},
	{
		name => 'unlogged',
		before => 'ALTER TABLE orders SET UNLOGGED',
		after => [
			q{SELECT string_agg(DISTINCT relpersistence::text, '') FROM pg_class WHERE relnamespace = 'unlogged'::regnamespace AND relname ~ '^orders_items'}
			  => 'u'
		]
	},
	{
		name => 'a_copy',
		before =>
		  q{CREATE TABLE copied AS TABLE orders_items; ALTER TABLE copied ADD FOREIGN KEY (orders_id) REFERENCES orders; COMMENT ON TABLE copied IS 'items[]'},
		without => [qr/copied/],
		after => [ 'SELECT count(*) FROM copied' => 3 ]
	},
	{
		name => 'own_columns',
		before => <<'END',
ALTER TABLE orders ADD made timestamptz GENERATED ALWAYS AS (objectid_time(_id)) STORED, ADD words tsvector GENERATED ALWAYS AS (to_tsvector('simple', doc->>'who')) STORED,
  ADD plain int DEFAULT 7; COMMENT ON COLUMN orders.who IS 'the customer'
END
		script => [qr/ALTER words DROP EXPRESSION/],
		without => [ qr/made DROP EXPRESSION/, qr/COMMENT ON COLUMN own_columns\.orders\.who/ ],
		after => [
			q{UPDATE orders SET words = 'x', who = who || '!'; SELECT col_description('orders'::regclass, attnum) FROM pg_attribute WHERE attrelid = 'orders'::regclass AND attname = 'who'}
			  => 'the customer',
			q{SELECT string_agg(attgenerated::text, '') FROM pg_attribute WHERE attrelid = 'orders'::regclass} => 's'
		]
	},
	{
		name => 'an_edited_view',
		before => <<'END',
CREATE OR REPLACE VIEW orders_items WITH (security_invoker) AS SELECT _id AS orders_id, a1.position::int AS position, element->>'sku' AS sku, (element->>'n')::bigint AS n, lower(element->>'sku') AS "low er"
  FROM orders, jsonb_array_elements(doc->'items') WITH ORDINALITY AS a1 (element, position) WHERE element->>'sku' <> 'b'; DROP VIEW orders_items_parts;
ALTER VIEW orders_items RENAME TO lines; ALTER VIEW lines RENAME sku TO article; COMMENT ON COLUMN lines."low er" IS 'mine'
END
		after => [
			q{SELECT string_agg(concat_ws(' ', article, "low er"), ', ' ORDER BY n) FROM lines} => 'a a, c c',
			q{SELECT col_description('lines'::regclass, 5), obj_description('lines'::regclass)} => 'mine|items[]'
		]
	},
	{
		name => 'a_rule',
		before => 'CREATE RULE r AS ON UPDATE TO orders_items DO INSTEAD NOTHING',
		refused => qr/error: view a_rule\.orders_items has triggers or rules\n.*hint: Drop them first/
	},
	{
		name => 'a_trigger',
		before => <<'END',
CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER t INSTEAD OF INSERT ON orders_items FOR EACH ROW EXECUTE FUNCTION f()
END
		refused => qr/error: view a_trigger\.orders_items has triggers or rules/
	},
	{
		name => 'a_view_of_mallory',
		before => <<'END',
GRANT USAGE, CREATE ON SCHEMA a_view_of_mallory TO mallory; GRANT SELECT ON orders TO mallory; SET ROLE mallory;
CREATE FUNCTION evil() RETURNS int LANGUAGE plpgsql AS 'BEGIN ALTER ROLE mallory SUPERUSER; RETURN 1; END';
CREATE VIEW planted AS SELECT _id, 1 AS position, evil() AS v FROM orders WHERE doc IS NOT NULL; COMMENT ON VIEW planted IS 'planted[]'; RESET ROLE
END
		refused => qr/error: code of role "mallory" could run with your rights/,
		after => [ q{SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'} => 'f' ]
	},
	{
		name => 'functions_of_mallory',
		before => <<'END',
GRANT USAGE, CREATE ON SCHEMA functions_of_mallory TO mallory; DROP FUNCTION IF EXISTS ejson_uuid(jsonb) CASCADE; SET ROLE mallory;
CREATE FUNCTION ejson_uuid(value jsonb) RETURNS uuid LANGUAGE plpgsql AS 'BEGIN ALTER ROLE mallory SUPERUSER; RETURN NULL; END'; RESET ROLE
END
		after => [ q{SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'} => 'f' ]
	},
	{
		name => 'views_of_mallory',
		before => <<'END',
GRANT USAGE, CREATE ON SCHEMA views_of_mallory TO mallory; GRANT SELECT ON orders_items TO mallory; SET ROLE mallory;
CREATE FUNCTION evil() RETURNS int LANGUAGE plpgsql AS 'BEGIN ALTER ROLE mallory SUPERUSER; RETURN 1; END';
CREATE VIEW hers AS SELECT sku, evil() AS v FROM orders_items; RESET ROLE
END
		after => [
			q{SELECT rolsuper, (SELECT relowner::regrole FROM pg_class WHERE oid = 'hers'::regclass) FROM pg_roles WHERE rolname = 'mallory'}
			  => 'f|mallory'
		]
	},
	(   map {
			{
				name => "changed_$_->[0]",
				before => $_->[2] // '',
				between => $_->[1],
				fails => qr/has changed: print this again/
			}
		}[ column => q{ALTER TABLE orders ADD late text GENERATED ALWAYS AS (doc->>'late') STORED} ],
		[
			names =>
			  'ALTER TABLE orders RENAME who TO x; ALTER TABLE orders RENAME total TO who; ALTER TABLE orders RENAME x TO total'
		],
		[
			view =>
			  q{CREATE VIEW late AS SELECT _id, 1 AS position FROM orders WHERE doc IS NOT NULL; COMMENT ON VIEW late IS 'late[]'}
		],
		[ reader => 'CREATE VIEW late AS TABLE orders_items' ],
		[
			definition => 'CREATE OR REPLACE VIEW own AS SELECT sku FROM orders_items WHERE n > 1',
			'CREATE VIEW own AS SELECT sku FROM orders_items'
		],
		[ rights => 'REVOKE SELECT ON orders_items FROM ann', 'GRANT SELECT ON orders_items TO ann' ],
		[
			column_rights => 'REVOKE SELECT (sku) ON orders_items FROM ann',
			'GRANT SELECT (sku) ON orders_items TO ann'
		],
		[ row_security => 'ALTER TABLE orders ENABLE ROW LEVEL SECURITY' ],
		[ options => 'ALTER VIEW orders_items SET (security_barrier)' ],
		[ rule => 'CREATE RULE r AS ON UPDATE TO orders_items DO INSTEAD NOTHING' ],
		[
			trigger =>
			  q{CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TRIGGER t INSTEAD OF INSERT ON orders_items FOR EACH ROW EXECUTE FUNCTION f()}
		],
		[ type => 'ALTER TABLE orders ALTER who TYPE varchar' ],
		[
			own_view =>
			  q{SELECT format('CREATE OR REPLACE VIEW orders_items WITH (security_invoker = true) AS %s WHERE true', rtrim(pg_get_viewdef('orders_items'::regclass), ';')) \gexec}
		],
		[ owner => 'ALTER VIEW orders_items OWNER TO ob' ]),
	{ name => 'gone', between => 'DROP VIEW orders_items', fails => qr/relation "gone\.orders_items" does not exist/ },
	{
		name => 'planted_table',
		between =>
		  'GRANT USAGE, CREATE ON SCHEMA planted_table TO mallory; SET ROLE mallory; CREATE TABLE old_orders_items (a int); RESET ROLE',
		fails => qr/relation "old_orders_items" already exists/
	},
	{
		name => 'one_table',
		before => 'CREATE TABLE other (_id objectid PRIMARY KEY, doc jsonb)',
		options => [ '-t', 'one_table.orders' ],
		without => [qr/one_table\.other/],
		after => [ q{SELECT count(*) FROM pg_attribute WHERE attrelid = 'other'::regclass AND attname = 'doc'} => 1 ]
	},
	(   map { { name => "refused_$_->[0]", before => $_->[3] // '', options => $_->[1], refused => $_->[2] } }
		  [ schema => [ '-n', 'nowhere' ], qr/error: schema "nowhere" does not exist/ ],
		[ table => [ '-t', 'nowhere' ], qr/error: there is no table nowhere with a column "_id"/ ],
		[
			view => [ '-t', 'refused_view.orders_items' ],
			qr/error: there is no table refused_view\.orders_items with a column "_id"/
		],
		[ file => [ '-n', 'public', 'x.bson' ], qr/error: --to-tables reads only the database/ ]));

# state_of($schema) - what would change if anything were left of a script that fails
sub state_of
{
	my ($schema) = @_;
	my $literal = $schema =~ s/'/''/gr;
	return sql(<<"END");
SELECT md5(string_agg(concat_ws(' ', c.oid, relname, relkind, relowner, relfilenode, relacl, reloptions, attname, attgenerated, attnotnull, attacl,
	pg_get_viewdef(c.oid)), ',' ORDER BY c.oid, attnum))
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace JOIN pg_attribute ON attrelid = c.oid WHERE nspname = '$literal'
END
}

# as(\%scenario, $code) - run it as the role, and with the settings, of a scenario
sub as
{
	my ($scenario, $code) = @_;
	local $ENV{PGUSER} = $scenario->{role} || $ENV{PGUSER};
	local $ENV{PGOPTIONS} = $scenario->{settings} // '';
	return $code->();
}

# print_tables(%scenario) - the script: exit status, script, messages
sub print_tables
{
	my (%s) = @_;
	return as(\%s, sub { run_import('--to-tables', @{ $s{options} // [ '-n', $s{name} ] }) });
}

# documents, and columns and views of them
sub prepare
{
	my (%s) = @_;
	my @documents = @{ $s{documents} // \@orders };
	my @arguments = ('-n', $s{name}, write_file('orders.json', lines_of(@documents)));
	my $as = $s{role} ? "SET ROLE $s{role}; " : '';
	sql($as . 'CREATE SCHEMA "' . $s{name} =~ s/"/""/gr . '"');
	in_schema($s{name}, "$as$s{prepare}") if $s{prepare};
	as({ role => $s{role} }, sub { make_schema(@arguments) });
	as({ role => $s{role} }, sub { import_is("$s{name}: a load", @documents . '|0', @arguments) });
	in_schema($s{name}, "$as$s{before}") if $s{before};
	return;
}

sub run_scenario
{
	my (%s) = @_;
	my $name = $s{name};
	prepare(%s);
	my ($status, $script, $err) = print_tables(%s);
	is("$status$script", '1', "$name: nothing is printed") if $s{refused};
	like($err, $s{refused}, "$name: it is refused") if $s{refused};
	run_printed($script, %s) if !$s{refused} && is("$status$err", '0', "$name: a script is printed");
	my @after = @{ $s{after} // [] };
	while (my ($query, $rows) = splice(@after, 0, 2)) { is(in_schema($name, $query), $rows, "$name: $query") }
	return;
}

# run what was printed: it fails and changes nothing, or the next one is empty
sub run_printed
{
	my ($script, %s) = @_;
	my $name = $s{name};
	is(not_plain($script), '', "$name: plain statements");
	like($script, $_, "$name: the script has $_")      for @{ $s{script}  // [] };
	unlike($script, $_, "$name: the script has no $_") for @{ $s{without} // [] };
	in_schema($name, $s{between}) if $s{between};
	my $before = state_of($name);
	my $failing = $script =~ s/^COMMIT;$/SELECT 1 \/ 0;\n$&/mr;
	as(\%s, sub { script_ends("$name, an error at the end", $failing, 3, qr/ERROR/) });
	is(state_of($name), $before, "$name, an error at the end: nothing has changed");
	my $runs = sub {
		my ($what, $status, $message) = @_;
		as({ %s, role => $s{runs_as} // $s{role} }, sub { script_ends($what, $script, $status, $message) });
	};
	$runs->($name, $s{fails} ? 3 : 0, $s{fails} // qr/^complete: /m);
	return is(state_of($name), $before, "$name: nothing has changed") if $s{fails};
	my (undef, $again) = print_tables(%s);
	is(statements($again), '', "$name: after the script, nothing is missing");
	like(
		$again,
		qr/^\\echo complete: nothing is missing$/m,
		"$name: after the script, the next one says that nothing is missing");
	$runs->("$name, a second time", 3, qr/ERROR/);
	return;
}

for my $scenario (@scenarios)
{
	eval { run_scenario(%$scenario); 1 } or fail("$scenario->{name}: $@");
}

# run_held($name, $sql, @settings) - run the script in one session for each of the settings, while another that has
# run this SQL has not committed: how they end
sub run_held
{
	my ($name, $sql, @settings) = @_;
	prepare(name => $name);
	my $file = write_file('held.sql', (print_tables(name => $name))[1]);
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(qq(SET search_path = "$name", public; BEGIN; $sql));
	my @running;
	for (@settings)
	{
		local $ENV{PGOPTIONS} = $_;
		push @running, IPC::Run::start([ 'psql', '-Xqf', $file ], '>&', \my $output);
		my $count = @running;
		wait_until("(SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock') = $count");
	}
	$holder->query_safe('COMMIT');
	$_->finish for @running;
	$holder->quit;
	return join(' ', sort map { $_->full_result >> 8 } @running);
}

# Others change something while the script waits
my $late = q{UPDATE orders SET doc = doc || '{"items":[{"sku":"late"}]}' WHERE who = 'ann'};
my $column = 'ALTER TABLE orders ADD late text';
my $repeatable_read = '-c default_transaction_isolation=repeatable\\ read';
is(run_held('a_lock', $late, $repeatable_read), '0', 'an UPDATE for which the script waits: it ends');
is(in_schema('a_lock', q{SELECT string_agg(sku, ' ' ORDER BY sku) FROM orders_items}),
	'c late', 'an UPDATE for which the script waits: its rows');
is(run_held('a_column', $column, ''), '3', 'a column for which the script waits: it fails');
is(run_held('two_at_once', 'UPDATE orders SET doc = doc', '', ''), '0 3', 'two scripts at once: one fails');
is(in_schema('two_at_once', 'SELECT count(*) FROM orders_items'), '3', 'two scripts at once: rows');

# pg_dump and restore, before and after
prepare(name => 'dumped');
my $other = (print_tables(name => 'dumped'))[1];
$node->command_ok([ 'pg_dump', '-f', "$work/dump.sql", 'postgres' ], 'pg_dump');
sql("CREATE DATABASE $_") for 'restored', 'restored_again';
run_script(slurp_file("$work/dump.sql"), 'restored');
connect_to('restored');
script_ends('a copy of the database for which it was printed', $other, 0, qr/./);
is(in_schema('dumped', 'SELECT count(*) FROM orders_items'), '3', 'a database that is restored: rows');
$node->command_ok([ 'pg_dump', '-f', "$work/dump.sql", 'restored' ], 'pg_dump of tables');
run_script(slurp_file("$work/dump.sql"), 'restored_again');
connect_to('restored_again');
like(
	(print_tables(name => 'dumped'))[1],
	qr/^\\echo complete: nothing is missing$/m,
	'tables that are restored: nothing is missing');
done_testing();
