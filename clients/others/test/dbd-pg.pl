#!/usr/bin/perl
# See t/ClientTest.pm.  Ids are strings.
use strict;
use warnings;
use BSON::OID;
use DBD::Pg qw(:pg_types);
use DBI;

sub check
{
	my ($condition, $what) = @_;
	print $condition ? 'ok' : 'not ok', " - $what\n";
}

print "1..5\n";
my $dbh = DBI->connect('dbi:Pg:', '', '', { RaiseError => 1, PrintError => 0 });

# the example in README.md
my $id = '507f1f77bcf86cd799439011';
$dbh->do('INSERT INTO event (id, what) VALUES (?, ?)', undef, $id, 'log in');
my ($found) = $dbh->selectrow_array('SELECT id FROM event WHERE id = ANY(?)', undef, [$id]);

my $oid = BSON::OID->new(oid => pack('H24', $found));
check($found eq $id && $dbh->selectrow_array('SELECT id FROM event WHERE id = ?', undef, $oid) eq $id,
	'the example, and a BSON::OID');
check(!eval { $dbh->do('SELECT ?::objectid[]', undef, [$oid]) } && $@ =~ /array/,
	'DBD::Pg refuses objects in an array');

# the server takes a parameter compared with an id for an id, unless it is cast or has its type from bind_param
my $cast = $dbh->selectcol_arrayref('SELECT n FROM dated WHERE id > ?::timestamptz', undef, '2025-02-20 05:00Z');
my $select = $dbh->prepare('SELECT n FROM dated WHERE id > ?');
$select->bind_param(1, '2025-02-20 05:00Z', { pg_type => PG_TIMESTAMPTZ });
check(@$cast == 10 && @{ $dbh->selectcol_arrayref($select) } == 10, 'id > a date');

check($dbh->selectrow_array('SELECT array_agg(NULL::objectid) || ?::objectid[]', undef, [$id]) eq "{NULL,$id}",
	'an array');
$dbh->do('COPY list FROM STDIN');
$dbh->pg_putcopydata("1\t{$id}\n");
$dbh->pg_putcopyend;
check($dbh->selectrow_array('SELECT ids FROM list WHERE ? = ANY (ids)', undef, $id) eq "{$id}", 'COPY');
