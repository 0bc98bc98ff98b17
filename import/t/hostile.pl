# objectid-import runs no code of other roles.  "mallory" creates objects with every name that the program
# uses (Hostile.pm).  Then a superuser loads and verifies; "admin", a role that can become one;
# and "bob", an ordinary role.
# Takes long.
use strict;
use warnings FATAL => 'all';
use Hostile;
use ImportTest;

set_up(sql => join(';', map { "CREATE ROLE $_ LOGIN" } qw(mallory dba bob admin)));
my $superuser = sql('SELECT current_user');
sql(qq(GRANT "$superuser" TO admin));

# Use this database from now on
my $database;

sub use_database
{
	connect_to($database = $_[0]);
	attack($node, $database);
	return;
}

# Create one in which mallory can create objects, with the names in this SQL, and use it.
sub create_database
{
	my ($name, $sql, @names) = @_;
	sql("CREATE DATABASE $name OWNER dba");
	use_database($name);
	run_sql("SET search_path = public; GRANT CREATE ON SCHEMA public TO bob, admin; $sql");
	create_hostile_objects(@names);
	return;
}

# Run a load that has to end with these counts, and ten documents in each of these tables.
sub load_is
{
	my ($what, $counts, $tables, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	import_is($what, $counts, @arguments);
	is( join(' ', map { run_sql("SELECT count(*) FROM public.$_") } @$tables),
		join(' ', map { 10 } @$tables),
		"$what: the documents are there");
	none_has_run($what);
}

# Compare a file or a dump with its tables, which have to be equal.
sub equal_is
{
	my ($what, $counts, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	verify_is("$what, --verify", $counts, [], @arguments);
	none_has_run("$what, --verify");
}

# Run a load that has to be refused.
sub load_fails
{
	my ($what, $message, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	import_fails($what, $message, @arguments);
	none_has_run($what);
}

# Ten documents with keys of a type, and two that are rejected, of which the server refuses one
my %keys = (
	objectid => \&id,
	text => sub { string('_id', "key $_[0]") },
	bigint => sub { int32('_id', $_[0]) },
	uuid => sub { element(5, '_id', pack('VCNNNN', 16, 4, 0, 0, 0, $_[0])) },
	jsonb => sub { element(3, '_id', bson(int32('a', $_[0]))) });

sub ten
{
	my ($key) = @_;
	return join('', map { bson($key->($_), int32('n', $_)) } 1 .. 10, 5) . bson($key->(11), string('s', "\0"));
}

local $ENV{OBJECTID_IMPORT_WINDOW} = 100;    # several batches
my $metadata = '{"options":{"capped":true},"indexes":[{"key":{"a.b":1,"c":-1},"name":"a","unique":true},'
  . '{"key":{"h":"hashed"},"name":"h","expireAfterSeconds":1}]}';
for (sort keys %keys)
{
	write_file("dump/public/k_$_.bson", ten($keys{$_}));
	write_file("dump/public/k_$_.metadata.json", $metadata);
}
my @tables = map { "k_$_" } sort keys %keys;
my $drop =
  'DROP TABLE IF EXISTS ' . join(', ', map { "public.$_" } 'objectid_import', map { ($_, "${_}_rejected") } @tables);

# Load all types of keys, and one of them in all ways.
sub load_all
{
	my ($what) = @_;
	for my $table (@tables)
	{
		my $file = "$work/dump/public/$table.bson";
		for (
			[ 'a file', '10|2', $file ],
			[ '--upsert', '0|0|11|1', '--upsert', '--restart', $file ],
			[ '--restart', '0|12', '--restart', $file ],
			[ 'a file that is loaded already', '0|12', $file ],
			[ '--truncate', '10|2', '--truncate', $file ],
			[ '-j 2, --drop', '10|2', '-j', 2, '--drop', $file ])
		{
			my ($how, $counts, @arguments) = @$_;
			next if $table ne 'k_text' && $how !~ /^(?:a file|--upsert)\z/;
			load_is("$what, $table, $how", $counts, [$table], @arguments);
		}
		equal_is("$what, $table", '11|0|0|0|1', $file);
	}
	run_sql($drop);
	load_is("$what, a dump", join(' ', map { '10|2' } @tables), \@tables, "$work/dump");
	run_sql('ALTER TABLE public.k_text ADD other bigint REFERENCES public.k_bigint');
	load_is("$what, a dump, --truncate", join(' ', map { '10|2' } @tables), \@tables, '--truncate', "$work/dump");
	equal_is("$what, a dump", join(' ', map { '11|0|0|0|1' } @tables), '-j', 2, "$work/dump");
	run_sql(
		q{DELETE FROM public.k_text WHERE _id = 'key 1'; UPDATE public.k_text SET _id = 'extra' WHERE _id = 'key 2'});
	verify_is(
		"$what, differences",
		'9|0|2|1|1',
		[ map({ qq(missing: "key $_") } 1, 2), 'extra: "key 2"' ],
		"$work/dump/public/k_text.bson");
	none_has_run("$what, differences");
	run_sql($drop);
}

# What the SQL of the program and of its scripts consists of
write_file('scripts/film/films.json', join('', map { sprintf(<<'END', json_id($_), json_id(100 + $_), $_) } 1 .. 3));
{%s,"s":"x","o":{"d":{"$date":"2020-01-01T00:00:00Z"}},"list":[1,2],"children":[{%s,"a":[[0.5]],"m":[1,"x"]}],"n":%d}
END
write_file('scripts/film/films.metadata.json', $metadata);
my $sql = join("\n",
	schema_of("$work/scripts"),
	slurp_file('ejson.sql'),
	(map { slurp_file($_) =~ s/^--.*//mgr } glob('sql/*.sql')),
	map { slurp_file($_) =~ /"((?:[^"\\]|\\.)*)"/g } glob('src/*.c src/*/*.c'));
my @types = qw(text name varchar char int4 int8 numeric bool bytea json jsonb uuid oid regclass regtype regprocedure
  regnamespace timestamptz objectid);

# Mallory's objects in "public", behind and before "pg_catalog"; the scripts have a copy of this database
create_database('hostile', 'CREATE EXTENSION objectid', $sql, @types);
connect_to('postgres');
sql('CREATE DATABASE scripts TEMPLATE hostile');
use_database('hostile');
run_sql(<<'END', 'mallory');
-- Tables that have the names of the program's temporary tables
CREATE FUNCTION public.evil_tables(schema text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	name text;
BEGIN
	FOR name IN SELECT word FROM public.evil_words WHERE word ~ '^objectid_import_' LOOP
		EXECUTE format('CREATE TABLE %1$s.%2$I (n integer CHECK (public.evil(''table %2$s'')), doc text DEFAULT public.evil(''table %2$s''))',
			schema, name);
	END LOOP;
END$$;

-- Functions that have the names of the program's temporary functions, but other arguments
CREATE FUNCTION public.evil_overloads() RETURNS void LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
	SELECT public.evil_function('pg_temp.' || word, format('%s, %s, OUT state text, OUT why text', a.type, b.type), 'record',
		format('%s of %s, %s', word, a.type, b.type))
	FROM public.evil_words, public.evil_types AS a, public.evil_types AS b
	WHERE word ~ '^objectid_import_' AND a.type IN ('bytea', 'text') AND (a.type, b.type) <> ('bytea', 'boolean')$$;
SELECT public.evil_tables('public')
END
for my $path ('"$user",public', 'public,pg_catalog')
{
	local $ENV{PGOPTIONS} = "-c search_path=$path";
	load_all($path);
}
my $file = "$work/dump/public/k_text.bson";

# Mallory's temporary objects, in the sessions that a pooler gives to the program
SKIP:
{
	my $missing = missing('pooler');
	skip $missing, 1 if $missing;
	my $port = start_pooler(2);
	local @ImportTest::command = map { s/port=\d+/port=$port/r } @ImportTest::command;
	my @sessions = map { local $node->{_port} = $port; $node->background_psql($database) } 1, 2;
	for my $objects (q{public.evil_names('pg_temp'), public.evil_overloads()}, q{public.evil_tables('pg_temp')})
	{
		for (
			[ 'a file', '10|2', ['k_text'], $file ],
			[ '--upsert', '0|0|11|1', ['k_text'], '--upsert', '--restart', $file ],
			[ 'a dump', join(' ', map { '10|2' } @tables), \@tables, '--drop', "$work/dump" ])
		{
			my ($how, $counts, $found, @arguments) = @$_;
			$_->query_safe('BEGIN; DISCARD TEMP; SET LOCAL ROLE mallory') for @sessions;
			$_->query_safe("SELECT $objects; COMMIT")                     for @sessions;
			if ($objects =~ /evil_names/)
			{
				load_is("temporary objects, $how", $counts, $found, @arguments);
				equal_is("temporary objects, $how", '11|0|0|0|1', $file);
			}
			else
			{
				load_fails("temporary tables, $how", qr/error: .*already exists/, @arguments);
			}
		}
		run_sql($drop);
	}
	$_->quit for @sessions;
}

# Tables and views of mallory's in the place of those that the program fills
sub is_distrusted
{
	my ($what, $owner, @arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	load_fails($what, qr/^objectid-import: error: .*\b$owner\b/ms, @arguments);
}
import_is('tables to copy', '10|2', '-t', 'model.k_text', $file);
run_sql('GRANT USAGE ON SCHEMA model TO mallory; GRANT SELECT ON ALL TABLES IN SCHEMA model TO mallory');
for my $name (qw(k_text k_text_rejected objectid_import))
{
	for my $kind ('TABLE', 'VIEW')
	{
		my $table = $kind eq 'TABLE' ? $name : 'evil_copy';
		run_sql("
CREATE TABLE public.$table (LIKE model.$name INCLUDING ALL, trap boolean DEFAULT public.evil('default') CHECK (public.evil('CHECK')));
CREATE INDEX ON public.$table (public.evil_constant());
CREATE TRIGGER t BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON public.$table EXECUTE FUNCTION public.evil_trigger()",
			'mallory');
		run_sql("CREATE VIEW public.$name AS SELECT *, public.evil_constant() FROM public.$table", 'mallory')
		  if $kind eq 'VIEW';
		run_sql("GRANT ALL ON public.$name TO PUBLIC", 'mallory');
		my $tables =
		  run_sql(q{SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname ~ '^k_'});
		for (
			[ 'a file', $file ],
			[ '--upsert', $file ],
			[ '--restart', $file ],
			[ '--drop', $file ],
			[ '--truncate', $file ],
			[ '--verify', $file ],
			map({ ([ 'a file', $file, '-U', $_ ], [ '--verify', $file, '-U', $_ ]) } qw(admin bob)))
		{
			my ($how, @arguments) = @$_;
			is_distrusted("$kind $name of mallory's, $how", 'mallory', $how =~ /^--/ ? $how : (), @arguments);
		}
		is(run_sql(q{SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname ~ '^k_'}),
			$tables, "$kind $name of mallory's: nothing is created");
		run_sql("DROP $kind public.$name; DROP TABLE IF EXISTS public.evil_copy; $drop");
	}
}

# Bob's own table, and a trigger of others
run_sql(
	'CREATE TABLE public.k_text (_id text PRIMARY KEY, doc jsonb NOT NULL);
	CREATE FUNCTION public.harmless() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NEW; END$$;
	CREATE TRIGGER t BEFORE INSERT ON public.k_text FOR EACH ROW EXECUTE FUNCTION public.harmless()', 'bob');
load_is('a trigger of his own', '10|2', ['k_text'], '-U', 'bob', $file);
is_distrusted("a table of bob's, loaded by $_", 'bob', '-U', $_, $file) for $superuser, 'admin';
run_sql('CREATE TRIGGER t2 BEFORE INSERT ON public.k_text FOR EACH ROW EXECUTE FUNCTION public.evil_trigger()', 'bob');
is_distrusted("mallory's trigger on a table of bob's", 'mallory', '-U', 'bob', '--restart', $file);
run_sql($drop);

# Mallory may create triggers, and does so during a load, whose snapshots could be older
for my $table (qw(k_text k_text_rejected objectid_import))
{
	import_is("before a trigger on $table", '10|2', $file);
	run_sql("TRUNCATE public.k_text; GRANT TRIGGER ON public.$table TO mallory");
	my ($holder, $mallory) =
	  map { $node->background_psql($database, extra_params => [ '-U', $_ ]) } $superuser, 'mallory';
	$holder->query_safe(q(BEGIN; INSERT INTO public.k_text VALUES ('key 5', '{}')));
	local $ENV{PGOPTIONS} = '-c default_transaction_isolation=repeatable\\ read';
	my ($running, $output) = start_import('/dev/null', '--restart', $file);
	wait_until($waits);
	$mallory->query_until(qr//,
		"CREATE TRIGGER t BEFORE INSERT OR UPDATE ON public.$table EXECUTE FUNCTION public.evil_trigger();\n");
	wait_until(
		q{EXISTS (SELECT FROM pg_stat_activity WHERE usename = 'mallory' AND query ~ 'TRIGGER' AND (wait_event_type = 'Lock' OR state = 'idle'))}
	);
	$holder->query_safe('ROLLBACK');
	$running->finish;
	like(($? >> 8) . $$output, qr/^1.*error: .*mallory/s, "a trigger on $table during a load");
	none_has_run("a trigger on $table during a load");
	$_->quit for $holder, $mallory;
	run_sql($drop);
}

# A role that is only set is not trusted, because its code can set it back
run_sql(
	'CREATE TABLE public.k_text (_id text PRIMARY KEY, doc jsonb NOT NULL);
	CREATE FUNCTION public.become_superuser() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN EXECUTE $x$RESET ROLE; ALTER ROLE bob SUPERUSER$x$; RETURN NEW; END$$;
	CREATE TRIGGER t BEFORE INSERT OR TRUNCATE ON public.k_text EXECUTE FUNCTION public.become_superuser()', 'bob');
for my $set ('PGOPTIONS', 'ALTER ROLE')
{
	local $ENV{PGOPTIONS} = $set eq 'PGOPTIONS' ? '-c role=bob' : '';
	run_sql(qq{ALTER ROLE "$superuser" SET role = bob}) if $set eq 'ALTER ROLE';
	for my $option ('', '--truncate', '--upsert', '--verify')
	{
		is_distrusted("a table of bob's, whose role is set by $set, $option", 'bob', $option ? $option : (), $file);
	}
	local $ENV{PGOPTIONS} = '-c role=none';
	run_sql(qq{ALTER ROLE "$superuser" RESET role});
}
is(run_sql(q{SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = 'bob'}), 'f', 'bob is no superuser');
run_sql(
	"$drop; CREATE ROLE owner; GRANT owner TO dba; GRANT CREATE ON SCHEMA public TO owner; ALTER ROLE dba SET role = owner"
);
load_fails('a table that a role which is set creates', qr/"owner" owns it.*\n.*hint: .*role=none/, '-U', 'dba', $file);
{
	local $ENV{PGOPTIONS} = '-c role=none';
	load_is('the session\'s own role', '10|2', ['k_text'], '-U', 'dba', $file);
}
run_sql("$drop; ALTER ROLE dba RESET role");

# Functions of mallory's in types, policies and rules of a trusted role's table
my $default = 'ALTER TABLE public.k_text ALTER x SET DEFAULT';
my $trap = q{CREATE DOMAIN model.trap AS boolean CHECK (public.evil('a domain'));};
for (
	[ 'DEFAULT of a domain', q{CREATE DOMAIN model.trap AS boolean DEFAULT public.evil('a default')}, 'x model.trap' ],
	[ 'composite type', "$trap CREATE TYPE model.outer AS (a model.trap)", 'x model.outer', "$default row(true)" ],
	[
		'range',
		"$trap CREATE TYPE model.outer AS RANGE (subtype = model.trap)",
		'x model.outer',
		"$default model.outer(false, true)"
	],
	[ 'policy', '', 'ENABLE ROW LEVEL SECURITY', q{CREATE POLICY p ON public.k_text USING (public.evil('a policy'))} ],
	[ 'rule', '', '', q{CREATE RULE u AS ON UPDATE TO public.k_text DO ALSO SELECT public.evil('a rule')} ],
	[ 'table in a rule', '', '', q{CREATE RULE u AS ON UPDATE TO public.k_text DO ALSO DELETE FROM public.evil_words} ])
{
	my ($what, $types, $column, $sql) = @$_;
	my $action = !$column ? '' : 'ALTER TABLE public.k_text ' . ($column =~ /^x/ ? "ADD $column" : $column);
	run_sql("$types; CREATE TABLE public.k_text (_id text PRIMARY KEY, doc jsonb NOT NULL)");
	import_ok("$what: before", '10|2', $file);
	# of no rows, because the statement would run a DEFAULT for each
	run_sql("TRUNCATE public.k_text; $action; " . ($sql // ''));
	is_distrusted("mallory's function in a $what", 'mallory', '--upsert', $file);
	run_sql("$drop; DROP TYPE IF EXISTS model.outer; DROP DOMAIN IF EXISTS model.trap");
}

# The scripts: printed and run by a superuser, who writes and reads, too; the tables are not in mallory's schema
my @scripts =
  ([ '--schema-only', "$work/scripts" ], [ '--section=post-data', "$work/scripts" ], [qw(--to-tables -n film)]);
use_database('scripts');
for my $path ('"$user",public', 'public,pg_catalog')
{
	local $ENV{PGOPTIONS} = "-c search_path=$path";
	my $what = "scripts, search_path $path";
	for my $again (0, 1)
	{
		run_script(script_of(@{ $scripts[0] }));
		import_ok("$what, a load", '3|0', '--truncate', "$work/scripts");
		run_script(script_of(@{ $scripts[1] }));
		none_has_run($what);
	}
	run_script(
		q{UPDATE film.films SET doc = doc OPERATOR(pg_catalog.||) '{"n":5}'; DELETE FROM film.films WHERE _id::pg_catalog.text OPERATOR(pg_catalog.~) '3$'}
	);
	is(run_sql('SELECT pg_catalog.count(*) FROM film.films_children_a'), 2, "$what: the views show what is written");
	none_has_run("$what, writes and reads");
	my $tables = script_of(@{ $scripts[2] });
	run_script($path =~ /^public/ ? $tables : $tables =~ s/^COMMIT;$/ROLLBACK;/mr);
	none_has_run("$what, the conversion");
}
is(run_sql('SELECT pg_catalog.count(*) FROM film.films_children_a'), 2, 'the tables of views have the rows');

# A role that may create objects in the schema of the tables has created one before
for my $object (
	'FUNCTION film.ejson_integer(value jsonb) RETURNS bigint LANGUAGE sql RETURN 1',
	'TABLE film.films_children (a int)',
	'TABLE film.films (_id objectid PRIMARY KEY, doc jsonb NOT NULL)')
{
	my ($kind) = $object =~ /^(\w+)/;
	create_database(lc("refused_$kind") . length($object), 'CREATE EXTENSION objectid', '');
	run_sql('CREATE SCHEMA film; GRANT ALL ON SCHEMA film TO mallory, bob, admin');
	run_sql(
		"CREATE $object; COMMENT ON $object IS 'values 1, by objectid-import'" =~
		  s/COMMENT ON (\w+ [\w.]+(?:\(value jsonb\))?).*? IS/COMMENT ON $1 IS/r,
		'mallory');
	for my $role ($superuser, 'admin', 'bob')
	{
		my ($status, $out, $err) = run_import('-q', '-U', $role, @{ $scripts[0] });
		my $planted = $object =~ /children/;
		is("$status $out" =~ /^0 .*^CREATE VIEW film\.films_children_[0-9a-f]{8} /ms,
			$planted, "a script of $role, and mallory's $object");
		like($err, $planted ? qr/\A\z/ : qr/error: .*mallory/, "a script of $role, and mallory's $object: message");
	}
}

# The domain of plain SQL, or another type of that name
create_database('plain', '', '');
my $film = write_file('film.bson', bson(id(1)));
my $domain = 'CREATE DOMAIN public.objectid AS text CHECK (length(VALUE) = 24)';
my $evil_domain = q{CREATE DOMAIN public.objectid AS text CHECK (public.evil('domain'))};
my $undo =
  'DROP TABLE IF EXISTS public.film, public.film_rejected, public.objectid_import; DROP DOMAIN IF EXISTS public.objectid';
for (
	[ 'mallory', $superuser, 0 ],
	[ 'mallory', 'dba', 0 ],
	[ 'mallory', 'admin', 0 ],
	[ 'bob', 'admin', 0 ],
	[ 'mallory', 'bob', 0 ],
	[ 'bob', $superuser, 0 ],
	[ 'bob', 'bob', 1 ],
	[ 'dba', 'bob', 1 ],
	[ 'dba', $superuser, 1 ],
	[ $superuser, 'bob', 1 ])
{
	my ($owner, $loader, $accepted) = @$_;
	my $what = "a domain of $owner, loaded by $loader";
	run_sql($owner eq 'mallory' ? $evil_domain : $domain, $owner);
	if ($accepted)
	{
		import_ok($what, '1|0', '-U', $loader, $film);
	}
	else
	{
		is_distrusted($what, $owner, '-U', $loader, $film);
	}
	run_sql($undo);
}
run_sql($evil_domain, 'mallory');
run_sql('CREATE TABLE public.film (_id public.objectid PRIMARY KEY, doc jsonb NOT NULL)');
is_distrusted("a table with a domain of mallory's", 'mallory', $film);
run_sql('DROP TABLE public.film; DROP DOMAIN public.objectid; CREATE EXTENSION objectid');
run_sql($evil_domain, 'mallory');
import_ok("the extension's type, and a domain of mallory's", '1|0', $film);
is( run_sql(
		q{SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = 'public.film'::regclass AND attname = '_id'}
	),
	'objectid',
	"the extension's type, and a domain of mallory's: the key is of the type");
none_has_run('the extension');
run_sql("$undo; DROP EXTENSION objectid");
run_sql('CREATE TABLE public.objectid (a text)', 'mallory');
import_fails('a table named objectid', qr/does not have the type objectid/, $film);

done_testing();
