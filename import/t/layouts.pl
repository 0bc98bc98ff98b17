# objectid-import: a file of JSON is a sequence of values, whatever its line breaks.  What
# JSON::PP reads is loaded, no part of a document becomes a row, and the size of the
# window makes no difference.
use strict;
use warnings FATAL => 'all';
use JSON::PP;
use ImportTest;

set_up();
set_seed();
my $json = JSON::PP->new->utf8->canonical->allow_nonref;

# Documents, whose inner objects have an _id, too, above $inner
my $inner = 1_000_000;
my $objects = 0;
my @strings = ('', 'a', '{"_id":1}', '}', '[', '"', '\\', "}\n{", ',{', "\x{e9}", "\x{1f418}", ':tru');

sub random_document
{
	return { _id => { '$oid' => hex_id($_[0]) }, map { ("f$_" => value(0)) } 0 .. rand(5) };
}

sub value
{
	my ($depth) = @_;
	my $kind = rand($depth > 2 ? 5 : 9);
	return int(rand(1000)) if $kind < 1;
	return join('', map { $strings[ rand @strings ] } 0 .. rand(3)) if $kind < 3;
	return (JSON::PP::true, JSON::PP::false, undef)[ rand 3 ] if $kind < 4;
	return int(rand(100)) + 0.5 if $kind < 5;
	return [ map { value($depth + 1) } 1 .. rand(4) ] if $kind < 7;
	return { _id => { '$oid' => hex_id($inner + $objects++) }, map { ("$_" => value($depth + 1)) } 1 .. rand(3) };
}

# text($value, $break) - JSON, with line breaks and indentation by $break->($depth)
sub text
{
	my ($value, $break) = @_;
	my $depth = 0;
	my $token = qr/("(?:\\.|[^"\\])*")|([\[{])(?![\]}])|(,)|(?<![\[{])([\]}])/;
	return $json->encode($value) =~
	  s{$token}{$1 // ($2 ? $2 . $break->(++$depth) : $3 ? $3 . $break->($depth) : $break->(--$depth) . $4)}egr;
}

# The writers: what separates documents, and what comes before a member and a closing bracket
my @breaks = ('', ' ', "\n", "\t", "\r\n", "\n ");
my %writers = (
	'lines' => [ "\n", sub { '' } ],
	'lines of Windows' => [ "\r\n", sub { '' } ],
	'pretty' => [ "\n", sub { "\n" . "\t" x $_[0] } ],
	'pretty on Windows' => [ "\r\n", sub { "\r\n" . '  ' x $_[0] } ],
	'no white space' => [ '', sub { '' } ],
	'braces in the first column' => [ "\n", sub { "\n" } ],
	'elements in the first column' => [ "\n", sub { $_[0] == 2 ? "\n" : '' } ],
	'any white space' => [ ' ', sub { $breaks[ rand @breaks ] } ]);

# write_documents($writer, $first, $count) - the texts of documents, and the separator
sub write_documents
{
	my ($writer, $first, $count) = @_;
	my ($separator, $break) = @{ $writers{$writer} };
	return ($separator, map { text(random_document($_), $break) } $first .. $first + $count - 1);
}

# What the library reads: a sequence of values, or the elements of an array
sub library_documents
{
	my ($content) = @_;
	my @values = $json->incr_parse($content =~ s/^\xef\xbb\xbf//r);
	return ref $values[0] eq 'ARRAY' ? @{ $values[0] } : @values;
}

# dry_run($window, $file) - what is printed, without the time
sub dry_run
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = $_[0];
	my ($status, $out, $err) = run_import('--dry-run', $_[1]);
	return "$status: " . $out =~ s/ +\d+\.\d$//mr . $err;
}

# Whole files, in windows of a random size
my $next_id = 1;
for my $writer (sort keys %writers)
{
	for my $form ('sequence', 'array', 'after a byte order mark')
	{
		my ($separator, @documents) = write_documents($writer, $next_id, 12);
		$next_id += @documents;
		my $content =
		  $form eq 'array' ? "[$separator" . join(",$separator", @documents) . ']' : join($separator, @documents);
		$content = "\xef\xbb\xbf$content" if $form =~ /mark/;
		$content .= $separator if rand() < 0.5;
		(my $table = "$writer $form") =~ tr/A-Z /a-z_/;
		my $file = write_file("$table.json", $content);
		local $ENV{OBJECTID_IMPORT_WINDOW} = 1 + int(rand(600));
		import_ok("$writer, $form, in windows of $ENV{OBJECTID_IMPORT_WINDOW} bytes", '12|0', '-j', 2, $file);
		my $expected = $json->encode([ library_documents($content) ]);
		is(sql("SELECT jsonb_agg(doc ORDER BY _id) = \$json\$$expected\$json\$ FROM $table"),
			't', "$writer, $form: what the library reads")
		  or diag($content);
	}
}

# Each boundary of a document against each boundary of a window; one of the documents is broken
for my $writer (sort keys %writers)
{
	my ($separator, $break) = @{ $writers{$writer} };
	my @documents =
	  map { text({ _id => { '$oid' => hex_id($_) }, a => [ { _id => 1, s => '}' }, { n => $_ } ] }, $break) } 1 .. 4;
	$documents[1] =~ s/"s"/"s/;
	my $content = join($separator, @documents[ 0, 1 ]) . "\n" . join($separator, @documents[ 2, 3 ]);
	my $file = write_file('windows.json', $content);
	my $expected = dry_run(1_000_000, $file);
	like(
		$expected,
		$writer =~ /^lines/ ? qr/^3: .*: 1 rejected, .*windows\.json +3 +1$/ms : qr/^1: .*is damaged at byte/s,
		"$writer: three documents, and one that is broken") or diag($content);
	my @different = grep { dry_run($_, $file) ne $expected } grep { $long || rand() < 0.25 } 1 .. length($content);
	is("@different", '', "$writer: the same in windows of other sizes");
}

# One byte that is wrong: the other documents are loaded, or nothing is
my @wrong;
my $refused = 0;
for my $round (1 .. ($long ? 50 : 10))
{
	for my $writer (sort keys %writers)
	{
		my ($separator, @documents) = write_documents($writer, 1, 5);
		my $damaged = int(rand(5));
		my @intact = @documents[ grep { $_ != $damaged } 0 .. 4 ];
		my $at = 1 + int(rand(length($documents[$damaged]) - 1));
		my $byte = substr("{}[],:\" x\0\n", rand(11), 1);
		substr($documents[$damaged], $at, rand(2)) = rand() < 0.3 ? '' : $byte;
		my $content = join($separator, @documents) . $separator;
		ask('DROP TABLE IF EXISTS damaged, damaged_rejected');
		my ($status) = run_import(qw(--format json -t damaged --id-type=objectid -), $content);
		my $line = $writer =~ /^lines/ && $documents[$damaged] =~ /^\{[^\n]*\}$/;
		my $expected = $json->encode([ map { $json->decode($_) } @intact ]);
		my $found = ask(
			$status == 1
			? q{SELECT to_regclass('damaged') IS NULL}
			: "SELECT jsonb_agg(doc ORDER BY _id) FILTER (WHERE _id <> '@{[ hex_id($damaged + 1) ]}') = \$json\$$expected\$json\$ FROM damaged"
		);
		push @wrong, "$writer: $status: $content" if $found ne 't' || ($status == 1 && $line);
		$refused += $status == 1;
	}
}
is(join("\n", @wrong), '', "documents around a damaged one are loaded, and no part of it; $refused files are refused");
cmp_ok($refused, '>', 0, 'some files are refused');

# Parts of a BSON file, with boundaries at documents
{
	local $ENV{OBJECTID_IMPORT_WINDOW} = 200;
	my @parts = map { bson($_ % 7 ? id($_) : (), string('s', 'x' x rand(300))) } 1 .. 200;
	import_ok('a BSON file in parts', '172|28', '-j', 3, write_file('parts.bson', join('', @parts)));
	is(sql(q{SELECT count(*), sum(documents) FROM objectid_import WHERE source = 'parts.bson'}),
		'3|200', 'a BSON file in three parts');
	is( sql(q{SELECT string_agg(position::text, ' ' ORDER BY position) FROM parts_rejected}),
		join(' ', map { 7 * $_ } 1 .. 28),
		'a BSON file in parts: positions are those in the file');
}

done_testing();
