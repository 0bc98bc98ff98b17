#!/usr/bin/env perl
# Draw figures of script/bench as horizontal bars.
#
#   bench/pictures.pl RESULTS [PICTURE] >PICTURE.svg
#
# RESULTS is a file with tables of script/bench: bench/results.md, or that of a run.  A
# measure is read from the first table that has it.  PICTURE is "ratios", the default, or
# "hour".  The <title> has all figures; the pages use it as alternative text.
use strict;
use warnings;

# The pictures.  Rows: a measure, and its label.  Kinds: columns of the table.  Values are
# percentages of the kind "of"; a rate is the time of one row.  A bar of "full" % has 280 units.
my %pictures = (
	ratios => {
		title => 'Time or bytes in % of uuid v4, less is better',
		caption => 'time or bytes: less is better',
		of => 'uuid v4',
		full => 100,
		kinds => [ 'objectid', 'uuid v7', 'bigint identity' ],
		rows => [
			[ 'generate, net of the query, ns', 'generate an id' ],
			[ 'bulk insert with primary key, s', 'bulk insert' ],
			[ 'single-row inserts, index larger than shared_buffers, 20 s later, rows/s', 'into a big index' ],
			[ 'COPY in, text, s', 'COPY in as text' ],
			[ 'CREATE INDEX, one bulk load, s', 'index ordered ids' ],
			[ 'ORDER BY, shuffled, s', 'sort shuffled ids' ],
			[ 'point lookup, us', 'look up a row' ],
			[ 'table and primary key after inserts, bytes a row', 'bytes with index' ]
		]
	},
	hour => {
		title => 'An hour of five years, by id, or by created_at beside another key, in % of bigint, less is better',
		caption => 'others with created_at: less is better',
		of => 'bigint identity',
		full => 140,
		kinds => [ 'objectid', 'uuid v7', 'uuid v4' ],
		rows => [
			[ 'an hour of five years, us', 'time, by btree' ],
			[ 'an hour of five years, by BRIN, us', 'time, by BRIN' ],
			[ 'five years of rows, with all that finds an hour, bytes a row', 'bytes with index' ]
		]
	});

# class and label of a kind
my %kind = (
	'objectid' => [ 'o', 'objectid' ],
	'uuid v7' => [ 'v7', 'uuid v7' ],
	'uuid v4' => [ 'v4', 'uuid v4' ],
	'bigint identity' => [ 'b', 'bigint' ]);

# Sizes are chosen for a width of 360 pixels, where 13 units of text are 10 pixels.
my ($width, $left, $full, $bar, $gap, $top) = (460, 134, 280, 15, 9, 58);

my $picture = @ARGV && $pictures{ $ARGV[1] // 'ratios' } or die "usage: bench/pictures.pl RESULTS [PICTURE]\n";
my @kinds = @{ $picture->{kinds} };
my $line = $full * 100 / $picture->{full};

# the tables: measure -> kind -> median
my (%median, @columns);
open(my $in, '<', $ARGV[0]) or die "$ARGV[0]: $!\n";
while (my $line = <$in>)
{
	my ($measure, @cells) = $line =~ /^\|/ ? split(/ *\| */, $line =~ s/^\| *//r) : ();
	if (!defined $measure)
	{
		@columns = ();
	}
	elsif (!@columns)
	{
		@columns = @cells;
	}
	elsif (!$median{$measure})
	{
		@{ $median{$measure} }{@columns} = map { /^([0-9.]+)/ ? $1 : undef } @cells;
	}
}

my $svg = '';

sub text
{
	my ($x, $y, $anchor, $words, $class) = @_;
	$svg .= sprintf qq{<text x="%.4g" y="%g" text-anchor="%s"%s>%s</text>\n}, $x, $y, $anchor,
	  $class ? qq{ class="$class"} : '', $words;
}

sub bar
{
	$svg .= sprintf qq{<rect x="%g" y="%g" width="%.1f" height="%g" class="%s"/>\n}, @_;
}

for my $i (0 .. $#kinds)
{
	my ($class, $label) = @{ $kind{ $kinds[$i] } };
	bar(8 + 94 * $i, 9, 12, 12, $class);
	text(25 + 94 * $i, 20, 'start', $label);
}
text(8, 44, 'start', $picture->{caption});
text($left + $full + 40, 44, 'end', "$kind{ $picture->{of} }[1]: 100 %", $kind{ $picture->{of} }[0]);

my $y = $top;
my @described;
for my $row (@{ $picture->{rows} })
{
	my ($measure, $label) = @$row;
	my $of = $median{$measure}{ $picture->{of} };
	next unless $of && $median{$measure}{objectid};
	text($left - 8, $y + @kinds * $bar / 2 + 4.5, 'end', $label);
	my @shown;
	for my $name (@kinds)
	{
		my $value = $median{$measure}{$name};
		if (defined $value)
		{
			# a rate as the time of one row; at most the width of the picture
			$value = 100 * ($measure =~ m{rows/s$} ? $of / $value : $value / $of);
			my $length = $full * ($value < 1.16 * $picture->{full} ? $value / $picture->{full} : 1.16);
			push @shown, int($value + 0.5);
			bar($left, $y, $length, $bar - 1, $kind{$name}[0]);
			if ($length < 55)
			{
				text($left + $length + 5, $y + 11.5, 'start', "$shown[-1] %");
			}
			else
			{
				# left of the line at 100 %, never across it
				my $right = $length > $line && $length < $line + 45 ? $line : $length;
				text($left + $right - 4, $y + 11.5, 'end', "$shown[-1] %", 'inside');
			}
		}
		else
		{
			push @shown, '-';
		}
		$y += $bar;
	}
	push @described, "$label " . join(', ', @shown);
	$y += $gap;
}
$svg .= sprintf qq{<path d="M%g 49V%d" stroke-width="2"/>\n}, $left + $line, $y - 4;

my $title = "$picture->{title} (" . join(', ', map { $kind{$_}[1] } @kinds) . '): ' . join('; ', @described);
print <<"SVG";
<svg xmlns="http://www.w3.org/2000/svg" width="560" viewBox="0 0 $width $y" font-family="Helvetica, Arial, sans-serif" font-size="13" role="img">
<title>$title</title>
<style>
text { fill: #1f2328 } .back, .inside { fill: #ffffff } path { stroke: #a04a00 }
.o { fill: #0b7a3e } .v7 { fill: #2f62ad } .v4 { fill: #a04a00 } .b { fill: #656d76 }
\@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .back, .inside { fill: #0d1117 } path { stroke: #f0a35e }
.o { fill: #4ac26b } .v7 { fill: #80b3f5 } .v4 { fill: #f0a35e } .b { fill: #adb5bd }
}
</style>
<rect width="$width" height="$y" class="back"/>
$svg</svg>
SVG
