# --verify: what differs, is missing, extra or rejected; in one snapshot, whatever others write; without rights
# to write.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Cluster;
use ImportTest;

set_up(allows_streaming => 1);

# what --verify prints of a load that is complete, with windows of this size
my $file = write_file('film.bson', documents(100, 1 .. 1000));
import_ok('a load', '1000|0', $file);
is(verify_is('an equal table', '1000|0|0|0|0', [], $file), '', 'an equal table: no messages');

# one difference of each kind
my $restore = 'TRUNCATE film; INSERT INTO film TABLE saved';
sql('CREATE TABLE saved AS TABLE film');
my $one = sprintf(q{_id = '%s'}, hex_id(7));
my $extra = sprintf(q{INSERT INTO film SELECT '%s', doc FROM film LIMIT 1}, hex_id(2000));
my $empty = sprintf(q{INSERT INTO film VALUES ('%s', '{}')}, hex_id(3000));
my @differs = (run => 'film.bson', verifies => '999|1|0|0|0', keys => ['differ: 7']);
run_scenarios(
	map {
		{ %$_, sql => "$restore; $_->{sql}" }
	}{
		name => 'a changed field',
		sql => qq(UPDATE film SET doc = jsonb_set(doc, '{pad}', '"y"') WHERE $one),
		@differs
	},
	{ name => '1 and 1.0', sql => "UPDATE film SET doc = jsonb_set(doc, '{n}', '7.0') WHERE $one", @differs },
	{
		name => 'a missing row',
		sql => "DELETE FROM film WHERE $one",
		run => 'film.bson',
		verifies => '999|0|1|0|0',
		keys => ['missing: 7']
	},
	{
		name => 'an extra row',
		sql => $extra,
		run => 'film.bson',
		verifies => '1000|0|0|1|0',
		keys => ['extra: {"$oid": "500000000000000000000001"}']
	},
	{
		name => 'a document that is NULL, and one without its _id',
		sql => "ALTER TABLE film ALTER doc DROP NOT NULL; UPDATE film SET doc = NULL WHERE $one; $empty",
		run => 'film.bson',
		verifies => '999|1|0|1|0',
		keys => [ 'differ: 7', 'extra: "500000000000000000000bb8"' ]
	});
sql($restore);

# many differences, in files and pipes, parts, small windows and several passes
sql(q{UPDATE film SET doc = doc || '{"new": 1}' WHERE doc->'n' < '21'; DELETE FROM film WHERE doc->'n' > '900';
	INSERT INTO film SELECT overlay(_id::text PLACING '6' FROM 1 FOR 1)::objectid, doc - '_id' FROM saved WHERE doc->'n' <= '300'}
);
my $json = json_documents(100, 1 .. 1000);
my @forms = (
	[$file],
	[ '-j', 2, $file ],
	[ '-t', 'film', write_file('film.bson.gz', compress(slurp_file($file))) ],
	[ '-t', 'film', '--format=json', '-', $json ]);
for my $window (600, 8 * 1024 * 1024)
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = $window;
	for my $form (@forms)
	{
		my ($status, $out) = run_import('--verify', '-v', @$form);
		my $what = sprintf('%s, windows of %d', join(' ', map { substr(s{.*/}{}r, 0, 20) } @$form), $window);
		my %keys;
		$keys{$1}{$2} = 1 while $out =~ /^public\.film: (\w+): (.*)$/mg;
		like($out, qr/^public\.film +880 +20 +100 +300 +0 /m, "$what: counts");
		is( join(' ', (map { $_ . keys %{ $keys{$_} } } sort keys %keys), sort keys %{ $keys{differ} }),
			join(' ', 'differ10 extra10 missing10', map { sprintf('{"$oid":"%s"}', hex_id($_)) } 1 .. 10),
			"$what: the first ten keys");
	}
}
sql($restore);

# each key by the index
sub scans
{
	return ask("SELECT coalesce(idx_scan, 0) || ' ' || seq_scan FROM pg_stat_user_tables WHERE relname = '$_[0]'");
}
sql('CREATE TABLE parted (_id objectid PRIMARY KEY, doc jsonb NOT NULL) PARTITION BY HASH (_id)');
sql("CREATE TABLE parted_$_ PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER $_)") for 0, 1;
import_ok('a partitioned table', '1000|0', '-t', 'parted', $file);
sql('ANALYZE');
sql('SELECT pg_stat_reset()');
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 10_000;
	verify_is('a partitioned table', '1000|0|0|0|0', [], '-t', 'parted', $file);
	verify_is('a table, again', '1000|0|0|0|0', [], $file);
}
my %most = (film => 1000, parted_0 => 400, parted_1 => 400);
for my $table (sort keys %most)
{
	wait_until(sub { (scans($table) =~ /^(\d+)/)[0] >= $most{$table} });
	like(scans($table), qr/ [012]$/, "$table is not read as a whole for each batch");
}
run_scenarios(
	{
		name => 'a partitioned table with other rows',
		sql => q{DELETE FROM parted WHERE doc->'n' = '1';
			INSERT INTO parted SELECT '50000000000000000000270f', doc - '_id' FROM parted LIMIT 1},
		run => '-t parted film.bson',
		verifies => '999|0|1|1|0',
		keys => [ 'missing: 1', 'extra: "50000000000000000000270f"' ]
	});

# rejected documents, and duplicates
my $bad = bson(id(11), string('s', "a\0b"));
my $none = bson(int32('n', 1));
my $content = documents(10, 1 .. 10) . $bad . $none . bson(id(3), int32('n', 4711)) . documents(10, 5, 6);
my $mixed = write_file('mixed.bson', $content);
write_file('vacant.bson', '');
write_file('lines.json', qq({${\json_id(1)}}\n{not JSON}\n{"a":1}\n));
write_file($_->[0], bson(id(1), int32('balance', $_->[1]))) for [ 'then.bson', 100 ], [ 'now.bson', 5 ];
write_file('alone.json', '{"a":1}');
my @extra = map { qq(extra: "5000000000000000000000$_") } 14, 15;
my @lost = (
	verifies => '12|1|2|0|0',
	keys => [ 'differ: 3', 'missing: document 11: NUL character in a string', 'missing: document 12: no _id' ]);
my $only_rejected = qr/error: 1 documents of "alone\.json" are only in table public\.alone_rejected\n\z/;
run_scenarios(
	{ name => 'a load with rejected documents', run => 'mixed.bson', loads => '10|5' },
	{
		name => 'rejected documents',
		run => 'mixed.bson',
		verifies => '12|1|0|0|2',
		keys => ['differ: 3'],
		says => qr/error: 2 documents of "mixed\.bson" are only in table public\.mixed_rejected\n/
	},
	{
		name => 'as many extra rows as duplicates',
		sql => q{INSERT INTO mixed VALUES ('500000000000000000000014', '{}'), ('500000000000000000000015', '{}')},
		run => 'mixed.bson',
		verifies => '12|1|0|2|2',
		keys => [ 'differ: 3', @extra ]
	},
	{
		name => 'rejected documents that nobody has',
		sql => q{DELETE FROM mixed WHERE doc = '{}'; DELETE FROM mixed_rejected WHERE position IN (11, 12, 13)},
		run => 'mixed.bson',
		@lost
	},
	{ name => 'no table of rejected documents', sql => 'DROP TABLE mixed_rejected', run => 'mixed.bson', @lost },
	{
		name => 'a table that does not exist, and no documents',
		run => '--verify vacant.bson',
		fails_like => qr/table public\.vacant does not exist/
	},
	{ name => 'a load of JSON with rejected documents', run => 'lines.json', loads => '1|2' },
	{ name => 'rejected documents of JSON', run => 'lines.json', verifies => '1|0|0|0|2' },
	{ name => 'a load of a document', run => '-t accounts then.bson', loads => '1|0' },
	{ name => 'a load of a document that has changed', run => '-t accounts now.bson', loads => '0|1' },
	{
		name => 'a document that a load has rejected, and differs',
		run => '-t accounts now.bson',
		verifies => '0|1|0|0|0',
		keys => ['differ: 1']
	},
	{ name => 'a load of a rejected document', run => 'alone.json', loads => '0|1' },
	{ name => 'only a rejected document', run => 'alone.json', verifies => '0|0|0|0|1', says => $only_rejected },
	{ name => 'a rejected document, --max-rejected=1', run => '--max-rejected=1 alone.json', verifies => '0|0|0|0|1' },
	{
		name => 'a rejected document, --max-rejected=0',
		run => '--verify -q --max-rejected=0 alone.json',
		fails_like => qr/are only in table public\.alone_rejected/
	},
	{
		name => 'a key in two rows, by inheritance',
		sql => 'CREATE TABLE heir () INHERITS (accounts); INSERT INTO heir SELECT * FROM ONLY accounts',
		run => '-t accounts then.bson',
		verifies => '1|0|0|1|0',
		keys => ['extra: 1']
	});
sql('DROP TABLE mixed');
my ($status, $out, $err) = run_import('--verify', $mixed);
like("$status $out", qr/^1 .*^public\.mixed +0 +0 +15 +0 +0 /ms, 'a table that does not exist lacks all documents');
($status, $out, $err) = run_import(qw(--verify -q), "$work/alone.json");
like("$status$out$err", qr/^3objectid-import: $only_rejected/, '--quiet: the exit status, and a message');

# an extra row and a key that is there twice, whose hashes are in the same bucket
write_file('twice.bson', documents(0, 1 .. 10, 5));
my $same = sql(
	sprintf(
		q{SELECT id FROM (SELECT lpad(to_hex(n), 24, '6')::objectid AS id FROM generate_series(1, 10000) AS n) AS ids
		WHERE hash_record_extended(ROW(id), 0) & 255 = hash_record_extended(ROW('%s'::objectid), 0) & 255 LIMIT 1},
		hex_id(5)));
run_scenarios(
	{ name => 'a load of a key that is there twice', run => 'twice.bson', loads => '10|1' },
	{
		name => 'an extra row in the bucket of a key that is there twice',
		sql => "INSERT INTO twice VALUES ('$same', '{}')",
		run => 'twice.bson',
		verifies => '11|0|0|1|0',
		keys => [qq(extra: "$same")]
	});

# windows of less than a document have to grow
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 20;
	verify_is('windows of 20 bytes', '11|0|0|1|0', [qq(extra: "$same")], 'twice.bson');
}

# types of keys
my %keys = (
	text => [ \&string, map { "key $_" } 1 .. 9 ],
	bigint => [ \&int32, 1 .. 9 ],
	uuid => [ sub { element(5, $_[0], pack('VCNNNN', 16, 4, 0, 0, 0, $_[1])) }, 1 .. 9 ],
	jsonb => [ sub { element(3, $_[0], bson(int32('a', $_[1]))) }, 1 .. 9 ]);
for my $type (sort keys %keys)
{
	my ($make, @values) = @{ $keys{$type} };
	my $path =
	  write_file("k_$type.bson", join('', map { bson($make->('_id', $_), int32('n', 1)) } @values, $values[0]));
	import_is("keys of type $type", '9|1', $path);
	verify_is("keys of type $type", '10|0|0|0|0', [], $path);
	sql("UPDATE k_$type SET doc = '{}' WHERE _id = (SELECT _id FROM k_$type LIMIT 1)");
	($status, $out) = run_import('--verify', $path);
	like("$status $out", qr/^1 .* 8 +2 +0 +0 +0 /s, "keys of type $type, the row of a key that is there twice");
}
# keys whose type's own hash is the same; three documents with one key, and a row that is there twice, by inheritance
write_file('same.json', '{"_id":5} {"_id":4294967295}');
write_file('levels.json', '{"_id":{"a":[1]}}');
write_file('three.json', '{"_id":1} {"_id":1} {"_id":1}');
write_file('cases.bson', join('', map { bson(string('_id', $_)) } qw(a A b)));
run_scenarios(
	{ name => 'a load of numbers', run => 'same.json', loads => '2|0' },
	{
		name => 'numbers with the hashes of others',
		sql => q{INSERT INTO same VALUES (4294967300, '{}'), (-1, '{}')},
		run => 'same.json',
		verifies => '2|0|0|2|0',
		keys => [ 'extra: "4294967300"', 'extra: "-1"' ]
	},
	{ name => 'a load of keys of several levels', run => 'levels.json', loads => '1|0' },
	{
		name => 'keys of several levels',
		sql => q{INSERT INTO levels VALUES ('{"a": [[[1]]]}', '{"_id": {"a": [[[1]]]}}')},
		run => 'levels.json',
		verifies => '1|0|0|1|0',
		keys => ['extra: {"a": [[[1]]]}']
	},
	{
		name => 'a load into a table whose keys may be NULL',
		sql => 'CREATE TABLE nulls (_id jsonb UNIQUE, doc jsonb)',
		run => '-t nulls levels.json',
		loads => '1|0'
	},
	{
		name => 'rows without a key',
		sql => q{INSERT INTO nulls VALUES (NULL, '{"_id": "x"}'), (NULL, '{"_id": "y"}')},
		run => '-t nulls levels.json',
		verifies => '1|0|0|2|0',
		keys => [ 'extra: "x"', 'extra: "y"' ]
	},
	{ name => 'a load of a key three times', run => '--upsert three.json', loads => '1|0|2|0' },
	{
		name => 'a key three times, and a row twice',
		sql => q{CREATE TABLE three_child () INHERITS (three); INSERT INTO three VALUES (9, '{}');
			INSERT INTO three_child VALUES (9, '{}')},
		run => 'three.json',
		verifies => '3|0|0|2|0',
		keys => [ 'extra: "9"', 'extra: "9"' ]
	},
	{
		name => 'a load into a table whose collation takes keys for equal',
		sql => q{CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
			CREATE TABLE collated (_id text COLLATE nocase PRIMARY KEY, doc jsonb)},
		run => '-t collated cases.bson',
		loads => '2|1'
	},
	{
		name => 'a collation that takes keys for equal',
		run => '-t collated cases.bson',
		verifies => '2|1|0|0|0',
		keys => ['differ: "A"']
	});

# the domain of plain SQL
sql('CREATE DATABASE plain');
$node->safe_psql('plain', slurp_file($plain));
connect_to('plain');
import_ok('the domain of plain SQL', '1000|0', $file);
$node->safe_psql('plain', sprintf(q{UPDATE film SET _id = '%s' WHERE _id = '%s'}, hex_id(9999), hex_id(1)));
verify_is('a changed key of the domain',
	'999|0|1|1|0', [ 'missing: 1', sprintf('extra: {"$oid": "%s"}', hex_id(1)) ], $file);

# what the database cannot store
sql('CREATE DATABASE latin ENCODING LATIN1 TEMPLATE template0');
$node->safe_psql('latin', 'CREATE EXTENSION objectid');
connect_to('latin');
my @euro = map { bson(id($_), string('s', $_ % 5 ? 'x' : "\xe2\x82\xac")) } 1 .. 20;
import_is('characters that the database does not have', '16|4', write_file('euro.bson', join('', @euro)));
verify_is('characters that the database does not have', '16|0|0|0|4', [], "$work/euro.bson");
$node->safe_psql('latin', 'DELETE FROM euro_rejected WHERE position = 10');
($status, $out) = run_import('--verify', '-v', "$work/euro.bson");
like(
	$out,
	qr/ 16 +0 +1 +0 +3 .*^public\.euro: missing: document 10: .*has no equivalent in encoding "LATIN1"/ms,
	'the reason of the server');
connect_to('postgres');

# rights, other options, damage
write_file('nul.bson', $bad . documents(1, 1));
write_file('cut.bson', substr(slurp_file($file), 0, -10));
my @reader = qw(--verify -U reader nul.bson);
run_scenarios(
	{
		name => 'a role with SELECT',
		sql => 'CREATE ROLE reader LOGIN; GRANT SELECT ON film TO reader',
		run => '-U reader film.bson',
		verifies => '1000|0|0|0|0'
	},
	{ name => 'a load of a document that is rejected', run => 'nul.bson', loads => '1|1' },
	{
		name => 'no right to read rejected documents',
		sql => 'GRANT SELECT ON nul TO reader',
		run => \@reader,
		fails_like => qr/permission denied for table nul_rejected/
	},
	{
		name => 'row-level security',
		sql => 'ALTER TABLE nul ENABLE ROW LEVEL SECURITY',
		run => \@reader,
		fails_like => qr/cannot be verified\n.*Row-level security applies/
	},
	{
		name => 'a damaged file',
		run => '--verify -t film cut.bson',
		fails_like => qr/is damaged at .*\n.*Nothing is verified/
	});
import_fails('--verify with other options', qr/are for a load|exclude each other/, '--verify', $_, $file)
  for qw(--upsert --restart --drop --truncate --dry-run);

# a dump, of which a file is damaged, a table has a rule, and another one is equal
write_file("dump/d/$_.bson", documents(0, 1 .. 10)) for qw(damaged equal ruled);
import_ok('a dump', '10|0 10|0 10|0', "$work/dump");
sql('CREATE RULE r AS ON INSERT TO d.ruled DO INSTEAD NOTHING');
write_file('dump/d/damaged.bson', 'damaged');
($status, $out, $err) = run_import('--verify', '-j', 2, "$work/dump");
is(join(' ', $status, $out =~ /^(d\.\w+)/mg), '1 d.equal', 'a dump: what can be verified is in the report');
like($err, qr/table d\.ruled cannot be verified\n/, 'a dump: the rest is in messages');

# on a standby
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
{
	local @ImportTest::command = @ImportTest::command;
	$ImportTest::command[2] = $standby->connstr('postgres');
	local $ENV{OBJECTID_IMPORT_WINDOW} = 10_000;
	verify_is("a standby, $_->[0] $_->[1]", '1000|0|0|0|0', [], @$_, $file) for [ '-j', 2 ], [ '-j', 1 ];
	verify_is('a standby, rejected documents', '1|0|0|0|1', [], "$work/nul.bson");
}
$standby->stop;

# through a pooler
SKIP:
{
	my $missing = missing('pooler');
	skip $missing, 1 if $missing;
	my $port = start_pooler(3);
	local @ImportTest::command = map { s/port=\d+/port=$port/r } @ImportTest::command;
	local $ENV{OBJECTID_IMPORT_WINDOW} = 10_000;
	verify_is("a pooler, -j $_", '1000|0|0|0|0', [], '-j', $_, $file) for 1, 2;
	import_is('a load in the same sessions', '1000|0', '-t', 'pooled', $file);
}

# Comparisons that wait in the domain's constraint
connect_to('plain');
write_file("pair/public/$_.bson", documents(0, 1 .. 10)) for qw(a b);
import_ok('two tables', '10|0 10|0', "$work/pair");
$node->safe_psql('plain',
	q{INSERT INTO b SELECT overlay(_id PLACING '6' FROM 1 FOR 1), doc FROM b LIMIT 1; ALTER DOMAIN objectid ADD CONSTRAINT wait CHECK (pg_advisory_xact_lock_shared(4711)::text = '') NOT VALID}
);
my $holder = $node->background_psql('plain');

sub start_waiting
{
	$holder->query_safe('SELECT pg_advisory_lock(4711)');
	my ($running, $output) = start_import('/dev/null', '--verify', @_);
	wait_for_lock(1);
	return ($running, $output);
}

sub finish
{
	my ($running) = @_;
	$holder->query_safe('SELECT pg_advisory_unlock(4711)');
	$running->finish;
	return $? >> 8;
}

# while others write
my $pair = "$work/pair/public/a.bson";
my ($running, $output) = start_waiting($pair);
$node->safe_psql('plain', q{UPDATE a SET doc = '{}' WHERE doc->'n' > '5'; DELETE FROM a WHERE doc->'n' < '3'});
is(finish($running), 0, 'rows that others change meanwhile') or diag($$output);
like($$output, qr/^public\.a +10 +0 +0 +0 +0 /m, 'rows that others change meanwhile are those of the snapshot');

# a lost connection: of the comparison, and of the snapshot
for my $which (q{wait_event = 'advisory'}, q{state = 'idle in transaction'})
{
	($running, $output) = start_waiting($pair =~ s/a\.bson/b.bson/r);
	sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'objectid-import' AND $which");
	is(finish($running), 1, "a lost connection, where $which: exit status");
	like(
		$$output,
		qr/error: the connection was lost: .*hint: Nothing has been changed: run the same/s,
		"a lost connection, where $which: message");
}

# a process of several
$holder->query_safe('SELECT pg_advisory_lock(4711)');
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 10_000;
	($running, $output) = start_import('/dev/null', '--verify', '-j', 2, $file);
	wait_for_lock(2);
	sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'objectid-import' AND wait_event = 'advisory' LIMIT 1}
	);
	is(finish($running), 1, 'a process that ends early: exit status');
	like(
		$$output,
		qr/not all of ".*film.bson" has been compared with table public\.film/,
		'a process that ends early: message');
	unlike($$output, qr/^public\.film/m, 'a process that ends early: no report');
}

# the process of a second table, which begins after a change
import_ok('two tables again', '10|0 10|0', '--truncate', "$work/pair");
($running, $output) = start_waiting("$work/pair");
$node->safe_psql('plain', 'DELETE FROM public.b');
is(finish($running), 0, 'processes that begin one after the other: exit status');
like(
	$$output,
	qr/^public\.a +10 +0 +0 .*^public\.b +10 +0 +0 /ms,
	'processes that begin one after the other read one snapshot');
$holder->quit;
connect_to('postgres');

# documents of all types that PyMongo writes, which reads them again from the table
SKIP:
{
	my $missing = missing('verify');
	skip $missing, 1 if $missing;
	my @python = ('/usr/bin/python3', '-c');
	my $types = << 'END_PYTHON';
import datetime, sys
import bson
from bson import Binary, Code, CodecOptions, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
from bson.binary import UuidRepresentation
from bson.json_util import JSONMode, JSONOptions, dumps, loads
epoch = datetime.datetime(1970, 1, 1)
values = [1, -2**31, Int64(2**62), 3.0, 0.1, 1e300, 5e-324, float('nan'), float('inf'), 'a "\\ \t\u20ac\U0001f600', True, None,
          [], {}, [1, [2.5, {'a': None}]], ObjectId(), Binary(b'\x00\xff', 0), Binary(b'x' * 16, 3), Binary(b'x' * 16, 4), Binary(b'x' * 16, 5), Regex('^a', 'im'),
          Timestamp(1, 2), Decimal128('1.50'), Decimal128('NaN'), Code('x'), Code('x', {'y': 1}), MinKey(), MaxKey(),
          epoch, epoch - datetime.timedelta(milliseconds=1), datetime.datetime(2024, 2, 29, 1, 2, 3, 45000)]
options = JSONOptions(json_mode=JSONMode.RELAXED, uuid_representation=UuidRepresentation.UNSPECIFIED)
codec = CodecOptions(uuid_representation=UuidRepresentation.UNSPECIFIED)
END_PYTHON
	run_command([ @python, "$types\n" . << 'END_PYTHON', "$work/values.bson" ]);
with open(sys.argv[1], 'wb') as out:
    for n in range(3000):
        out.write(bson.encode({'_id': ObjectId(), 'n': n, 'v': values[n % len(values)]}, codec_options=codec))
END_PYTHON
	import_ok('documents of all types', '3000|0', "$work/values.bson");
	verify_is('documents of all types', '3000|0|0|0|0', [], "$work/values.bson");
	sql(qq{COPY (SELECT doc FROM "values") TO '$work/values.txt' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')}
	);
	my ($read, $error) =
	  run_command([ @python, "$types\n" . << 'END_PYTHON', "$work/values.bson", "$work/values.txt" ]);
def text(document):
    return dumps(document, sort_keys=True, json_options=options)
rows = {text(d['_id']): text(d) for d in (loads(line, json_options=options) for line in open(sys.argv[2], encoding='utf-8'))}
documents = bson.decode_all(open(sys.argv[1], 'rb').read(), codec)
print(len(documents), sum(rows[text(d['_id'])] == text(d) for d in documents))
END_PYTHON
	is("$read$error", '3000 3000', 'PyMongo reads the same documents from the table');
}

done_testing();
