# Cost by the number of rows, in three panels.  Needs data (of growth.sql), its columns, and out.
set terminal svg size 1000,360 font 'sans-serif,12' background '#ffffff'
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
set key top left
set tics textcolor '#333333'
set xrange [0.7 * STATS_min:*]
set offsets 0, 0, graph 0.4, 0
set xlabel 'rows'
array colour[6] = ['', '', '#13aa52', '#5b7db1', '#9db8dd', '#b9b9b9']
of(what, wanted, value) = what eq wanted ? value : NaN
set multiplot layout 1,3
do for [panel in "'bulk insert' 'REINDEX' 'point lookup'"] {
	set title panel.(panel eq 'point lookup' ? ', µs' : ', µs a row')
	plot for [i in columns] data using 1:(of(strcol(2), panel, column(int(i)))) with linespoints pt 7 lw 2 lc rgb colour[int(i)] title columnheader(int(i))
}
unset multiplot
