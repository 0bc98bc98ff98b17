#!/usr/bin/env perl
# Draw the ratios to uuid v4 as horizontal bars.
#
#   bench/pictures.pl RESULTS >ratios.svg
#
# RESULTS is a file with tables of script/bench: its results.md, or docs/performance-data.md.  A
# measure is read from the first table that has it.
use strict;
use warnings;

# the rows: a measure, and its label
my @rows = (
	[ 'generate, net of the query, ns', 'generate an id' ],
	[ 'bulk insert with primary key, s', 'insert, bulk' ],
	[ 'single-row inserts, index larger than shared_buffers, rows/s', 'insert, large index' ],
	[ 'COPY in, text, s', 'COPY in, text' ],
	[ 'CREATE INDEX, one bulk load, s', 'build an index' ],
	[ 'ORDER BY, shuffled, s', 'sort, shuffled ids' ],
	[ 'point lookup, us', 'look up a row' ],
	[ 'table and primary key after inserts, bytes a row', 'bytes, with index' ]);

# the bars of a row: a column of the table, its label
my @kinds = ([ 'objectid', 'objectid' ], [ 'uuid v7', 'uuid v7' ], [ 'bigint identity', 'bigint' ]);

# Sizes are chosen for a width of 360 pixels, where 13 units of text are 10 pixels.
my ($width, $left, $hundred, $bar, $gap, $top) = (460, 134, 280, 15, 9, 58);

@ARGV == 1 or die "usage: bench/pictures.pl RESULTS\n";

# the tables: measure -> kind -> median
my (%median, @columns);
while (my $line = <>)
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
	$svg .= sprintf qq{<rect x="%g" y="%g" width="%.1f" height="%g" class="kind%d"/>\n}, @_;
}

for my $i (0 .. $#kinds)
{
	bar(8 + 94 * $i, 9, 12, 12, $i);
	text(25 + 94 * $i, 20, 'start', $kinds[$i][1]);
}
text(8, 44, 'start', 'time or bytes: less is better');
text($left + $hundred + 40, 44, 'end', 'uuid v4: 100 %', 'line');

my $y = $top;
for my $row (@rows)
{
	my ($measure, $label) = @$row;
	my $of = $median{$measure} && $median{$measure}{'uuid v4'} or next;
	text($left - 8, $y + @kinds * $bar / 2 + 4.5, 'end', $label);
	for my $i (0 .. $#kinds)
	{
		my $value = $median{$measure}{ $kinds[$i][0] };
		if (defined $value)
		{
			# a rate as the time of one row; at most the width of the picture
			my $ratio = $measure =~ m{rows/s$} ? $of / $value : $value / $of;
			my $length = $ratio < 1.16 ? $hundred * $ratio : $hundred * 1.16;
			my $shown = sprintf('%.0f %%', 100 * $ratio);
			bar($left, $y, $length, $bar - 1, $i);
			if ($length < 55)
			{
				text($left + $length + 5, $y + 11.5, 'start', $shown);
			}
			else
			{
				# left of the line at 100 %, never across it
				my $inside = $length > $hundred && $length < $hundred + 45 ? $hundred : $length;
				text($left + $inside - 4, $y + 11.5, 'end', $shown, 'inside');
			}
		}
		$y += $bar;
	}
	$y += $gap;
}

printf <<'SVG', $width, $y, $width, $y, $svg, $left + $hundred, $y - 4;
<svg xmlns="http://www.w3.org/2000/svg" width="560" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" font-size="13" role="img">
<title>Cost of an operation, compared with uuid v4 (less is better)</title>
<style>
text { fill: #1f2328 } .back, .inside { fill: #ffffff } .line { fill: #b42318; stroke: none } path { stroke: #b42318 }
.kind0 { fill: #0b7a3e } .kind1 { fill: #2f62ad } .kind2 { fill: #656d76 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .back, .inside { fill: #0d1117 } .line { fill: #ff938a } path { stroke: #ff938a }
.kind0 { fill: #4ac26b } .kind1 { fill: #80b3f5 } .kind2 { fill: #adb5bd }
}
</style>
<rect width="%d" height="%d" class="back"/>
%s<path d="M%g 49V%d" stroke-width="2"/>
</svg>
SVG
