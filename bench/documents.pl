#!/usr/bin/env perl
# Write BSON documents for bench/import.sh: documents.pl NUMBER [large].  They have 0.3 kB, or 2 kB and an
# array of objects.
use strict;
use warnings;

my ($count, $large) = @ARGV;
my @words = qw(lorem ipsum dolor sit amet consectetur elit sed do eiusmod tempor);
srand(1);
binmode(STDOUT);

sub words
{
	join(' ', map { $words[ rand @words ] } 1 .. $_[0]);
}
sub document { my $body = join('', @_) . "\0"; pack('V', length($body) + 4) . $body }
sub field    { my ($type, $name, $value) = @_; pack('CZ*a*', $type, $name, $value) }
sub text     { field(2, $_[0], pack('V/a*', "$_[1]\0")) }
sub int32    { field(0x10, $_[0], pack('l<', $_[1])) }
sub double   { field(1, $_[0], pack('d<', $_[1])) }
sub date     { field(9, $_[0], pack('q<', 1_577_836_800_000 + 1000 * $_[1])) }
sub id       { field(7, $_[0], pack('NNN', 0x5f000000, 0, $_[1])) }

sub array
{
	my ($name, $type, @values) = @_;
	field(4, $name, document(map { field($type, $_, $values[$_]) } 0 .. $#values));
}

for my $n (1 .. $count)
{
	my @fields = (
		id('_id', $n),
		text('name', words(6)),
		text('email', "user$n\@example.org"),
		int32('age', rand(90)),
		double('score', rand(100)),
		field(8, 'active', chr($n % 2)),
		date('created', $n),
		field(3, 'address', document(text('street', words(2)), text('city', words(1)), int32('zip', $n % 99999))),
		array('tags', 2, map { pack('V/a*', words(1) . "\0") } 1 .. $n % 4),
		id('owner', 1 + rand(1000)),
		text('note', words(5)));
	push @fields, text('about', words(110)),
	  map({ $_ % 2 ? text("text$_", words(2)) : int32("number$_", rand(1e9)) } 1 .. 20), array(
		'orders', 3,
		map {
			document(
				text('sku', 'A' . int(rand(10000))),
				int32('quantity', rand(9)),
				double('price', rand(50)),
				date('at', rand(1e7)),
				text('notes', words(4)))
		} 1 .. 6) if $large;
	print document(@fields);
}
