# What the tests of objectid-import share: the program, a server, BSON, dumps.
package ImportTest;
use strict;
use warnings FATAL => 'all';
use Cwd                    qw(cwd);
use File::Basename         qw(basename dirname);
use Exporter               qw(import);
use File::Path             qw(make_path);
use IO::Compress::Gzip     qw(gzip);
use IO::Uncompress::Gunzip qw(gunzip);
use IPC::Open3             qw(open3);
use PostgreSQL::Test::Utils;
use Test::More;
use Needs;
use TestServer;

our @EXPORT =
  qw($work $node $plain make_program set_up sql bson element id string int32 double documents json_documents lines_of hex_id json_id write_file compress run_import
  import_is import_ok import_fails verify_is run_scenarios start_import start_held release_held kill_held disconnect wait_for_lock wait_for_output
  $waits ask wait_until in_schema run_psql run_script script_ends not_plain script_of schema_of statements make_schema read_documents compare_documents connect_to start_pooler);
push @EXPORT, qw(basename), @PostgreSQL::Test::Utils::EXPORT, @Test::More::EXPORT, @Needs::EXPORT, @TestServer::EXPORT;

our ($work, $node, @command, @there);
our $database = 'postgres';

# The tests run in the directory of the project.  One by itself has a copy of plain/objectid.sql.
chdir(dirname(__FILE__) . '/..') or die("$!");
our $plain = cwd() . '/plain/objectid.sql';
$plain = ($ENV{OBJECTID_SOURCES} // '') . 'plain/objectid.sql' unless -f $plain;

# the condition that an import waits for a lock
our $waits =
  q{EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'objectid-import' AND wait_event_type = 'Lock' AND wait_event <> 'extend')};

# make_program($directory) - build objectid-import there.  "make check" and "make installcheck" name a
# program that is tested instead.
sub make_program
{
	my ($directory) = @_;
	if (my $program = $ENV{IMPORT_PROGRAM})
	{
		symlink($program, "$directory/objectid-import") && -x $program or BAIL_OUT("$program: $!");
		return;
	}
	system_or_bail(
		'make', '-s', '-C', $directory, '-f',
		cwd() . '/Makefile',
		'COPT=-Wall -Wextra -Werror ' . ($ENV{IMPORT_COPT} // ''));    # script/test --sanitize
}

# start the test, or skip it
sub set_up
{
	need('import');
	$work = PostgreSQL::Test::Utils::tempdir;
	make_path("$work/build");
	make_program("$work/build");
	$node = start_node('import', sql => 'CREATE EXTENSION objectid', @_);
	@command = ("$work/build/objectid-import", '-d', $node->connstr('postgres') . ' application_name=objectid-import');
}

# The program, with these options, and sql() connect to this database from now on.
sub connect_to
{
	($database, my @options) = @_;
	@command = ($command[0], '-d', $node->connstr($database) . ' application_name=objectid-import', @options);
}

# Start PgBouncer in transaction mode, with so many sessions, and stop it at exit.  Returns its port.
my $pooler;

END
{
	local $?;
	$pooler->kill_kill if $pooler;
}

sub start_pooler
{
	my ($sessions) = @_;
	my $port = PostgreSQL::Test::Cluster::get_free_port();
	my ($host, $server_port, $user) = ($node->host, $node->port, sql('SELECT current_user'));
	write_file('users', qq("$user" ""\n));
	write_file('pooler.ini', <<"END");
[databases]
* = host=$host port=$server_port user=$user
[pgbouncer]
listen_addr =
listen_port = $port
unix_socket_dir = $host
auth_type = trust
auth_file = $work/users
pool_mode = transaction
default_pool_size = $sessions
ignore_startup_parameters = options
END
	local $ENV{PATH} = "$ENV{PATH}:/usr/sbin";
	$pooler = IPC::Run::start([ 'pgbouncer', "$work/pooler.ini" ], '>&', "$work/pooler.log");
	my $pooled = $node->connstr('postgres') =~ s/port=\d+/port=$port/r;

	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		last if IPC::Run::run([ 'psql', '-XAtqd', $pooled, '-c', 'SELECT 1' ], '>&', \my $output);
		select(undef, undef, undef, 0.1);
	}
	return $port;
}

sub sql { return $node->safe_psql($database, $_[0]) }

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

# the same as lines of JSON
sub json_documents
{
	my ($length, @ids) = @_;
	return join('', map { sprintf(qq({%s,"n":%d,"pad":"%s"}\n), json_id($_), $_, 'x' x $length) } @ids);
}

# lines_of(@fields) - documents as lines of JSON, with the ids 1, 2, ..., each with these fields
sub lines_of
{
	return join('', map { sprintf("{%s,%s}\n", json_id($_), $_[ $_ - 1 ]) } 1 .. @_);
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

# the program runs in $work
@there = (init => sub { chdir $work or die "$work: $!" });

# start_program([ arguments ], redirections) - in the background, as the leader of a process group.  It is killed at
# exit, with the processes that it has started; one that hangs ends the test.
my @started;

sub start_program
{
	my ($arguments, @redirections) = @_;
	my $limit = 3 * $PostgreSQL::Test::Utils::timeout_default;
	my $timer =
	  IPC::Run::timeout($limit, exception => "objectid-import @$arguments: has not ended after $limit seconds");
	@started = grep { !defined $_->{KIDS}[0]{RESULT} } @started;
	push @started, IPC::Run::start([ @command, @$arguments ], @redirections, init => sub { setpgrp }, @there, $timer);
	return $started[-1];
}

END
{
	local $?;
	kill('KILL', -$_->{KIDS}[0]{PID}) for grep { !defined $_->{KIDS}[0]{RESULT} } @started;
}

# Run it: exit status, standard output, standard error.  What follows "-" is standard input.
sub run_import
{
	my (@arguments) = @_;
	my $input = @arguments > 1 && $arguments[-2] eq '-' ? pop @arguments : '';
	start_program(\@arguments, '<', \$input, '>', \my $out, '2>', \my $err)->finish;
	return ($? & 127 ? "signal $?" : $? >> 8, $out, $err);
}

# show(\@arguments, $out, $err) - what a failure shows, beside what was found and what was expected
sub show
{
	my ($arguments, $out, $err) = @_;
	diag("command: objectid-import @$arguments" =~ s/[^\n -~]/?/gr, "\nstandard output: $out\nstandard error: $err");
	return;
}

# report_is($name, $counts, @arguments) - run one that ends by its report, which has to have these counts of each
# table, and the exit status for them.  Returns what it prints.
sub report_is
{
	my ($name, $counts, @arguments) = @_;
	my ($status, $out, $err) = run_import(@arguments);
	my $found = join(' ', map { join('|', split) } $out =~ /^\S.*?((?: +\d+){2,}) +\d+\.\d$/mg);
	my $expected =
		grep({ /^\d+\|(?!0\|0\|0\|)\d+\|\d+\|\d+\|\d+$/ } split(/ /, $counts))   ? 1
	  : $counts =~ /\|[1-9]\d*(?!\S)/ && !grep({ /^--max-rejected/ } @arguments) ? 3
	  :                                                                            0;
	local $Test::Builder::Level = $Test::Builder::Level + 2;
	is("$status: $found", "$expected: $counts", $name) or show(\@arguments, $out, $err);
	return ($out, $err);
}

# import_is($name, $counts, @arguments) - a load: "loaded|rejected", or "inserted|changed|equal|rejected".  Returns
# what it prints otherwise.
sub import_is { return (report_is(@_))[1] }

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
	($status eq '1' ? like($err, $message, $name) : is($status, '1', "$name: exit status"))
	  or show(\@arguments, $out, $err);
}

# verify_is($name, $counts, $keys, @arguments) - compare a file or a dump with its tables: "equal|differ|missing|extra|rejected",
# and keys, "difference: key", where a number is that of an ObjectId.  Returns what it prints otherwise.
sub verify_is
{
	my ($name, $counts, $keys, @arguments) = @_;
	my ($out, $err) = report_is($name, $counts, '--verify', '-v', @arguments);
	my @expected = map { s/ (\d+)$/sprintf(' {"$oid":"%s"}', hex_id($1))/er } @$keys;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is( join("\n", sort map { s/^\S+: //r } $out =~ /^(\S+: (?:differ|missing|extra): .*)$/mg),
		join("\n", sort @expected),
		"$name: keys");
	return $err;
}

# run_scenarios(@scenarios) - each is a hash: its name, and, of these, what it needs, in this order:
#   sql         statements
#   run         arguments of the program: a list, or a text with spaces between them
#   input       a file that is its standard input
#   fails_like  it fails with this message
#   loads       counts, as import_is() has them
#   verifies    counts, as verify_is() has them, and "keys"
#   says        what it prints beside its report; the default is nothing, but the type of keys
#   gives       queries, each with its rows
my $types_of_keys = qr/\A(?:\S+ \S+: the keys of the first documents are of type \w+\n)*\z/;

sub run_scenarios
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	for (@_)
	{
		my %scenario = (run => '', gives => [], keys => [], %$_);
		my $name = $scenario{name};
		my @arguments = ref $scenario{run} ? @{ $scenario{run} } : split(' ', $scenario{run});
		push @arguments, '-', slurp_file("$work/$scenario{input}") if $scenario{input};
		sql($scenario{sql}) if $scenario{sql};
		import_fails($name, $scenario{fails_like}, @arguments) if $scenario{fails_like};
		my $said =
			$scenario{loads}    ? import_is($name, $scenario{loads}, @arguments)
		  : $scenario{verifies} ? verify_is($name, $scenario{verifies}, $scenario{keys}, @arguments)
		  :                       undef;
		like($said, $scenario{says} // $types_of_keys, "$name: messages")
		  if defined $said && ($scenario{says} || $scenario{loads});
		my @gives = @{ $scenario{gives} };
		while (my ($query, $rows) = splice(@gives, 0, 2)) { is(sql($query), $rows, "$name: $query") }
	}
}

# Start one in the background, whose standard input is a file: the process, and what it prints
sub start_import
{
	my ($input, @arguments) = @_;
	my $output = '';
	return (start_program(\@arguments, '<', $input, '>&', \$output), \$output);
}

# Wait until so many sessions of imports wait for a lock.
sub wait_for_lock
{
	my $query = 'SELECT ' . $waits =~ s/EXISTS \(SELECT/$_[0] = (SELECT count(*)/r;
	$node->poll_query_until('postgres', $query) or die('the imports do not wait for a lock');
}

# Run statements in one session, which is faster than sql(), and survives errors.  Returns the rows.
my ($answers, $queries);

sub ask
{
	my ($statements) = @_;
	my $rows = '';
	if (!$queries)
	{
		open(my $errors, '>', '/dev/null');
		open3($queries, $answers, '>&' . fileno($errors), 'psql', '-XAtqd', $node->connstr('postgres'));
		$queries->autoflush;
	}
	print $queries "SET client_min_messages = error; $statements;\n\\echo [end]\n";
	while ((my $line = <$answers>) ne "[end]\n") { $rows .= $line }
	return $rows =~ s/\n\z//r;
}

# Wait until a condition, in SQL or Perl, is true.
sub wait_until
{
	my ($condition) = @_;
	for (1 .. 100 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if ref($condition) ? $condition->() : ask("SELECT $condition") eq 't';
		select(undef, undef, undef, 0.01);
	}
	die("timed out: $condition");
}

# Wait until a process that start_import() has started prints something.
sub wait_for_output
{
	my ($running, $output, $pattern) = @_;
	wait_until(sub { $running->pump_nb; $$output =~ $pattern });
}

# start_held($file, $id, @options) - start an import, and wait until it waits for $id, which
# another session holds back: the import, that session, and what the import prints.  The
# table, named as the file, is made if it is not there.  If the last option is "-", the file is
# standard input.
sub start_held
{
	my ($file, $id, @options) = @_;
	my ($table) = $file =~ m{(\w+)\.(?:bson|json)(?:\.gz)?$};
	sql("CREATE TABLE IF NOT EXISTS $table (_id objectid PRIMARY KEY, doc jsonb NOT NULL)");
	my $holder = $node->background_psql('postgres');
	$holder->query_safe(sprintf(q{BEGIN; INSERT INTO %s VALUES ('%s', '{}')}, $table, hex_id($id)));
	my ($running, $output) =
	  @options && $options[-1] eq '-' ? start_import($file, @options) : start_import('/dev/null', @options, $file);
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

# End the connections of imports, and let them end: what their processes have printed.
sub disconnect
{
	my ($running, $holder, $output) = @_;
	sql(q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'objectid-import'});
	$running->finish;
	release_held($running, $holder);
	return $$output;
}

# in_schema($schema, $sql) - run SQL, in which names without a schema are in this one
sub in_schema
{
	my ($schema, $sql) = @_;
	return sql('SET search_path = "' . $schema =~ s/"/""/gr . qq(", public; $sql));
}

# run_psql($script, @options) - run a script as the pages say: exit status, what it prints, errors
sub run_psql
{
	my ($script, @options) = @_;
	my $file = write_file('script.sql', "$script\n");
	IPC::Run::run([ 'psql', '-XAtqd', $node->connstr($database), @options, '-f', $file ],
		'>', \my $out, '2>', \my $err, init => sub { chdir $work });
	return ($? >> 8, $out, $err);
}

# run_script($script, $in) - run one that has to succeed, in this database: what it prints
sub run_script
{
	my ($script, $in) = @_;
	local $database = $in // $database;
	my ($status, $out, $err) = run_psql($script, '-v', 'ON_ERROR_STOP=1');
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("$status$err", '0', 'a script runs: ' . ($script =~ /^\\echo (.*)/m ? $1 : substr($script, 0, 70) =~ s/\n.*//sr))
	  or diag($script);
	return $out =~ s/\n\z//r;
}

# script_ends($name, $script, $expected, $message, @options) - run one, which has to end with this exit status and print
# this; only if it is 0, it says "complete"
sub script_ends
{
	my ($name, $script, $expected, $message, @options) = @_;
	my ($status, $out, $err) = run_psql($script, @options);
	my $found = "$status, " . ($out =~ /^complete/m ? 'complete' : 'not complete');
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $ok = is($found, $expected ? "$expected, not complete" : '0, complete', "$name: how it ends");
	like("$out$err", $message, "$name: what it prints") && $ok or diag("script:\n$script\noutput: $out$err");
	return;
}

# not_plain($script) - what is not a statement that a script may have
sub not_plain
{
	my ($script) = @_;
	my $text = $script =~ s/(--[^\n]*)|\$\$.*?\$\$|'(?:''|[^'])*'|"(?:""|[^"])*"/$1 ? '' : 'x'/gser;
	my $name = qr/SCHEMA|TABLE|VIEW|FUNCTION|INDEX|POLICY|COLUMN|CONSTRAINT/;
	my $plain =
	  qr/SELECT CASE |CREATE (?:(?:UNIQUE |UNLOGGED )?$name|OR REPLACE VIEW) |(?:ALTER|DROP|COMMENT ON) $name |(?:GRANT|REVOKE|LOCK TABLE|SET LOCAL) |BEGIN ISOLATION LEVEL READ COMMITTED|COMMIT\z/;
	return join("\n",
		grep { /\S/ && (!/\A\s*$plain/ || /\bIF (?:NOT )?EXISTS/) }
		  split(/;[ ]*\n/, $text =~ s/^\\(?:set ON_ERROR_STOP on|encoding UTF8|echo complete: .*)$//mgr));
}

# script_of(@arguments) - the script that the program prints
sub script_of
{
	my (@arguments) = @_;
	my ($status, $out, $err) = run_import('-q', @arguments);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("$status$err", '0', "@arguments[0 .. $#arguments - 1]: no error");
	return $out;
}

# schema_of(@arguments) - what --schema-only prints without a server
sub schema_of
{
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	local @command = ($command[0], '-d', 'host=/nowhere');
	return script_of('--schema-only', '--offline', @_);
}

# statements($script) - what it has between BEGIN and COMMIT, without comments and its frame
sub statements
{
	my ($body) = $_[0] =~ /^BEGIN.*?\n(.*)^COMMIT;$/ms;
	return $body =~ s/^(?:--|SET LOCAL|SELECT CASE).*\n|^\n//mgr;
}

# make_schema(@arguments) - print, run, print: nothing.  Returns the script.
sub make_schema
{
	my (@arguments) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $script = script_of('--schema-only', @arguments);
	like(run_script($script), qr/^complete: .*$/m, 'a script says that it is complete');
	my $again = script_of('--schema-only', @arguments);
	is(statements($again), '', 'a script that has run: nothing is missing') or diag($script);
	like($again, qr/^\\echo complete: nothing is missing$/m, 'a script that has run: the next one says so');
	return $script;
}

# read_documents($content) - read a file without the program: "id n" of each document, which
# begins with an ObjectId and a number n
sub read_documents
{
	my ($content) = @_;
	my @found;
	if ($content =~ /^\x1f\x8b/)
	{
		my $compressed = $content;
		gunzip(\$compressed => \$content) or die;
	}
	if ($content !~ /\0/)
	{
		push @found, "$1 $2" while $content =~ /\{"_id":\{"\$oid":"(\w{24})"\},"n":(\d+)/g;
		return @found;
	}
	while (length($content))
	{
		my $document = substr($content, 0, unpack('V', $content), '');
		$document =~ /^....\x07_id\0(.{12})\x10n\0(....)/s or die;
		push @found, unpack('H*', $1) . ' ' . unpack('l<', $2);
	}
	return @found;
}

# compare_documents($table, $content) - compare a table, and the documents rejected from it, with a
# file.  Empty if each document is there once, else what is wrong.
sub compare_documents
{
	my ($table, $content) = @_;
	my %count;
	$count{$_}++ for read_documents($content);
	for (qq{SELECT _id || ' ' || (doc->>'n') FROM $table},
		"SELECT encode(substr(raw, 1, 60), 'hex') FROM ${table}_rejected")
	{
		# if there is no such table, there are no documents
		$count{ / / ? $_ : (read_documents(pack('H*', $_)))[0] }-- for split(/\n/, ask($_));
	}
	my @missing = grep { $count{$_} > 0 } sort keys %count;
	my @extra = grep { $count{$_} < 0 } sort keys %count;
	return join(', ',
		@missing ? scalar(@missing) . " documents are missing in $table, from $missing[0]" : (),
		@extra   ? scalar(@extra) . " too many in $table, from $extra[0]"                  : ());
}

1;
