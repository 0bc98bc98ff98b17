# DBD::Pg: BSON::OID for columns of type objectid.
#
# Writing an id needs no set-up: a BSON::OID stands for its 24 digits where a string
# is wanted, so it binds as it is.  In an array DBD::Pg takes no objects, and reading
# gives strings: that is what these functions are for.  DBD::Pg speaks the text
# protocol only; in binary COPY the 12 bytes are $id->oid.
package ObjectIdPg;
use strict;
use warnings;
use BSON::OID;
use Exporter qw(import);

our @EXPORT_OK = qw(oid oids digits);

# oid($string) - a field of type objectid as BSON::OID; undef stays
sub oid
{
	my ($hex) = @_;
	return undef unless defined $hex;
	die "not an objectid: $hex\n" unless $hex =~ /\A[0-9a-f]{24}\z/;
	return BSON::OID->new(oid => pack('H24', $hex));
}

# oids($array) - a field of type objectid[] as a reference to an array of BSON::OID
#
# DBD::Pg takes arrays of built-in types apart, and leaves this one as it comes:
# {507f...,NULL}, where no element is ever quoted.  Of one dimension only.
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
