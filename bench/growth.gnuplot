# Cost by the number of rows, in three panels, one above the other.  Needs data (of growth.sql), its columns, and out.
set terminal svg size 480,840 font 'sans-serif,14' background '#ffffff'
set output out
set datafile separator "\t"
set datafile missing '?'
stats data using 1 every ::1 nooutput
set logscale x
set format x '10^%T'
set yrange [0:*]
set grid lc '#dddddd'
set border 3 lc '#555555'
set tics nomirror
set key outside top center horizontal
set tics textcolor '#333333'
set xrange [0.7 * STATS_min:*]
set xlabel 'rows'
array colour[6] = ['', '', '#0b7a3e', '#a04a00', '#2f62ad', '#656d76']
of(what, wanted, value) = what eq wanted ? value : NaN
set multiplot layout 3,1
do for [panel in "'bulk insert' 'REINDEX' 'point lookup'"] {
	set title panel.(panel eq 'point lookup' ? ', µs' : ', µs a row')
	plot for [i in columns] data using 1:(of(strcol(2), panel, column(int(i)))) with linespoints pt 7 lw 2 lc rgb colour[int(i)] title columnheader(int(i))
}
unset multiplot
