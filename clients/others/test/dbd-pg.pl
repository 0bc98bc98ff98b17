#!/usr/bin/perl
# See clients/t/ClientTest.pm.  Ids are strings.
use strict;
use warnings;
use BSON::OID;
use DBD::Pg qw(:pg_types);
use DBI;
use Time::Piece;

sub check
{
	my ($condition, $what) = @_;
	print $condition ? 'ok' : 'not ok', " - $what\n";
}

print "1..8\n";
my $dbh = DBI->connect('dbi:Pg:', '', '', { RaiseError => 1, PrintError => 0 });

# the example in README.md
my $id = '507f1f77bcf86cd799439011';
$dbh->do('INSERT INTO event (id, what) VALUES (?, ?)', undef, $id, 'log in');
my ($found) = $dbh->selectrow_array('SELECT id FROM event WHERE id = ANY(?)', undef, [$id]);

die unless $found eq $id;

sub read_ids
{
	return join(' ', map { $_ // 'NULL' } @{ $dbh->selectcol_arrayref(@_) });
}

my %vectors = $ENV{VECTORS} =~ /^(\w+) (\d+)$/mg;
my @ids = sort((map { BSON::OID->new->hex } 1 .. 1000), keys %vectors);
my $insert = $dbh->prepare("INSERT INTO made VALUES ('text', ?, ?)");
$insert->execute($_, $_) for @ids;
check(read_ids('SELECT id FROM made ORDER BY id') eq "@ids", 'text: 1,000 ids come back equal');
check(!grep({ read_ids('SELECT id FROM made WHERE id = ?', undef, $_) ne $_ } keys %vectors), 'text: vectors');
check(read_ids('SELECT ?::objectid', undef, undef) eq 'NULL', 'text: NULL');
check(
	read_ids('SELECT id FROM made WHERE id = ?', undef, $ids[500]) eq $ids[500]
	  && $dbh->selectrow_array('SELECT count(*) FROM made WHERE id = ANY(?)', undef, [ @ids[ 0 .. 9 ] ]) == 10,
	'text: WHERE with an ObjectId');
check($dbh->selectrow_array('SELECT array_agg(NULL::objectid) || ?::objectid[]', undef, [$id]) eq "{NULL,$id}",
	'text: arrays');

# the server takes a parameter compared with an id for an id, unless it is cast or has its type from bind_param
my $date = gmtime(1_740_027_600)->strftime('%Y-%m-%dT%H:%M:%SZ');
my @late = $dbh->selectcol_arrayref('SELECT n FROM dated WHERE id > ?::timestamptz ORDER BY n', undef, $date);
my $select = $dbh->prepare('SELECT n FROM dated WHERE id > ? ORDER BY n');
$select->bind_param(1, $date, { pg_type => PG_TIMESTAMPTZ });
push @late, $dbh->selectcol_arrayref($select);
check(!grep({ "@$_" ne join(' ', 9990 .. 9999) } @late), 'text: id > a date');

my $oid = BSON::OID->new;
check(read_ids('SELECT ?::objectid', undef, $oid) eq $oid->hex && BSON::OID->new(oid => pack('H24', $oid->hex)) == $oid,
	'a BSON::OID in, and of a string');
check(!eval { $dbh->do('SELECT ?::objectid[]', undef, [$oid]) } && $@ =~ /array/,
	'DBD::Pg refuses objects in an array');
