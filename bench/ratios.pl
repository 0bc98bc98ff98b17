#!/usr/bin/env perl
# Draw what objectid, uuid v7 and bigint take compared with uuid v4, as horizontal bars.
#
#   bench/ratios.pl RESULTS DIRECTORY
#
# RESULTS is a file with a table of script/bench: its results.md, or docs/performance-data.md,
# whose first table is drawn.  Writes DIRECTORY/ratios-light.svg and ratios-dark.svg.
use strict;
use warnings;

# The rows: a measure of the table, and its label.  A rate is shown as the time of one row.
my @rows = (
	[ 'generate, net of the query, ns', 'generate an id' ],
	[ 'bulk insert with primary key, s', 'insert, bulk' ],
	[ 'single-row inserts, index larger than shared_buffers, rows/s', 'insert, large index' ],
	[ 'COPY in, text, s', 'COPY in, text' ],
	[ 'CREATE INDEX, one bulk load, s', 'build an index' ],
	[ 'ORDER BY, shuffled, s', 'sort, shuffled ids' ],
	[ 'point lookup, us', 'look up a row' ],
	[ 'table and primary key after inserts, bytes a row', 'bytes, with index' ]);

# The bars: a column of the table, its name here, and its colour in both pictures
my @kinds = (
	[ 'objectid', 'objectid', '#0b7a3e', '#4ac26b' ],
	[ 'uuid v7', 'uuid v7', '#2f62ad', '#80b3f5' ],
	[ 'bigint identity', 'bigint', '#656d76', '#adb5bd' ]);

# Colours: background, text, text in a bar, line
my %theme = (
	light => [ '#ffffff', '#1f2328', '#ffffff', '#b42318' ],
	dark => [ '#0d1117', '#e6edf3', '#0d1117', '#ff938a' ]);

# Sizes are chosen for a width of 360 pixels, where 13 units of text are 10 pixels.
my ($width, $left, $full, $bar, $gap, $top) = (460, 134, 280, 15, 9, 58);

@ARGV == 2 or die "usage: bench/ratios.pl RESULTS DIRECTORY\n";
my ($results, $directory) = @ARGV;

# the first table that compares kinds of key: measure -> kind -> median
my (%median, @columns);
open(my $in, '<', $results) or die "$results: $!\n";
while (my $line = <$in>)
{
	if ($line =~ /^\|/)
	{
		my ($measure, @cells) = split / *\| */, $line =~ s/^\| *//r;
		if (!@columns)
		{
			last unless grep { $_ eq 'objectid' } @cells;
			@columns = @cells;
		}
		@{ $median{$measure} }{@columns} = map { /^([0-9.]+)/ ? $1 : undef } @cells;
	}
	elsif (@columns)
	{
		last;
	}
}
close $in;

# percent($measure, $kind) - the time or the bytes, where uuid v4's are 100
sub percent
{
	my ($measure, $kind) = @_;
	my ($value, $v4) = @{ $median{$measure} }{ $kind, 'uuid v4' };
	return unless $value and $v4;
	return 100 * ($measure =~ m{rows/s$} ? $v4 / $value : $value / $v4);
}

@rows = grep { defined percent($_->[0], 'objectid') } @rows;
exit unless @rows;    # others were measured
@kinds = grep {
	my $kind = $_->[0];
	grep { defined percent($_->[0], $kind) } @rows
} @kinds;

# longer bars than these shrink all
my ($longest) = sort { $b <=> $a } 116, map {
	my $row = $_;
	map { percent($row->[0], $_->[0]) // 0 } @kinds
} @rows;
$full *= 116 / $longest;

for my $theme (sort keys %theme)
{
	my ($background, $text, $inside, $line) = @{ $theme{$theme} };
	my $height = $top + @rows * (@kinds * $bar + $gap);
	my $svg = '';

	# text($x, $y, $colour, $anchor, $words)
	my $text_at = sub {
		my ($x, $y, $colour, $anchor, $words) = @_;
		$svg .= qq{<text x="$x" y="$y" fill="$colour" text-anchor="$anchor">$words</text>\n};
	};

	my $x = 8;
	for my $kind (@kinds)
	{
		my $colour = $kind->[ $theme eq 'light' ? 2 : 3 ];
		$svg .= qq{<rect x="$x" y="9" width="12" height="12" fill="$colour"/>\n};
		$text_at->($x + 17, 20, $text, 'start', $kind->[1]);
		$x += 94;
	}
	my $end = sprintf '%.1f', $left + $full;
	$text_at->(8, 44, $text, 'start', 'time or bytes: less is better');
	my $label_end = $end + 48 < $width - 6 ? $end + 48 : $width - 6;
	$label_end = 300 if $label_end < 300;
	$text_at->($label_end, 44, $line, 'end', 'uuid v4: 100 %');
	my $y = $top;
	for my $row (@rows)
	{
		my ($measure, $label) = @$row;
		$text_at->($left - 8, $y + @kinds * $bar / 2 + 4.5, $text, 'end', $label);
		for my $kind (@kinds)
		{
			my $percent = percent($measure, $kind->[0]);
			if (defined $percent)
			{
				my $length = sprintf '%.1f', $full * $percent / 100;
				my $colour = $kind->[ $theme eq 'light' ? 2 : 3 ];
				my $value = sprintf '%.0f %%', $percent;
				$svg .= sprintf qq{<rect x="$left" y="$y" width="$length" height="%d" fill="$colour"/>\n}, $bar - 1;
				if ($percent < 20)
				{
					$text_at->($left + $length + 5, $y + 11.5, $text, 'start', $value);
				}
				else
				{
					# left of the line at 100 %, never across it
					my $right = $length > $full && $length < $full + 45 ? $full - 4 : $length - 4;
					$text_at->($left + $right, $y + 11.5, $inside, 'end', $value);
				}
			}
			$y += $bar;
		}
		$y += $gap;
	}

	my $bottom = $height - 4;
	$svg .= qq{<path d="M$end 49V$bottom" stroke="$line" stroke-width="2"/>\n};

	my $file = "$directory/ratios-$theme.svg";
	open(my $out, '>', $file) or die "$file: $!\n";
	print $out <<SVG;
<svg xmlns="http://www.w3.org/2000/svg" width="560" viewBox="0 0 $width $height" font-family="Helvetica, Arial, sans-serif" font-size="13" role="img">
<title>Cost of an operation, compared with uuid v4 (less is better)</title>
<rect width="$width" height="$height" fill="$background"/>
$svg</svg>
SVG
	close $out or die "$file: $!\n";
}
