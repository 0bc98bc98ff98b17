# The scripts of objectid-import are printed and run in random histories, and every value in columns and views, and at
# the end in tables, is compared with what was put into random documents, in which each leaf has a value of its own.
# What is expected comes from the model in this file, which knows nothing of the program's.
# Takes long.
use strict;
use warnings FATAL => 'all';
use JSON::PP;
use List::Util   qw(shuffle);
use Encode       qw(decode encode);
use MIME::Base64 qw(decode_base64 encode_base64);
use ImportTest;

set_up(conf => 'jit = off');
my $json = JSON::PP->new->allow_nonref->canonical->utf8;
my $characters = JSON::PP->new->allow_nonref;
set_seed();
my $hex = sub { sprintf('%024x', $_[0] + 1) };

# Leaves that several documents have: as in a document; as text of a column; as the server has it in the document, and
# as text of a column of numbers, if these are different.  shapes.pl has values at the limits of types.
my %leaves = (
	objectid => [ [ { '$oid' => 'f' x 24 }, 'f' x 24 ] ],
	date => [
		[ { '$date' => '1970-01-01T00:00:00Z' }, 0 ],
		[ { '$date' => { '$numberLong' => '9224318016000000' } }, undef ]
	],
	integer => [ [ { '$numberLong' => '-9223372036854775808' }, '-9223372036854775808', \'-9223372036854775808' ] ],
	double => [ [ { '$numberDouble' => '3.0' }, 3, \'3.0', '3.0' ], [ { '$numberDouble' => 'NaN' }, 'NaN' ] ],
	decimal => [ [ { '$numberDecimal' => '1E+3' }, 1000 ], [ { '$numberDecimal' => '1.50' }, '1.50' ] ],
	boolean => [ [ JSON::PP::true, 'true' ], [ JSON::PP::false, 'false' ] ],
	string => [ map { [ $_, $_ ] } '', "a'\"\\\n%s", '5', 'null' ],
	uuid => [
		[
			{ '$binary' => { base64 => 'AAECAwQFBgcICQoLDA0ODw==', subType => '04' } },
			'00010203-0405-0607-0809-0a0b0c0d0e0f'
		]
	],
	binary => [ [ { '$binary' => { base64 => 'A' x 22 . '==', subType => '03' } }, '\x' . '0' x 32 ] ],
	timestamp => [ [ { '$timestamp' => { t => 1, i => 2 } }, '{"$timestamp":{"t":1,"i":2}}' ] ]);
my %plans;
my %types = (
	qw(objectid objectid date timestamptz integer bigint decimal numeric boolean boolean string text uuid uuid
	  binary bytea timestamp jsonb mixed jsonb), double => 'double precision');

# unique_leaf($kind) - a leaf as above, with a value that no other has, or often one of the above
my $count = 0;

sub unique_leaf
{
	my ($kind) = @_;
	my $n = ++$count;
	my $hex = sprintf('%024x', $n);
	my %unique = (
		objectid => [ { '$oid' => $hex }, $hex ],
		date => [ { '$date' => { '$numberLong' => "-$n" } }, -$n ],
		integer => [ { '$numberLong' => "$n" }, $n, \$n ],
		double => [ $n + 0.5, $n + 0.5 ],
		decimal => [ { '$numberDecimal' => "$n.250" }, "$n.250" ],
		string => [ "s$n '", "s$n '" ],
		binary =>
		  [ { '$binary' => { base64 => encode_base64("b$n", ''), subType => '00' } }, '\x' . unpack('H*', "b$n") ],
		uuid => [
			{ '$binary' => { base64 => encode_base64(pack('H*', "00000000$hex"), ''), subType => '04' } },
			"00000000$hex" =~ s/^(.{8})(.{4})(.{4})(.{4})/$1-$2-$3-$4-/r
		],
		timestamp => [ { '$timestamp' => { t => $n, i => 2 } }, qq({"\$timestamp":{"t":$n,"i":2}}) ]);
	return $unique{$kind} && rand() < 0.7 ? $unique{$kind} : $leaves{$kind}[ rand @{ $leaves{$kind} } ];
}

# Names that need quotes, or could end a comment, a literal or a statement; that are equal after
# conversion, too long, or in use
my @names = (
	qw(a A a_b aB a-b a.b a_2 a_2_2 a_3 id _ID doc ctid order user position position2 value 2 $x HTTPServer __v element),
	qw(random_ c e m r w path walk stop key),
	@{ $json->decode(<<'END') },
["", " ", "'", "\"", "a'b", "a\"b", "x\ny", "x\r; CREATE TABLE pwned ();--", "x\n; CREATE TABLE pwned (); --",
 "\n\\! touch pwned\n", "\\", "a\\", "'); CREATE TABLE pwned ();--", "-- x", "/* x", "*/", "%s", "%I", "$$", "$body1$",
 "$1", ":table", ":'table'", "tab\t", "\u007f\u0001", "\u0085", "\u00e9", "\u540d\u524d"]
END
	map({ 'n' x $_ } 57, 58, 63, 64, 300), map { "\x{e9}" x $_ } 28, 29, 60);

# node($depth, @names) - a random kind of value: a kind of leaf, several of them, an object, an array
my $budget = 200;    # fields, so that a row has a place for all

sub node
{
	my ($depth, @fields) = @_;
	my @choices = (sort(keys %leaves), 'mixed', $depth < 5 && $budget > 0 ? (qw(object array)) x 4 : ());
	my $kind = @fields ? 'object' : $choices[ rand @choices ];
	return [$kind] if $kind eq 'mixed' && rand() < 0.5;
	return [ 'mixed', map { node($depth + 1) } 1 .. 2 ] if $kind eq 'mixed';
	return [ $kind, node($depth + 1) ] if $kind eq 'array';
	return [$kind] if $kind ne 'object';
	@fields = map { $names[ rand @names ] } 1 .. 4 unless @fields;
	$budget -= @fields;
	return [ $kind, { map { $_ => node($depth + 1) } @fields } ];
}

# value($node, $full) - a value of that kind: a hash, an array, undef, or a leaf, which is its kind and
# what %leaves has
sub value
{
	my ($node, $depth) = @_;
	my ($kind, @inside) = @$node;
	return undef if $depth && rand() < 0.1;
	return [ map { value($inside[0], 1) } 1 .. rand 4 ] if $kind eq 'array';
	return { map { $_ => value($inside[0]{$_}, 1) } grep { rand() < 0.8 } sort keys %{ $inside[0] } }
	  if $kind eq 'object';
	return value($inside[ rand @inside ], 1) if @inside;
	my $leaf = $kind eq 'mixed' ? (qw(integer double decimal string boolean objectid))[ rand 6 ] : $kind;
	return bless([ $leaf, @{ unique_leaf($leaf) } ], 'Leaf');
}

# text($value, $stored) - a document as JSON, in the file or in the server
sub text
{
	my ($value, $stored) = @_;
	return 'null' if !defined($value);
	return '[' . join(',', map { text($_, $stored) } @$value) . ']' if ref($value) eq 'ARRAY';
	return '{' . join(',', map { $json->encode($_) . ':' . text($value->{$_}, $stored) } sort keys %$value) . '}'
	  if ref($value) eq 'HASH';
	return $stored && $value->[3] ? ${ $value->[3] } : $json->encode($value->[1]);
}

# look($value, $path, \%seen) - note the kinds of values of each field
sub look
{
	my ($value, $path, $seen) = @_;
	my $kind =
	  !defined($value) ? 'null' : { HASH => 'object', ARRAY => 'array', Leaf => 0 }->{ ref $value } || $value->[0];
	$seen->{$path}{$kind} = 1;
	look($value->{$_}, step($path, $_), $seen) for $kind eq 'object' ? keys %$value : ();
	look($_, $path . '[]', $seen)              for $kind eq 'array'  ? @$value      : ();
	return;
}

# gather(\%seen) - an object beside arrays is an element of their view: what is in both of them
my %both;

sub gather
{
	my ($seen) = @_;
	for my $path (sort { length($a) <=> length($b) } keys %$seen)
	{
		next
		  if $both{$path}
		  || !$seen->{$path}
		  || !$seen->{$path}{object}
		  || !$seen->{$path}{array}
		  || !$seen->{"${path}[]"};
		$both{$path} = 1;
		for my $field (grep { /^\Q$path\E\./ } keys %$seen)
		{
			my $element = $field =~ s/^\Q$path\E/${path}[]/r;
			%{ $seen->{$element} } = (%{ $seen->{$element} // {} }, %{ delete $seen->{$field} });
		}
		$seen->{"${path}[]"}{object} = 1;
		no warnings qw(recursion);
		return gather($seen);
	}
	return;
}

# look_at($values) - what fields there are
sub look_at
{
	my ($seen, @values) = @_;
	(%$seen, %plans, %both) = ();
	look($_, '', $seen) for @values;
	gather($seen);
	return;
}

# step($path, $name) - the path of a field, which is a comment on what is made of it
sub step
{
	my ($path, $name) = @_;
	my $step = $name =~ /^[A-Za-z0-9_\$-]+\z/a ? $name : $characters->encode($name) =~ s/\\u007f/\x7f/gr;
	return $path eq '' ? $step : "$path.$step";
}

# scalars($seen, $path) - the kinds of leaves of a field; numbers of several kinds are decimals
sub scalars
{
	my ($seen, $path) = @_;
	my %kinds = %{ $seen->{$path} // {} };
	delete @kinds{qw(null object array)};
	my @numbers = grep { delete $kinds{$_} } qw(integer double decimal);
	$kinds{ @numbers > 1 ? 'decimal' : $numbers[0] } = 1 if @numbers;
	delete $kinds{uuid} if $kinds{binary};
	return sort keys %kinds;
}

# find_place($seen, $path, $child) - what a field has: the kind of its column, or '', the kind of the elements
# in its column of arrays, or '', and whether it has a view
sub find_place
{
	my ($seen, $path, $child) = @_;
	my $kinds = $seen->{$path} // {};
	my @scalars = scalars($seen, $path);
	my @elements = scalars($seen, $path . '[]');
	my $inside = $seen->{ $path . '[]' } // {};
	my $containers = $inside->{object} || $inside->{array};
	my $simple = @elements == 1 && !$containers && $elements[0] !~ /^(?:objectid|timestamp)\z/;
	my $mixed = @scalars && @scalars + !!$kinds->{object} + !!$kinds->{array} > 1;
	my $kind = !$mixed ? $scalars[0] // '' : $child ? 'mixed' : '';
	return ($kind, @scalars || !$simple ? '' : $elements[0], !$simple && (@elements || $containers));
}

# as_text($leaf, $kind) - a leaf as the text of a column of that kind
sub as_text
{
	my ($leaf, $kind) = @_;
	return unpack('H*', decode_base64($leaf->[1]{'$binary'}{base64})) =~ s/^/\\x/r
	  if $kind eq 'binary' && $leaf->[0] eq 'uuid';
	return $kind eq 'decimal' ? $leaf->[4] // $leaf->[2] : $leaf->[2];
}

# expect($seen, $value, $path, $key, \@rows) - what columns and views have of a value: the key of
# the row, the field and its type, the value, and whether that is JSON
sub expect
{
	my ($seen, $value, $path, $key, $rows) = @_;
	my ($kind, $elements, $table) = @{ $plans{$path} //= [ find_place($seen, $path, $path =~ /\[\]/) ] };
	if ($kind eq 'mixed' || $kind eq 'timestamp')
	{
		push @$rows, [ $key, "$path: jsonb", decode('UTF-8', text($value, 1)), 1 ] if defined($value);
	}
	elsif ($kind && defined($value))
	{
		my $text = as_text($value, $kind);
		push @$rows, [ $key, "$path: $types{$kind}", $text ] if defined($text);
	}
	elsif ($elements && ref($value) eq 'ARRAY')
	{
		my @texts = map { defined && defined(as_text($_, $elements)) ? as_text($_, $elements) . '' : undef } @$value;
		push @$rows, [ $key, "$path: $types{$elements}" . "[]", decode('UTF-8', $json->encode(\@texts)), 1 ];
	}
	$value = [$value] if ref($value) eq 'HASH' && $both{$path};
	if (ref($value) eq 'HASH')
	{
		expect($seen, $value->{$_}, step($path, $_), $key, $rows) for sort keys %$value;
	}
	elsif (ref($value) eq 'ARRAY' && $table)
	{
		for my $i (1 .. @$value)
		{
			push @$rows, [ "$key $i", $path . '[]', undef ];
			expect($seen, $value->[ $i - 1 ], $path . '[]', "$key $i", $rows);
		}
	}
	return;
}

# field_of($expression) - the field of a generated column: the texts behind its arrows
sub field_of
{
	my ($expression) = @_;
	my $path = '';
	while ($expression =~ /->>? (E?)'((?:''|[^'])*)'::text/g)
	{
		my ($escaped, $name) = ($1, $2 =~ s/''/'/gr);
		$path = step($path, $escaped ? $name =~ s/\\\\/\\/gr : $name);
	}
	return $path;
}

# columns_of($database) - the columns of tables and views of documents: relation, path of the relation, keys of its rows,
# name, type, path of the field
sub columns_of
{
	my ($database) = @_;
	my $rows = $node->safe_psql($database, <<'END');
SELECT json_build_array(c.oid::regclass, obj_description(c.oid, 'pg_class'), string_agg(quote_ident(attname), ', ')
    FILTER (WHERE attname !~ '^(old_)?doc$' AND col_description(c.oid, attnum) IS NULL AND attgenerated = '') OVER w,
  quote_ident(attname), format_type(atttypid, atttypmod), col_description(c.oid, attnum),
  CASE WHEN attgenerated <> '' THEN pg_get_expr(adbin, adrelid) END)
FROM pg_class AS c JOIN pg_attribute ON attrelid = c.oid LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v') AND relname ~ '^random(_|$)'
  AND relname !~ '_rejected$' AND attnum > 0 AND NOT attisdropped
WINDOW w AS (PARTITION BY c.oid ORDER BY attnum ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
END
	my @columns = map { $json->decode($_) } split(/\n/, $rows);
	for (@columns)
	{
		my $expression = pop @$_;
		$_->[5] = field_of($expression) if defined $expression;
	}
	return @columns;
}

sub literal { return defined $_[0] ? q{E'} . ($_[0] =~ s/([\\'])/\\$1/gr) . q{'} : 'NULL' }

# values_of($database) - a query for the same, of all columns that show a field
sub values_of
{
	my ($database) = @_;
	my (%relations, @queries);
	for (columns_of($database))
	{
		my ($relation, $of, $keys, $name, $type, $path) = map { defined ? encode('UTF-8', $_) : undef } @$_;
		push @queries, "SELECT concat_ws(' ', $keys), @{[ literal($of) ]}, NULL FROM $relation"
		  if defined $of && !$relations{$relation}++;
		next if !defined $path || $name eq 'old_doc';
		my $array = $type =~ /\]$/;
		my $text = $array ? 'e' : $name;
		$text = $type =~ /^timestamp/ ? "((extract(epoch FROM $text) * 1000)::bigint)::text" : "${text}::text";
		$text =
		  "coalesce((SELECT jsonb_agg($text ORDER BY n) FROM unnest($name) WITH ORDINALITY AS u (e, n)), '[]')::text"
		  if $array;
		my $field = literal("$path: " . ($type =~ s/timestamp with time zone/timestamptz/r));
		push @queries, "SELECT concat_ws(' ', $keys), $field, $text FROM $relation WHERE $name IS NOT NULL";
	}
	return join("\nUNION ALL ", @queries);
}

# rows_of($table, \@rows) - statements that make a temporary table of rows of JSON
sub rows_of
{
	my ($table, $rows) = @_;
	my $file = write_file("$table.rows", join('', map { "$_\n" } @$rows));
	return "CREATE TEMPORARY TABLE $table (row jsonb);
\\copy $table FROM '$file' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')\n";
}

# values_are(\@expected, $what, $database) - has each column and row what is expected?
sub values_are
{
	my ($expected, $what, $database) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is( run_script(
			rows_of('expected_json', [ map { $json->encode($_) } @$expected ])
			  . "CREATE TEMPORARY TABLE expected (key, field, value) AS SELECT row->>0, row->>1, CASE WHEN row->3 IS NULL THEN row->>2 ELSE (row->>2)::jsonb::text END
FROM expected_json;
CREATE TEMPORARY TABLE found (key, field, value) AS @{[ values_of($database) ]};
(SELECT 'missing', * FROM (TABLE expected EXCEPT ALL TABLE found) AS a LIMIT 5)
UNION ALL (SELECT 'found', * FROM (TABLE found EXCEPT ALL TABLE expected) AS b LIMIT 5)", $database),
		'',
		"$what: all values are there");
}

# file_of($name, \%documents) - a file of documents by their ids
sub file_of
{
	my ($name, $documents) = @_;
	return write_file(
		"$name.json",
		join('',
			map { text($documents->{$_}) =~ s/^\{/{"_id":{"\$oid":"$_"},/r =~ s/,\}$/}/r . "\n" } sort keys %$documents)
	);
}

# Random documents: all names are in the first level.  In a later dump, any object may have a new field.
my $node_of_documents = node(1, @names);
my %pool = map { $hex->($_) => value($node_of_documents) } 1 .. 100;
my (%seen, %now);
my $database = 'postgres';
my @options = ('-t', 'public.random');
look_at(\%seen, values %pool);

sub grow
{
	my ($value) = @_;
	if (ref($value) eq 'HASH')
	{
		grow($_) for values %$value;
		$value->{later} = bless([ 'string', @{ unique_leaf('string') } ], 'Leaf') if rand() < 0.3;
	}
	elsif (ref($value) eq 'ARRAY') { grow($_) for @$value }
	return;
}

# the same documents as in the model, whatever has been done to the table
sub random_is
{
	my ($what) = @_;
	my @expected;
	expect(\%seen, $now{$_}, '', $_, \@expected) for sort keys %now;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	values_are(\@expected, $what, $database);
	return;
}

# some of the keys that are in the table, and some of the others
sub some
{
	return grep { defined } (shuffle(grep { $now{$_} } sort keys %pool))[ 0 .. $_[0] - 1 ];
}

sub others
{
	return grep { defined } (grep { !$now{$_} } sort keys %pool)[ 0 .. $_[0] - 1 ];
}

# write_documents($sql, \%documents) - run SQL with the documents in a table
sub write_documents
{
	my ($sql, $documents) = @_;
	my @rows = map { qq(["$_",) . text($documents->{$_}, 1) . ']' } sort keys %$documents;
	run_script(rows_of('input_json', \@rows)
		  . "CREATE TEMPORARY TABLE input AS SELECT (row->>0)::objectid AS _id, row->1 AS doc FROM input_json; $sql");
	@now{ keys %$documents } = values %$documents;
	return;
}

sub load_random
{
	my ($documents, @how) = @_;
	my ($status, $out, $err) = run_import(@how, @options, file_of('random', $documents));
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is("$status$err", '0', "load @how") or diag($out);
	@now{ keys %$documents } = values %$documents;
	return;
}

# print_and_run(@section) - a script of all documents, and then nothing is missing, but what a load drops
sub print_and_run
{
	my (@section) = @_;
	my @arguments = (@options, file_of('random', \%pool));
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return make_schema(@arguments) if !@section;
	run_script(script_of(@section, @arguments));
	is(statements(script_of(@section, @arguments)), '', "@section: after the script, nothing is missing");
	return;
}

# kill_psql($script) - psql is killed before a random statement of a script, at which it waits for a lock: nothing is made
sub kill_psql
{
	my ($script) = @_;
	my @statements = split(/(?<=;\n)(?=(?:CREATE|ALTER|COMMENT|DROP) )/, $script);
	return if !$#statements;    # nothing is missing
	my $at = 1 + int(rand($#statements));
	my $file = write_file('killed.sql',
		join('', @statements[ 0 .. $at - 1 ], "SELECT pg_advisory_lock(4711);\n", @statements[ $at .. $#statements ]));
	my $names =
	  q{SELECT string_agg(oid || relname, ' ' ORDER BY oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace};
	my $before = sql($names);
	my $holder = $node->background_psql($database);
	$holder->query_safe('SELECT pg_advisory_lock(4711)');
	my $psql = IPC::Run::start([ 'psql', '-Xqd', $node->connstr($database), '-f', $file ], '>&', \my $output);
	wait_until(q{EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'advisory')});
	my $backend = ask(q{SELECT pid FROM pg_stat_activity WHERE wait_event = 'advisory'});
	$psql->signal('KILL');
	$psql->finish;
	$holder->quit;
	wait_until("NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $backend)");
	unlike($output // '', qr/complete/, "psql is killed at statement $at of $#statements: it does not say complete");
	is(sql($names), $before, "psql is killed at statement $at of $#statements: nothing is made");
	return;
}

# a name that a person chooses for a column or view that has one
sub rename_one
{
	my @columns = grep { defined $_->[5] } columns_of($database);
	my ($relation, $of, undef, $name) = map { defined ? encode('UTF-8', $_) : undef } @{ $columns[ rand @columns ] };
	my $kind = defined $of ? 'VIEW' : 'TABLE';
	my $new = 'chosen' . ++$count;
	sql("ALTER $kind $relation RENAME $name TO $new");
	sql("ALTER VIEW $relation RENAME TO random_$new") if $kind eq 'VIEW' && rand() < 0.5;
	return;
}

# dump the database, and go on in one that is restored
sub restore
{
	my $new = 'restored' . ++$count;
	$node->command_ok([ 'pg_dump', '-f', "$work/dump.sql", $database ], 'pg_dump');
	sql("CREATE DATABASE $new");
	run_script("SET client_min_messages = error;\n" . slurp_file("$work/dump.sql") =~ s/^\\(?:un)?restrict.*//mgr,
		$new);
	connect_to($database = $new);
	return;
}

my %steps = (
	'print and run' => sub { print_and_run() },
	'post-data' => sub { print_and_run('--section=post-data') },
	'INSERT' => sub {
		write_documents('INSERT INTO random SELECT * FROM input', { map { $_ => $pool{$_} } others(10) });
	},
	'UPDATE' => sub {
		my @changed = some(20);
		write_documents(
			'UPDATE random AS r SET doc = i.doc FROM input AS i WHERE r._id = i._id',
			{ map { $changed[$_] => $now{ $changed[ $_ - 1 ] } } 0 .. $#changed });
	},
	'DELETE' => sub {
		my @deleted = some(10);
		run_script(sprintf(q{DELETE FROM random WHERE _id = ANY ('{%s}')}, join(',', @deleted)));
		delete @now{@deleted};
	},
	'UPDATE of keys' => sub {
		my @moved = grep { /^0/ } some(10);
		run_script(
			sprintf(q{UPDATE random SET _id = ('f' || substr(_id::text, 2))::objectid WHERE _id = ANY ('{%s}')},
				join(',', @moved)));
		@now{ map { s/^0/f/r } @moved } = delete @now{@moved};
	},
	'--upsert' => sub {
		load_random({ map({ $_ => $pool{$_} } others(10)), map { $_ => $pool{$_} } grep { $pool{$_} } some(10) },
			'--upsert');
	},
	'TRUNCATE' => sub {
		print_and_run();
		sql('TRUNCATE random');
		%now = ();
	},
	'--truncate' => sub {
		print_and_run();
		%now = ();
		load_random(\%pool, '--truncate');
	},
	'a later dump' => sub {
		grow($_) for values %pool;
		my @all = (values %pool, values %now);
		look_at(\%seen, @all);
		%now = ();
		kill_psql(script_of('--schema-only', @options, file_of('random', \%pool)));
		print_and_run();
		load_random(\%pool, '--truncate');
	},
	'a choice of a name' => \&rename_one,
	'dump and restore' => \&restore);

print_and_run() if rand() < 0.5;
load_random({ map { $_ => $pool{$_} } others(60) });
print_and_run();
random_is('documents that were loaded');
for my $step (shuffle(sort keys %steps), $long ? map { (sort keys %steps)[ rand keys %steps ] } 1 .. 40 : ())
{
	note($step);
	$steps{$step}();
	random_is($step);
}

# The tables that views become
print_and_run();
load_random(\%pool, '--truncate') unless %now;
my $documents = sql('SELECT md5(string_agg(doc::text, \'\' ORDER BY _id)) FROM random');
my @views = split(/\n/, sql(q{SELECT oid::regclass FROM pg_class WHERE relkind = 'v' AND relname ~ '^random'}));
kill_psql(script_of('--to-tables', '-t', 'random'));
run_script(script_of('--to-tables', '-t', 'random'));
random_is('the conversion');
is(sql('SELECT md5(string_agg(old_doc::text, \'\' ORDER BY _id)) FROM random'),
	$documents, 'nothing is removed from doc');
is( sql(sprintf(
			q{SELECT count(*) FILTER (WHERE contype = 'f'), count(*) FILTER (WHERE contype = 'p') FROM pg_constraint WHERE conrelid = ANY (ARRAY[%s]::regclass[])},
			join(',', map { q{'} . s/'/''/gr . q{'} } @views))),
	join('|', (scalar @views) x 2),
	'each table of elements has a primary key, and refers to its owner');
run_script(script_of('--section=post-data', @options, file_of('random', \%pool)));
my $gone = (sort keys %now)[0];
sql("DELETE FROM random WHERE _id = '$gone'; INSERT INTO random DEFAULT VALUES; DELETE FROM random WHERE old_doc IS NULL"
);
delete $now{$gone};
random_is('a document that is deleted');
is(sql("SELECT count(*) FROM pg_class WHERE relname = 'pwned'"), 0, 'no name has been executed');
ok(!-e "$work/pwned", 'no name has run in psql');
done_testing();
