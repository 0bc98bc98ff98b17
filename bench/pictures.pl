#!/usr/bin/env perl
# Draw figures of script/bench as horizontal bars.
#
#   bench/pictures.pl RESULTS DIRECTORY
#
# RESULTS is a file with tables of script/bench: its results.md, or docs/performance-data.md.  A
# measure is read from the first table that has it.  Writes, for each picture whose measures
# are there, DIRECTORY/NAME-light.svg and NAME-dark.svg.  Their <title> has all figures; the
# pages use it as alternative text, and t/docs_performance.pl checks that.
use strict;
use warnings;

# The pictures.  Rows: a measure, and its label.  Kinds: columns of the table.  Values are
# percentages of the kind "of", if there is one; a rate is then the time of one row.
my @pictures = (
	{
		name => 'ratios',
		title => 'Time or bytes in % of uuid v4, less is better',
		caption => 'time or bytes: less is better',
		of => 'uuid v4',
		kinds => [ 'objectid', 'uuid v7', 'bigint identity' ],
		rows => [
			[ 'generate, net of the query, ns', 'generate an id' ],
			[ 'bulk insert with primary key, s', 'bulk insert' ],
			[ 'single-row inserts, index larger than shared_buffers, rows/s', 'into a big index' ],
			[ 'COPY in, text, s', 'COPY in as text' ],
			[ 'CREATE INDEX, one bulk load, s', 'index ordered ids' ],
			[ 'ORDER BY, shuffled, s', 'sort shuffled ids' ],
			[ 'point lookup, us', 'look up a row' ],
			[ 'table and primary key after inserts, bytes a row', 'bytes with index' ]
		]
	},
	{
		name => 'sessions',
		title => 'Bytes of the primary key for each id, after single-row inserts, less is better',
		caption => 'bytes of the primary key for each id: less is better',
		kinds => [ 'objectid', 'uuid v7', 'uuid v4', 'bigint identity' ],
		rows => [
			[ 'index after single-row inserts by 1 sessions, bytes an id', '1 session' ],
			map { [ "index after single-row inserts by $_ sessions, bytes an id", "$_ sessions" ] } 2,
			8, 32
		]
	});

# Label and colours of a kind, in the light and the dark picture
my %kind = (
	'objectid' => [ 'objectid', '#0b7a3e', '#4ac26b' ],
	'uuid v7' => [ 'uuid v7', '#2f62ad', '#80b3f5' ],
	'uuid v4' => [ 'uuid v4', '#a04a00', '#f0a35e' ],
	'bigint identity' => [ 'bigint', '#656d76', '#adb5bd' ]);

# Colours: background, text, text in a bar
my %theme = (
	light => [ '#ffffff', '#1f2328', '#ffffff' ],
	dark => [ '#0d1117', '#e6edf3', '#0d1117' ]);

# Sizes are chosen for a width of 360 pixels, where 13 units of text are 10 pixels.
my ($width, $left, $full, $bar, $gap, $top) = (460, 134, 280, 15, 9, 58);

@ARGV == 2 or die "usage: bench/pictures.pl RESULTS DIRECTORY\n";
my ($results, $directory) = @ARGV;

# the tables: measure -> kind -> median
my (%median, @columns);
open(my $in, '<', $results) or die "$results: $!\n";
while (my $line = <$in>)
{
	if ($line !~ /^\|/)
	{
		@columns = ();
		next;
	}
	my ($measure, @cells) = split / *\| */, $line =~ s/^\| *//r;
	if (!@columns)
	{
		@columns = @cells;
	}
	elsif (!$median{$measure})
	{
		@{ $median{$measure} }{@columns} = map { /^([0-9.]+)/ ? $1 : undef } @cells;
	}
}
close $in;

# value($picture, $row, $kind) - the length of a bar, if it was measured
sub value
{
	my ($picture, $row, $name) = @_;
	my $measure = $row->[0];
	my $value = $median{$measure}{$name} or return;
	return $value unless $picture->{of};
	my $base = $median{$measure}{ $picture->{of} } or return;
	return 100 * ($measure =~ m{rows/s$} ? $base / $value : $value / $base);
}

# draw($picture, $theme) - the text of an SVG file
sub draw
{
	my ($picture, $theme) = @_;
	my ($background, $text, $inside) = @{ $theme{$theme} };
	my @rows = grep { defined value($picture, $_, 'objectid') } @{ $picture->{rows} };
	my @kinds = grep {
		my $name = $_;
		grep { defined value($picture, $_, $name) } @rows
	} @{ $picture->{kinds} };

	# longer bars than these shrink all
	my ($longest) = sort { $b <=> $a } $picture->{of} ? 116 : 0, map {
		my $row = $_;
		map { value($picture, $row, $_) // 0 } @kinds
	} @rows;
	my $scale = $full * 1.16 / $longest;
	my $height = $top + @rows * (@kinds * $bar + $gap);
	my $svg = '';

	# text($x, $y, $colour, $anchor, $words)
	my $text_at = sub {
		my ($x, $y, $colour, $anchor, $words) = @_;
		$svg .= qq{<text x="$x" y="$y" fill="$colour" text-anchor="$anchor">$words</text>\n};
	};
	my $colour_of = sub { $kind{ $_[0] }[ $theme eq 'light' ? 1 : 2 ] };
	my $label_of = sub { defined $_[0] ? sprintf($picture->{of} ? '%.0f' : '%.1f', $_[0]) : '-' };

	my $x = 8;
	for my $name (@kinds)
	{
		$svg .= sprintf qq{<rect x="$x" y="9" width="12" height="12" fill="%s"/>\n}, $colour_of->($name);
		$text_at->($x + 17, 20, $text, 'start', $kind{$name}[0]);
		$x += 94;
	}
	$text_at->(8, 44, $text, 'start', $picture->{caption});

	my $hundred = $picture->{of} ? 100 * $scale : 0;
	my $y = $top;
	for my $row (@rows)
	{
		$text_at->($left - 8, $y + @kinds * $bar / 2 + 4.5, $text, 'end', $row->[1]);
		for my $name (@kinds)
		{
			my $value = value($picture, $row, $name);
			if (defined $value)
			{
				my $length = sprintf '%.1f', $value * $scale;
				my $label = $label_of->($value) . ($picture->{of} ? ' %' : '');
				$svg .= sprintf qq{<rect x="$left" y="$y" width="$length" height="%d" fill="%s"/>\n}, $bar - 1,
				  $colour_of->($name);
				if ($length < 55)
				{
					$text_at->($left + $length + 5, $y + 11.5, $text, 'start', $label);
				}
				else
				{
					# left of the line at 100 %, never across it
					my $right = $length > $hundred && $length < $hundred + 45 ? $hundred - 4 : $length - 4;
					$text_at->($left + $right, $y + 11.5, $inside, 'end', $label);
				}
			}
			$y += $bar;
		}
		$y += $gap;
	}

	if ($picture->{of})
	{
		my $end = sprintf '%.1f', $left + $hundred;
		my $line = $colour_of->($picture->{of});
		my $label_end = $end + 48 < $width - 6 ? $end + 48 : $width - 6;
		$text_at->($label_end < 300 ? 300 : $label_end, 44, $line, 'end', "$picture->{of}: 100 %");
		$svg .= sprintf qq{<path d="M$end 49V%d" stroke="$line" stroke-width="2"/>\n}, $height - 4;
	}

	my $title = "$picture->{title} (" . join(', ', map { $kind{$_}[0] } @kinds) . '): ' . join(
		'; ',
		map {
			my $row = $_;
			"$row->[1] " . join(', ', map { $label_of->(value($picture, $row, $_)) } @kinds)
		} @rows);
	return <<SVG;
<svg xmlns="http://www.w3.org/2000/svg" width="560" viewBox="0 0 $width $height" font-family="Helvetica, Arial, sans-serif" font-size="13" role="img">
<title>$title</title>
<rect width="$width" height="$height" fill="$background"/>
$svg</svg>
SVG
}

for my $picture (@pictures)
{
	# others were measured
	next unless grep { defined value($picture, $_, 'objectid') } @{ $picture->{rows} };
	for my $theme (sort keys %theme)
	{
		my $file = "$directory/$picture->{name}-$theme.svg";
		open(my $out, '>', $file) or die "$file: $!\n";
		print $out draw($picture, $theme);
		close $out or die "$file: $!\n";
	}
}
