#!/usr/bin/perl
# See clients/t/ClientTest.pm.
use strict;
use warnings;
use BSON::OID;
use DBI;
use Pg::ObjectId qw(oid oids digits);

use DBD::Pg qw(:pg_types);
use Time::Piece;

sub check
{
	my ($condition, $what) = @_;
	print $condition ? 'ok' : 'not ok', " - $what\n";
}

# the digits of ids, for comparison
sub hex_of
{
	return join(' ', map { defined $_ ? (ref($_) eq 'BSON::OID' ? $_->hex : "no BSON::OID: $_") : 'NULL' } @_);
}

print "1..16\n";
my $dbh = DBI->connect('dbi:Pg:', '', '', { RaiseError => 1, PrintError => 0 });

# the example in docs/clients-others.md
$dbh->do('CREATE EXTENSION IF NOT EXISTS objectid');
$dbh->do('CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)');

my $id = BSON::OID->new;
$dbh->do('INSERT INTO event (id, what) VALUES (?, ?)', undef, $id, 'log in');
my ($found) = $dbh->selectrow_array('SELECT id FROM event WHERE id = ?', undef, $id);
die unless oid($found) == $id;

my ($several) = $dbh->selectrow_array('SELECT array_agg(id) FROM event WHERE id = ANY(?)', undef, digits([$id]));
die unless oids($several)->[0] == $id;

check(!eval { $dbh->do('SELECT ?::objectid[]', undef, [$id]) } && $@ =~ /array/, 'DBD::Pg refuses objects in an array');

sub read_ids
{
	return hex_of(map { oid($_) } @{ $dbh->selectcol_arrayref(@_) });
}

# 1,000 ids and the vectors, sorted
my %vectors = $ENV{VECTORS} =~ /^(\w+) (\d+)$/mg;
my @ids = sort { $a->oid cmp $b->oid } (map { BSON::OID->new } 1 .. 1000),
  map { BSON::OID->new(oid => pack('H24', $_)) } keys %vectors;
my $insert = $dbh->prepare("INSERT INTO made VALUES ('text', ?, ?)");
$insert->execute($_, $_->hex) for @ids;
check(read_ids('SELECT id FROM made ORDER BY id') eq hex_of(@ids), 'text: 1,000 ids come back equal');

my $right = 1;
for my $id (grep { defined $vectors{ $_->hex } } @ids)
{
	my @found = map { oid($_) } @{ $dbh->selectcol_arrayref('SELECT id FROM made WHERE id = ?', undef, $id) };
	my $seconds = delete $vectors{ $id->hex };
	$right &&= @found == 1 && $found[0]->oid eq $id->oid && $found[0]->get_time == $seconds;
}
check($right && !%vectors, 'text: vectors');

check(read_ids('SELECT ?::objectid', undef, undef) eq 'NULL', 'text: NULL');

for my $array ([ @ids[ 0 .. 2 ] ], [ $ids[0], undef ], [], undef)
{
	my ($back) = $dbh->selectrow_array('INSERT INTO list SELECT count(*), ?::objectid[] FROM list RETURNING ids',
		undef, digits($array));
	check(defined $array ? hex_of(@{ oids($back) }) eq hex_of(@$array) : !defined oids($back), 'text: arrays');
}

# elements that are no ids: an error, or the id that is in the text
my @accepted = grep {
	my ($back) = eval { $dbh->selectrow_array('SELECT ?::objectid[]', undef, digits([ $id, $_ ])) };
	defined $back && ($back ne "{$id,$id}" || !/$id/);
} "$id,$id", 'NULL', 'null', '', '{}', '{', '"', '\\', qq("$id"), "{$id}", "$id}", ' a', 5;
check(!@accepted, "text: elements of arrays that are no ids: @accepted");

check(
	read_ids('SELECT id FROM made WHERE id = ?', undef, $ids[500]) eq hex_of($ids[500])
	  && $dbh->selectrow_array('SELECT count(*) FROM made WHERE id = ANY(?)', undef, digits([ @ids[ 0 .. 9 ] ])) == 10,
	'text: WHERE with an ObjectId');

# the server takes a parameter compared with an id for an id, unless it is cast or has its type from bind_param
my $date = gmtime(1_740_027_600)->strftime('%Y-%m-%dT%H:%M:%SZ');
my @late = $dbh->selectcol_arrayref('SELECT n FROM dated WHERE id > ?::timestamptz ORDER BY n', undef, $date);
my $select = $dbh->prepare('SELECT n FROM dated WHERE id > ? ORDER BY n');
$select->bind_param(1, $date, { pg_type => PG_TIMESTAMPTZ });
push @late, $dbh->selectcol_arrayref($select);
check(!grep({ "@$_" ne join(' ', 9990 .. 9999) } @late), 'text: id > a date');

check(!eval { oids('{{' . join('},{', @ids[ 0 .. 1 ]) . '}}') } && !eval { oid('no digits') },
	'invalid text is not read as an id');

check(!grep({ eval { oids($_) } } '', '{,}', '{', "{$ids[0],}", "[0:0]={$ids[0]"), 'invalid arrays are errors');

# an array with bounds of its own, and strings in place of ids
my ($bounds) = $dbh->selectrow_array(q{SELECT ('[0:1]=' || ?::objectid[]::text)::objectid[]},
	undef, digits([ $ids[0]->hex, $ids[1] ]));
check($bounds =~ /^\[/ && hex_of(@{ oids($bounds) }) eq hex_of(@ids[ 0, 1 ]), 'bounds of an array, strings');

# DBD::Pg reads every new type as a string
my $empty = DBI->connect('dbi:Pg:dbname=empty', '', '', { RaiseError => 1, PrintError => 0 });
for (1 .. 2)
{
	$empty->do('CREATE EXTENSION objectid; CREATE TABLE event (id objectid, ids objectid[])');
	my ($new, $array) =
	  $empty->selectrow_array('INSERT INTO event VALUES (?, ?) RETURNING id, ids', undef, $ids[0], digits([ $ids[0] ]));
	check(hex_of(oid($new), @{ oids($array) }) eq hex_of(@ids[ 0, 0 ]), 'the first migration, and again');
	$empty->do('DROP TABLE event; DROP EXTENSION objectid');
}
