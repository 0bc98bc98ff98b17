# objectid-import: the same command, with all its options, resumes what it began, and begins anew only what is
# complete.  Loads stop at a document that is rejected, and their options clear tables before.
use strict;
use warnings FATAL => 'all';
use ImportTest;

set_up();
local $ENV{OBJECTID_IMPORT_WINDOW} = 1000;

# A file of 100 documents, of which the 50th is invalid
sub half_valid
{
	return join('', map { bson(id($_), int32('n', $_), string('s', $_ == 50 ? "\0" : 'x')) } 1 .. 100);
}
write_file('half.bson', half_valid());
write_file('shop/shop/a.bson', documents(10, 1 .. 20));
write_file('shop/shop/b.bson', half_valid());
write_file('shop/shop/c.bson', documents(10, 1 .. 20));
my $stops = '--max-rejected=0';
my $goes_on = '--max-rejected=1';

# Mark the rows that are there.  Those that are loaded again are not.
sub mark { sql("UPDATE $_ SET doc = doc || '{\"marked\": true}'") for @_ }

sub marked
{
	return join(' ',
		map { sql("SELECT count(*) FILTER (WHERE doc ? 'marked') || '/' || count(*) FROM $_ WHERE doc ? 'n'") } @_);
}
my $refused = qr/more than 0 documents .* are rejected/;
my $old =
	'DROP TABLE IF EXISTS half, half_rejected, objectid_import; '
  . "CREATE TABLE half (_id objectid PRIMARY KEY, doc jsonb NOT NULL); INSERT INTO half VALUES ('"
  . 'f' x 24
  . q{', '{}')};

# The options of a load that stops; those of the next one; is that resumed?
for (
	{ first => '--truncate', then => '--truncate', resumed => 1 },
	{ first => '--drop', then => '--drop', resumed => 1 },
	{ first => '--upsert --restart', then => '--upsert --restart', resumed => 1 },
	{ first => '--truncate', then => '', resumed => 1 },
	{ first => '', then => '--truncate', resumed => 0 },
	{ first => '', then => '--restart --upsert', resumed => 0 },
	{ first => '--drop', then => '--truncate', resumed => 0 },
	{ first => '--truncate', then => '--truncate --restart', resumed => 0 })
{
	my %case = %$_;
	my $what = "$case{first}, then $case{then}";
	my @then = split(/ /, $case{then});
	sql($old);
	import_fails($what, $refused, split(/ /, $case{first}), $stops, 'half.bson');
	mark('half');
	my ($marked, $rows) = split(/\//, marked('half'));
	cmp_ok($rows, '<', 99, "$what: it has stopped");
	my ($status, $out, $err) = run_import(@then, $goes_on, 'half.bson');
	is($status, 0, "$what: exit status") or diag($out, $err);
	like($err, $case{resumed}                      ? qr/continuing run/ : qr/^(?!.*continuing)/s, "$what: message");
	is(marked('half') =~ s/\/.*//r, $case{resumed} ? $marked : 0, "$what: what was loaded stays, if it is resumed");
	is( sql("SELECT string_agg(n || ' ' || count, ', ' ORDER BY n) FROM (SELECT doc ? 'n' AS n, count(*) FROM half GROUP BY 1) AS x"
		),
		("$case{first} $case{then}" =~ /drop|truncate/ ? '' : 'false 1, ') . 'true 99',
		"$what: all documents are there, and others if nothing clears the table");
	next if $case{then} eq '';
	mark('half');
	($status, $out, $err) = run_import(@then, $goes_on, 'half.bson');
	unlike($err, qr/already loaded|continuing/, "$what, complete: it begins anew");
	is(marked('half'), $case{then} eq '--restart' ? '99/99' : '0/99', "$what, complete: rows");
}

# A dump is one command: what is complete of it waits for the rest
my @tables = map { "shop.$_" } qw(a b c);
for my $option (qw(--truncate --drop))
{
	import_fails("$option, a dump", $refused, $option, $stops, 'shop');
	mark(@tables);
	my ($in_b) = marked('shop.b') =~ /(\d+)/;
	my $messages = import_is("$option, a dump again", '20|0 99|1 20|0', $option, $goes_on, 'shop');
	is(() = $messages =~ /(a|c)\.bson: already loaded/g, 2, "$option: two files are loaded") or diag($messages);
	like($messages, qr/b\.bson: continuing/, "$option: one is resumed");
	is(marked(@tables), "20/20 $in_b/99 20/20", "$option: what is loaded stays");
	unlike(import_is("$option, a complete dump", '20|0 99|1 20|0', $option, $goes_on, 'shop'),
		qr/already|continuing/, "$option, a complete dump: no message");
	is(marked(@tables), '0/20 0/99 0/20', "$option, a complete dump: begins anew");
}

# but not one with a file that this one does not have
import_fails('a dump that stops', $refused, '--truncate', $stops, 'shop');
mark(@tables);
import_ok('the dump without what has stopped', '20|0 20|0', qw(--truncate --exclude=b shop));
is(marked(qw(shop.a shop.c)), '0/20 0/20', 'the dump without what has stopped begins anew');
import_is('the dump, once more', '20|0 99|1 20|0', '--truncate', $goes_on, 'shop');

# also for that of another schema
write_file('both/one/a.bson', documents(10, 1 .. 20));
write_file('both/two/b.bson', half_valid());
import_fails('two schemas', $refused, '--drop', $stops, 'both');
like(
	import_is('two schemas, again', '20|0 99|1', '--drop', $goes_on, 'both'),
	qr/a\.bson: already loaded.*b\.bson: continuing/s,
	'two schemas: what is loaded stays');

# Connections are lost after one of two tables is cleared, which the record does not have for the other
for my $option (qw(--truncate --drop))
{
	import_is("$option, once", '20|0 99|1 20|0', $option, $goes_on, 'shop');
	mark(@tables);
	my $holder = $node->background_psql('postgres');
	$holder->query_safe('BEGIN; LOCK TABLE shop.b IN ACCESS SHARE MODE');
	my ($running, $output) = start_import('/dev/null', $option, $goes_on, 'shop');
	wait_for_lock(1);
	sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'objectid-import'});
	$running->finish;
	$holder->query_safe('ROLLBACK');
	$holder->quit;
	like(
		$$output,
		qr/the connection was lost: .*hint: Run the same command again to resume the load\.\n/s,
		"$option, a lost connection: the hint");
	is(marked(@tables), '0/0 99/99 20/20', "$option, a lost connection: one table is cleared");
	unlike(import_is("$option, the same command", '20|0 99|1 20|0', $option, $goes_on, 'shop'),
		qr/already/, "$option, the same command: nothing was loaded");
	is(marked(@tables), '0/20 0/99 0/20', "$option, the same command: all are cleared");
}

# Tables that foreign keys connect are cleared together, or resumed together
sql('ALTER TABLE shop.b ADD FOREIGN KEY (_id) REFERENCES shop.c NOT VALID; ALTER TABLE shop.b DISABLE TRIGGER ALL');
import_fails('connected tables', $refused, '--truncate', $stops, 'shop');
mark(@tables);
import_is('connected tables, the same command', '20|0 99|1 20|0', '--truncate', $goes_on, 'shop');
like(marked(@tables), qr{^20/20 [1-9]\d*/99 20/20$}, 'connected tables: what is loaded stays');
import_fails('connected tables, again', $refused, '--truncate', $stops, 'shop');
write_file('shop/shop/c.bson', documents(10, 1 .. 10));
mark(@tables);
import_is('connected tables, of which one file is new', '20|0 99|1 10|0', '--truncate', $goes_on, 'shop');
is(marked(@tables), '20/20 0/99 0/10', 'connected tables, of which one file is new: both begin anew');

# Lost documents, and the hint that is followed
import_fails('a load that stops', $refused, '--truncate', $stops, 'half.bson');
sql('DELETE FROM half');
import_fails('lost documents', qr/hint: Use --restart to load/, '--truncate', $goes_on, 'half.bson');
import_is('lost documents, --restart', '99|1', '--truncate', '--restart', $goes_on, 'half.bson');

# What is printed of a load is printed again
write_file('hints.json', qq({"a":1}\n{"_id":1}\n{"_id":1}\n));
my ($status, $first) = run_import('hints.json');
like($first, qr/--generate-id\n.*--upsert\n/, 'hints of a load');
my (undef, $again, $message) = run_import('hints.json');
like($message, qr/already loaded/, 'hints of a load that is known: message');
is($again =~ s/\d+\.\d$//mr, $first =~ s/\d+\.\d$//mr, 'hints of a load that is known: the same report');

done_testing();
