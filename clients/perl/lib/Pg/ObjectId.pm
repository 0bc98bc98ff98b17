package Pg::ObjectId;
use strict;
use warnings;
use BSON::OID;
use Exporter qw(import);

our $VERSION = '1.0.0';
our @EXPORT_OK = qw(oid oids digits);

=head1 NAME

Pg::ObjectId - BSON::OID for PostgreSQL columns of type objectid, with DBD::Pg

=head1 SYNOPSIS

    use Pg::ObjectId qw(oid oids digits);

    $dbh->do('INSERT INTO event (id) VALUES (?)', undef, BSON::OID->new);
    my $id = oid($dbh->selectrow_array('SELECT id FROM event'));
    $dbh->do('DELETE FROM event WHERE id = ANY(?)', undef, digits([$id]));

To write an id, bind the BSON::OID itself: its string form is the 24 digits. The functions are for reading, because
DBD::Pg returns strings, and for arrays, because DBD::Pg accepts no objects in them.

=head1 FUNCTIONS

=head2 oid($string)

Converts a field of type objectid to a BSON::OID, and undef to undef.

=cut

sub oid
{
	my ($hex) = @_;
	return undef unless defined $hex;
	die "not an objectid: $hex\n" unless $hex =~ /\A[0-9a-f]{24}\z/;
	return BSON::OID->new(oid => pack('H24', $hex));
}

=head2 oids($array)

Converts a field of type objectid[], which DBD::Pg returns as text, to a reference to an array of BSON::OID. The array
has one dimension.

=cut

sub oids
{
	my ($array) = @_;
	return undef unless defined $array;
	die "not an array of one dimension: $array\n" unless $array =~ /\A(?:\[-?\d+:-?\d+\]=)?\{(.*)\}\z/s;
	return [ map { oid($_ eq 'NULL' ? undef : $_) } split(/,/, $1, -1) ];
}

=head2 digits($ids)

Converts a reference to an array of BSON::OID, or of strings of 24 digits, to one of strings, to bind for an objectid[].

=cut

sub digits
{
	my ($ids) = @_;
	return defined $ids ? [ map { defined $_ ? "$_" : undef } @$ids ] : undef;
}

1;
