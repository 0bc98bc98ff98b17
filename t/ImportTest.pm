# What the tests of objectid-import share: the program, a server, BSON.
package ImportTest;
use Cwd qw(cwd);
use lib 't';
use TestServer;

our @ISA = qw(TestServer);
our @EXPORT = qw($work $node set_up sql bson element id string int32 hex_id write_file run_import import_ok start_held);

our ($work, $node, @command);

# start the test, or skip it
sub set_up
{
	need('import');
	$work = PostgreSQL::Test::Utils::tempdir;
	system_or_bail('make', '-s', '-C', $work, '-f', cwd() . '/import/Makefile', 'CFLAGS=-O1 -g -Wall -Wextra -Werror');
	$node = start_node('import', sql => 'CREATE EXTENSION objectid');
	@command = ("$work/objectid-import", '-d', $node->connstr('postgres') . ' application_name=objectid-import');
}

sub sql { return $node->safe_psql('postgres', $_[0]) }

# A BSON document of elements, each "type, name, value" packed already
sub bson    { my $body = join('', @_) . "\0"; return pack('V', length($body) + 4) . $body }
sub element { my ($type, $name, $value) = @_; return pack('CZ*a*', $type, $name, $value) }
sub id      { return element(7, '_id', pack('NNN', 0x50000000, 0, $_[0])) }
sub string  { return element(2, $_[0], pack('V/a*', "$_[1]\0")) }
sub int32   { return element(0x10, $_[0], pack('l<', $_[1])) }
sub hex_id  { return sprintf('500000000000000%09x', $_[0]) }

sub write_file
{
	my ($name, $content) = @_;
	open(my $file, '>:raw', "$work/$name") or die "$name: $!";
	print $file $content;
	close($file) or die "$name: $!";
	return "$work/$name";
}

sub run_import
{
	my ($input, @arguments) = @_;
	my ($out, $err);
	IPC::Run::run([ @command, @arguments ], '<', \$input, '>', \$out, '2>', \$err);
	return ($? & 127 ? "signal $?" : $? >> 8, $out, $err);
}

# Run one that must succeed
sub import_ok
{
	my ($name, $input, @arguments) = @_;
	my ($status, $out, $err) = run_import($input, @arguments);
	is("$status $err", '0 ', $name);
	return $out;
}

# start_held($file, $id) - start an import, and wait until it waits for $id, which another
# session holds back: the import, that session, and what the import has to say.  The
# table, named as the file, is made if it is not there.
sub start_held
{
	my ($file, $id) = @_;
	my ($table) = $file =~ m{(\w+)\.bson$};
	sql("CREATE TABLE IF NOT EXISTS $table (_id objectid PRIMARY KEY, doc jsonb NOT NULL)");
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(sprintf(q{BEGIN; INSERT INTO %s VALUES ('%s', '{}')}, $table, hex_id($id)));
	my $running = IPC::Run::start([ @command, $file ], '<', \undef, '>&', \my $output);
	$node->poll_query_until('postgres',
		q{SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'objectid-import' AND wait_event_type = 'Lock'}
	) or BAIL_OUT("the import does not wait for $id: $output");
	return ($running, $holder, \$output);
}

1;
