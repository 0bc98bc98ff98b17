# What operations take, against uuid v4.  Needs data (of ratios.sql), its columns, and out.
set terminal svg size 1000,460 font 'sans-serif,12' background '#ffffff'
set output out
set datafile separator "\t"
set datafile missing '?'
set title 'Time, and bytes, against uuid v4 (less is better)'
set style data histogram
set style histogram clustered gap 1.5
set style fill solid 0.9 noborder
set yrange [0:*]
set ytics 0.25 format '%.2f'
set grid ytics lc '#dddddd'
set xtics rotate by -35 scale 0
set border 1 lc '#555555'
set tics textcolor '#333333' nomirror
set key outside top center horizontal
array colour[6] = ['', '#13aa52', '#5b7db1', '#9db8dd', '#b9b9b9', '#e0c27a']
plot for [i in columns] data using int(i):xtic(1) title columnheader(int(i)) lc rgb colour[int(i)]
