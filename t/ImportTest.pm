# What the tests of objectid-import share: the program, a server, BSON, dumps.
package ImportTest;
use strict;
use warnings FATAL => 'all';
use Cwd                qw(cwd);
use Exporter           qw(import);
use File::Path         qw(make_path);
use IO::Compress::Gzip qw(gzip);
use PostgreSQL::Test::Utils;
use Test::More;
use lib 't';
use TestServer;

our @EXPORT =
  qw($work $node set_up sql bson element id string int32 double documents hex_id json_id write_file compress run_import
  import_is import_ok import_fails start_import start_held release_held kill_held wait_for_lock wait_for_output);

our ($work, $node, @command, @there);

# start the test, or skip it
sub set_up
{
	need('import');
	$work = PostgreSQL::Test::Utils::tempdir;
	make_path("$work/build");
	system_or_bail('make', '-s', '-C', "$work/build", '-f', cwd() . '/import/Makefile',
		'with_llvm=no', 'COPT=-Wall -Wextra -Werror');
	$node = start_node('import', sql => 'CREATE EXTENSION objectid', @_);
	@command = ("$work/build/objectid-import", '-d', $node->connstr('postgres') . ' application_name=objectid-import');
}

sub sql { return $node->safe_psql('postgres', $_[0]) }

# A BSON document of elements, each "type, name, value" packed already
sub bson    { my $body = join('', @_) . "\0"; return pack('V', length($body) + 4) . $body }
sub element { my ($type, $name, $value) = @_; return pack('CZ*a*', $type, $name, $value) }
sub id      { return element(7, '_id', pack('NNN', 0x50000000, 0, $_[0])) }
sub string  { return element(2, $_[0], pack('V/a*', "$_[1]\0")) }
sub int32   { return element(0x10, $_[0], pack('l<', $_[1])) }
sub double  { return element(1, $_[0], pack('d<', $_[1])) }
sub hex_id  { return sprintf('500000000000000%09x', $_[0]) }
sub json_id { return sprintf('"_id":{"$oid":"%s"}', hex_id($_[0])) }

# documents($length, @ids) - BSON documents with these ids, their numbers, and a text of this length
sub documents
{
	my ($length, @ids) = @_;
	my $pad = string('pad', 'x' x $length);
	return join('', map { bson(id($_), int32('n', $_), $pad) } @ids);
}

# Write a file in $work, and its directories.  Returns its path.
sub write_file
{
	my ($name, $content) = @_;
	make_path("$work/$name" =~ s{/[^/]*\z}{}r);
	open(my $file, '>:raw', "$work/$name") or die "$name: $!";
	print $file $content;
	close($file) or die "$name: $!";
	return "$work/$name";
}

sub compress
{
	my ($content) = @_;
	gzip(\$content => \my $compressed) or die;
	return $compressed;
}

# the program runs in $work, where it writes *.indexes.sql
@there = (init => sub { chdir $work or die "$work: $!" });

# Run it: exit status, standard output, standard error.  What follows "-" is standard input.
sub run_import
{
	my (@arguments) = @_;
	my $input = @arguments > 1 && $arguments[-2] eq '-' ? pop @arguments : '';
	my ($out, $err);
	IPC::Run::run([ @command, @arguments ], '<', \$input, '>', \$out, '2>', \$err, @there);
	return ($? & 127 ? "signal $?" : $? >> 8, $out, $err);
}

# import_is($name, $counts, @arguments) - run one that ends by its report, which has to
# have these counts, "loaded|rejected" of each table, or "inserted|changed|equal|rejected",
# and the exit status for them.  Returns what it prints otherwise.
sub import_is
{
	my ($name, $counts, @arguments) = @_;
	my ($status, $out, $err) = run_import(@arguments);
	my $found = join(' ', map { join('|', split) } $out =~ /^\S.*?((?: +\d+){2,}) +\d+\.\d$/mg);
	my $expected = $counts =~ /\|[1-9]\d*(?!\S)/ && !grep({ /^--max-rejected/ } @arguments) ? 3 : 0;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("$status: $found", "$expected: $counts", $name) or diag($out, $err);
	return $err;
}

# the same, and that it prints nothing else
sub import_ok
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(import_is(@_), '', "$_[0]: no messages");
}

# import_fails($name, $message, @arguments) - run one that is to be refused, with a message
sub import_fails
{
	my ($name, $message, @arguments) = @_;
	my ($status, $out, $err) = run_import(@arguments);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($status, 1, "$name: exit status") or diag($out, $err);
	like($err, $message, "$name: message");
}

# Start one in the background, whose standard input is a file: the process, and what it prints
sub start_import
{
	my ($input, @arguments) = @_;
	my $output = '';
	my $running = IPC::Run::start([ @command, @arguments ], '<', $input, '>&', \$output, @there);
	return ($running, \$output);
}

# Wait until so many sessions of imports wait for a lock.
sub wait_for_lock
{
	my ($sessions) = @_;
	$node->poll_query_until('postgres',
		"SELECT count(*) = $sessions FROM pg_stat_activity WHERE application_name = 'objectid-import' AND wait_event_type = 'Lock'"
	) or die('the imports do not wait for a lock');
}

# Wait until a process that start_import() has started prints something.
sub wait_for_output
{
	my ($running, $output, $pattern) = @_;
	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		$running->pump_nb;
		return if $$output =~ $pattern;
		select(undef, undef, undef, 0.1);
	}
	diag("the import does not print $pattern, but $$output");
}

# start_held($file, $id, @options) - start an import, and wait until it waits for $id, which
# another session holds back: the import, that session, and what the import prints.  The
# table, named as the file, is made if it is not there.
sub start_held
{
	my ($file, $id, @options) = @_;
	my ($table) = $file =~ m{(\w+)\.(?:bson|json)(?:\.gz)?$};
	sql("CREATE TABLE IF NOT EXISTS $table (_id objectid PRIMARY KEY, doc jsonb NOT NULL)");
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(sprintf(q{BEGIN; INSERT INTO %s VALUES ('%s', '{}')}, $table, hex_id($id)));
	my ($running, $output) = start_import('/dev/null', @options, $file);
	wait_for_lock(1);
	return ($running, $holder, $output);
}

# Let an import that start_held() has started end: its exit status
sub release_held
{
	my ($running, $holder) = @_;
	$holder->query_safe('ROLLBACK');
	$running->finish;
	my $status = $? >> 8;
	$holder->quit;
	return $status;
}

# the same as start_held(), but it is killed there
sub kill_held
{
	my ($running, $holder) = start_held(@_);
	$running->signal('KILL');
	release_held($running, $holder);
}

1;
