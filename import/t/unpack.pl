# objectid-import: --unpack writes the directory that mongodump would have written, of an archive that
# is made here, or nothing.
use strict;
use warnings FATAL => 'all';
use File::Find qw(find);
use File::Path qw(remove_tree);
use ImportTest;

set_up();
my $terminator = "\xff" x 4;

# The checksum of a collection: CRC-64 as of xz
my @remainders = map {
	my $crc = $_;
	$crc = $crc >> 1 ^ ($crc & 1 ? 0xc96c5795 << 32 | 0xd7870f42 : 0) for 1 .. 8;
	$crc
} 0 .. 255;

sub crc64
{
	my $crc = ~0;
	$crc = $crc >> 8 ^ $remainders[ ($crc ^ $_) & 255 ] for unpack('C*', $_[0]);
	return ~$crc;
}
is(sprintf('%016x', crc64('123456789')), '995dc9bbdf1939fa', 'the checksum of the usual example');
is(sprintf('%016x', crc64(bson(string('_id', 'featureCompatibilityVersion'), string('version', '4.0')))),
	'0cb0ef0ea1d16e0d', 'the checksum of a document, as mongodump 4.1.3 has written it');

# The parts of an archive.  A collection is "database.name".
sub name
{
	my ($database, $name) = split(/\./, $_[0], 2);
	return (string('db', $database), string('collection', $name));
}
sub header  { return bson(string('version', '0.1'), string('server_version', '7.0'), string('tool_version', $_[0])) }
sub listed  { return bson(name($_[0]), string('metadata', $_[1]), int32('size', 0), string('type', $_[2] // '')) }
sub heading { return bson(name($_[0]), element(8, 'EOF', chr($_[1])), element(0x12, 'CRC', pack('Q<', $_[2]))) }
sub block   { return heading($_[0], 0, 0) . $_[1] . $terminator }
sub ending  { return heading($_[0], 1, crc64($_[1])) . $terminator }
sub whole   { return block(@_) . ending(@_) }
sub archive { return "\x6d\xe2\x99\x81" . header('100.9') . join('', @{ $_[0] }) . $terminator . join('', @{ $_[1] }) }
sub meta    { return sprintf('{"indexes":[],"collectionName":"%s"}', $_[0] =~ s/(["\\])/\\$1/gr) }

# The files of a directory: name => content
sub files
{
	my ($directory) = @_;
	my %found;
	find({ no_chdir => 1, wanted => sub { $found{ substr($_, length($directory) + 1) } = slurp_file($_) if -f } },
		$directory);
	return \%found;
}

# Unpack into the directory "out", which is not there: exit status, standard error
sub unpack_archive
{
	my (@arguments) = @_;
	local @ImportTest::command = grep { !/application_name|^-d$/ } @ImportTest::command;
	my ($status, $out, $err) = run_import("--unpack=$work/out", @arguments);
	return ($status, $out . $err);
}

# What there is of the directory
sub left
{
	return join(' ', grep { -e "$work/$_" } 'out', 'out.partial');
}

# It fails with a message, and leaves nothing
sub unpack_fails
{
	my ($name, $message, @arguments) = @_;
	my ($status, $err) = unpack_archive(@arguments);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($status, 1, "$name: exit status") or diag($err);
	like($err, $message, "$name: message");
	is(left(), '', "$name: nothing is left");
}

# It succeeds with these files.
sub unpack_is
{
	my ($name, $files, @arguments) = @_;
	my ($status, $err) = unpack_archive(@arguments);
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("$status: $err", qq(0: objectid-import: the dump is in directory "$work/out"\n), "$name: success");
	is_deeply(files("$work/out"), $files, "$name: files");
	is(left(), 'out', "$name: no other directory");
	remove_tree("$work/out");
}

# A dump.  Collections whose documents are in several blocks, between those of others
my @movies = map { documents(50, 10 * $_ .. 10 * $_ + 9) } 0 .. 2;
my $view =
  '{"options":{"viewOn":"movies","pipeline":[{"$match":{"x":{"$type":["date"]}}}]},"indexes":[],"type":"view"}';
my $series = '{"options":{"timeseries":{"timeField":"t"}},"indexes":[],"type":"timeseries"}';
my $oplog = documents(0, 1 .. 3);
my @list = (
	listed('film.movies', meta('movies'), 'collection'),
	listed('film.people', meta('people')),
	listed('film.empty', meta('empty')),
	listed('film.a view', $view, 'view'),
	listed('film.old view', $view),
	listed('film.dumped view', meta('dumped view'), 'view'),
	listed('film.weather', $series, 'timeseries'),
	listed('film.newer', $series, 'timeseries'),
	listed('film.$admin.system.users', ''),
	listed('.oplog', ''),
	listed('admin.system.version', meta('system.version')),
	listed('other.movies', meta('movies')));
my @blocks = (
	whole('admin.system.version', documents(0, 1)),
	whole('film.$admin.system.users', documents(0, 1)),
	block('film.movies', $movies[0]),
	block('other.movies', documents(0, 1 .. 2)),
	block('film.movies', $movies[1]),
	block('film.people', documents(0, 1 .. 4)),
	whole('film.system.buckets.weather', documents(0, 1)),
	block('film.movies', $movies[2]),
	ending('film.people', documents(0, 1 .. 4)),
	ending('film.movies', join('', @movies)),
	whole('film.newer', documents(0, 2)),
	(map { whole("film.$_", '') } 'empty', 'a view', 'old view'),
	whole('film.dumped view', documents(0, 1 .. 5)),
	ending('other.movies', documents(0, 1 .. 2)),
	whole('.oplog', $oplog));
my %files = (
	'prelude.json' => '{ "ServerVersion" : "7.0", "ToolVersion" : "100.9" }',
	'oplog.bson' => $oplog,
	'film/movies.bson' => join('', @movies),
	'film/people.bson' => documents(0, 1 .. 4),
	'film/empty.bson' => '',
	'film/dumped+view.bson' => documents(0, 1 .. 5),
	'film/newer.bson' => documents(0, 2),
	'other/movies.bson' => documents(0, 1 .. 2),
	'other/movies.metadata.json' => meta('movies'),
	'admin/system.version.metadata.json' => meta('system.version'));
$files{"$_.bson"} = documents(0, 1)
  for 'admin/system.version', 'film/$admin.system.users', 'film/system.buckets.weather';
$files{"film/$_.metadata.json"} = meta($_ =~ s/\+/ /r) for qw(movies people empty dumped+view);
$files{"film/$_.metadata.json"} = $view for qw(a+view old+view);
$files{"film/$_.metadata.json"} = $series for qw(weather newer);

# Names that a file cannot have, or that would lead elsewhere
my $wide = "\xc3\xa9" x 40;

my %escaped = (
	'../../x' => '..%2F..%2Fx',
	'..' => '..',
	'.' => '.',
	'/etc/x' => '%2Fetc%2Fx',
	"a\nb\x1b[2J\xff" => 'a%0Ab%1B%5B2J%FF',
	'%2F+ ~-_' => '%252F%2B+~-_',
	'x' x 238 => 'x' x 238,
	# shortened: 54 characters, and the CRC-32C of the name
	$wide => '%C3%A9' x 27 . '_379b0107',
	$wide . 'x' => '%C3%A9' x 27 . '_7dc1a079',
	map { ('x' x $_->[0] => 'x' x 54 . "_$_->[1]") }[ 239, '6ab61f9a' ],
	[ 247, '57562390' ], [ 248, '3bc3f5a7' ], [ 300, 'cbfabf88' ]);
for my $name (sort keys %escaped)
{
	push @list, listed("odd.$name", meta('m'));
	push @blocks, whole("odd.$name", documents(0, 7));
	$files{"odd/$escaped{$name}.bson"} = documents(0, 7);
	$files{"odd/$escaped{$name}.metadata.json"} = meta('m');
}

my $archive = archive(\@list, \@blocks);
my $file = write_file('dump.archive', $archive);
unpack_is('an archive', \%files, $file);
unpack_is('compressed', \%files, write_file('zipped.archive', compress($archive)));
unpack_is('compressed, with a different name', \%files, write_file('zipped', compress($archive)));
unpack_is('not compressed, as its name does not say', \%files, write_file('plain.gz', $archive));
unpack_is('standard input', \%files, '-', $archive);
unpack_is('compressed standard input', \%files, '-', compress($archive));

for my $window (4, 50, 1000)
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = $window;
	unpack_is("a window of $window bytes", \%files, $file);
	unpack_is("a window of $window bytes, compressed", \%files, "$work/zipped");
}
is_deeply([ unpack_archive('-q', $file) ], [ 0, '' ], '--quiet');

run_scenarios(
	{
		name => 'the dump of an archive can be loaded',
		run => 'out --include=film.movies --include=film.empty --include=other.movies',
		loads => '0|0 30|0 2|0',
		says => qr/system\.buckets\.weather\.bson" is skipped: a time series collection/,
		gives => [
			'SELECT count(*), min(_id), max(_id) FROM film.movies' =>
			  '30|500000000000000000000000|50000000000000000000001d'
		]
	});
remove_tree("$work/out");

# Many collections at a time, with few open files
{
	local @ImportTest::command = ('sh', '-c', 'ulimit -n 16; exec "$@"', 'sh', @ImportTest::command);
	my @names = map { "many.c$_" } 1 .. 2000;
	my %many = map { ("$_.bson" =~ s/\./\//r => documents(0, 1, 2)) } @names;
	my @blocks = (
		(map { block($_, documents(0, 1)) } @names),
		(map { block($_, documents(0, 2)) } reverse @names),
		(map { ending($_, documents(0, 1, 2)) } @names));
	$many{'prelude.json'} = $files{'prelude.json'};
	unpack_is('2000 collections', \%many, '-', archive([ map { listed($_, '') } @names ], \@blocks));
}

# Damage: the message, with the place where it begins, and parts of an archive, of which the last one is damaged
my @pair = map { listed("film.$_", meta($_)) } 'a', 'b';

sub damaged
{
	my ($name, $message, @before) = @_;
	my $damage = pop @before;
	my $at = length(archive(\@pair, \@before));
	unpack_fails(
		$name,
		qr/error: file "standard input" is damaged at byte $at: $message\n.*detail: Nothing is unpacked from a damaged archive\.\n\z/,
		'-',
		archive(\@pair, [ @before, $damage ]));
}
my $documents = documents(0, 1 .. 3);
my @a = (block('film.a', $documents), ending('film.a', $documents));
my $b = whole('film.b', documents(0, 1));
my @late = (heading('film.b', 1, 0), documents(0, 1));
my $no_end = 'the end of collection "film\.b" is missing';
my $no_list = 'is not in the list at the beginning';
my $ended = 'collection "film\.a" has ended before';
my $invalid = 'the header that begins here has no valid';
my $nowhere = 'the length of the document .* leads nowhere';
my $number = bson(int32('db', 1), string('collection', 'a'));

for (
	[ 'a wrong checksum', 'the checksum of collection "film\.a" is wrong', $b, $a[0], ending('film.a', "$documents ") ],
	[ 'a document is missing', 'the checksum of .* is wrong', block('film.a', documents(0, 1, 2)), $a[1] ],
	[ 'a collection has no end', $no_end, @a, '' ],
	[ 'a collection has no end and no documents', $no_end, @a, block('film.b', ''), '' ],
	[ 'a collection of no list', qq(collection "film\\.x" $no_list), @a, whole('film.x', '') ],
	[ 'a time series', qq(collection "film\\.system\\.buckets\\.a" $no_list), whole('film.system.buckets.a', '') ],
	[ 'a second end', $ended, @a, $a[1] ],
	[ 'documents after the end', $ended, @a, $a[0] ],
	[ 'a document in the end', 'a document follows the end of its collection', @a, @late ],
	[ 'two terminators', 'the block has no header', @a, $terminator ],
	[ 'a header that is none', qq($invalid "collection"), bson(string('db', 'film')) ],
	[ 'a number as a name', qq($invalid "db"), $number ],
	[ 'zeros behind the archive', $nowhere, @a, $b, "\0" x 512 ],
	[ 'one byte behind it', 'the document that begins here is cut off by the end of the file', @a, $b, "\n" ],
	[ 'a second archive', $nowhere, @a, $b, archive(\@pair, [ @a, $b ]) ])
{
	damaged(@$_);
}
unpack_fails("a list that has a collection twice, $_->[0]",
	$_->[1], '-', archive([ ($_->[2]) x 2 ], [ whole('film.a', '') ]))
  for [ 'with metadata', qr/could not open file ".*": File exists/, $pair[0] ],
  [ 'without', qr/the end of collection "film\.a" is missing/, listed('film.a', '') ];

for my $name ('..', '.', '../x', '/x', 'a/b', 'a.b', '', 'x' x 64, "\xff", 'a\\b')
{
	my $shown = $name eq "\xff" ? '\\xff' : $name;
	my $entry = bson(string('db', $name), string('collection', 'a'), string('metadata', '{}'));
	unpack_fails(
		"database \"$shown\"",
		qr/is damaged at byte \d+: a database cannot have the name "\Q$shown\E"/,
		'-', archive([ @pair, $entry ], []));
	my $heading = bson(string('db', $name), string('collection', 'a'), element(8, 'EOF', "\0"));
	damaged("database \"$shown\" in a block", "a database cannot have the name \"\Q$shown\E\"", $heading);
}
for ([ 'a NUL in a name', 'NUL character in "collection"', bson(string('db', 'a'), string('collection', "a\0b")) ],
	[ 'an empty name', 'a collection has no name', listed('film.', '') ])
{
	unpack_fails($_->[0], qr/at byte \d+: $_->[1]/, '-', archive([ $_->[2] ], []));
}
my $other = archive([], []) =~ s/0\.1/0.2/r;
unpack_fails('a different version', qr/at byte 4: the version of the format is unknown/, '-', $other);

# An archive that is cut off at any byte, compressed or not, or has a different one; a third of them each time
set_seed();
my $third = int(rand(3));
my $small = archive(\@pair, [ $a[0], $b, $a[1] ]);
{
	my @wrong;
	for my $whole ($small, compress($small))
	{
		for my $length (grep { $long || $_ % 3 == $third } 0 .. length($whole) - 1)
		{
			my ($status, $err) = unpack_archive('-', substr($whole, 0, $length));
			push @wrong, "$length: $status: $err"
			  if $status ne '1'
			  || $err !~ /error: file "standard input" is (?:damaged at byte \d+: \S|not an archive of mongodump\n\z)/
			  || left();
		}
	}
	is(join("\n", @wrong), '', 'cut off at any byte: an error, and nothing is left');
	is_deeply([ unpack_archive('-q', '-', $small) ], [ 0, '' ], 'an archive that is not cut off');
}
my %expected = ('film/a.bson' => $documents, 'film/b.bson' => documents(0, 1));
{
	my @wrong;
	my $accepted = 0;
	for my $at (grep { $long || $_ % 3 == $third } 0 .. length($small) - 1)
	{
		my $changed = $small;
		substr($changed, $at, 1) ^= chr(1 << $at % 8);
		remove_tree("$work/out");
		my ($status, $err) = unpack_archive('-q', '-', $changed);
		my $found = -d "$work/out" ? files("$work/out") : {};
		my $same = join(' ', map { ($found->{$_} // '') eq $expected{$_} ? () : $_ } keys %expected) eq '';

		# what has no checksum: metadata, the versions, the size and type of a collection
		$accepted++ if $status eq '0';
		push @wrong, "$at: $status: $err" if $status eq '0' ? !$same : $status ne '1' || left();
	}
	is(join("\n", @wrong), '', 'any changed bit: an error, or the documents are the same');
	cmp_ok($accepted, '<', length($small) / ($long ? 2 : 6), 'most changed bits are errors');
}
remove_tree("$work/out");

# Where a directory cannot be
unpack_fails('not an archive', qr/error: file "standard input" is not an archive of mongodump/, '-', documents(0, 1));
unpack_fails('an empty file', qr/error: file ".*empty" is not an archive of mongodump/, write_file('empty', ''));
unpack_fails('no file', qr/could not open file ".*nothing": No such file/, "$work/nothing");
unpack_fails('a directory', qr/error: ".*" is a directory, not an archive of mongodump/, $work);
unpack_fails('another option', qr/--unpack can be used only with --quiet and --verbose/, $_, $file)
  for '--dry-run', '-P', '--drop', '-j1', '--table=x', '--format=bson', '--dbname=x';
write_file('out/x', '');
for my $directory ('out', 'out/x', 'out/.', '.', '', 'nothing/out')
{
	my ($status, $out, $err) =
	  do { local @ImportTest::command = ($ImportTest::command[0]); run_import("--unpack=$directory", $file) };
	is($status, 1, "into \"$directory\": exit status") or diag($err);
	like($err, qr/error: could not (?:replace|create) directory "\Q$directory\E/, "into \"$directory\": message");
	is(join(' ', sort keys %{ files("$work/out") }) . join(' ', glob("$work/*.partial")),
		'x', "into \"$directory\": nothing has changed");
}
remove_tree("$work/out");
mkdir("$work/out", oct(700)) or die "mkdir: $!";
is((unpack_archive("$work/dump.archive"))[0], 0, 'into an empty directory');
is(sprintf('%o', (stat("$work/out"))[2] & oct(7777)), '700', 'an empty directory keeps its permissions');
is_deeply(files("$work/out"), \%files, 'an empty directory gets all files');
remove_tree("$work/out");

# A full disk
{
	local @ImportTest::command =
	  ('sh', '-c', q{trap '' XFSZ; ulimit -f 1; exec "$@" 2>&1 | cat; exit 1}, 'sh', @ImportTest::command);
	unpack_fails('a full disk', qr/error: could not write to directory ".*out\.partial": File too large/, $file);
}

# Interrupted, or killed
for my $signal ('TERM', 'INT', 'KILL')
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 64;
	local @ImportTest::command = ($ImportTest::command[0], "--unpack=$work/out");
	my ($input, $err) = ($archive, '');
	my $running = IPC::Run::start([ @ImportTest::command, '-' ], '<', \$input, '2>', \$err);
	wait_until(sub { $running->pump_nb; -e "$work/out.partial/oplog.bson" });
	$running->signal($signal);
	eval { $running->finish };
	is($? & 127 ? 'killed' : $? >> 8, $signal eq 'KILL' ? 'killed' : 130, "$signal: exit status") or diag($err);
	like($err, qr/error: interrupted\n.*hint: Remove directory "\Q$work\E\/out\.partial"\.\n\z/, "$signal: message")
	  if $signal ne 'KILL';
	ok(!-e "$work/out", "$signal: no directory of that name is left");
	my ($status, $message) = unpack_archive($file);
	is($status, 1, "$signal, a second run: exit status");
	like(
		$message,
		qr/could not create directory ".*out\.partial": File exists\n.*hint: /,
		"$signal, a second run: message");
	remove_tree("$work/out.partial");
}

# A file that grows meanwhile
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 64;
	my $large = documents(0, 1 .. 100_000);
	my $growing = write_file('growing.archive', archive([ $pair[0] ], [ whole('film.a', $large) ]));
	my $err = '';
	my $running = IPC::Run::start([ $ImportTest::command[0], "--unpack=$work/out", $growing ], '2>', \$err);
	wait_until(sub { -e "$work/out.partial/film/a.bson" });
	$running->signal('STOP');
	append_to_file($growing, "\0");
	$running->signal('CONT');
	$running->finish;
	is($? >> 8, 1, 'a file that grows: exit status');
	like($err, qr/error: file "\Q$growing\E" has changed while it was read/, 'a file that grows: message');
	is(left(), '', 'a file that grows: nothing is left');
}

done_testing();
