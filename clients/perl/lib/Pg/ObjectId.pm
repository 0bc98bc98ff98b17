# DBD::Pg: BSON::OID for columns of type objectid.
#
# To write an id, bind the BSON::OID itself: its string form is the 24 digits.  These functions
# are for reading, where DBD::Pg returns strings, and for arrays, where it accepts no objects.
package Pg::ObjectId;
use strict;
use warnings;
use BSON::OID;
use Exporter qw(import);

our $VERSION = '1.0.0';
our @EXPORT_OK = qw(oid oids digits);

# oid($string) - a field of type objectid as BSON::OID; undef remains undef
sub oid
{
	my ($hex) = @_;
	return undef unless defined $hex;
	die "not an objectid: $hex\n" unless $hex =~ /\A[0-9a-f]{24}\z/;
	return BSON::OID->new(oid => pack('H24', $hex));
}

# oids($array) - a field of type objectid[] as a reference to an array of BSON::OID
#
# DBD::Pg parses arrays of built-in types only, so this one arrives as text: {507f...,NULL}.
# The server never quotes an element.  One dimension only.
sub oids
{
	my ($array) = @_;
	return undef unless defined $array;
	return [ map { oid($_ eq 'NULL' ? undef : $_) } split(/,/, substr($array, 1, -1)) ];
}

# digits($ids) - a reference to an array of BSON::OID, to bind for an objectid[]
sub digits
{
	my ($ids) = @_;
	return defined $ids ? [ map { defined $_ ? $_->hex : undef } @$ids ] : undef;
}

1;
