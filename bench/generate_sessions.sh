# New ids in queries of one session, and of two at once
# order: 15, kinds: key; generator
generate_by() {
	local make rate
	make=$(sql -v kind="$2" <<<"SELECT make FROM bench.kind WHERE name = :'kind'")
	rate=$("$bindir/pgbench" -n -c "$1" -j "$1" -t 3 -f <(echo "SELECT count($make) FROM generate_series(1, $rows) AS i") 2>"$work/pgbench.log" |
		sed -n 's/^tps = \([0-9.]*\) .*/\1/p')
	[ -n "$rate" ] || die "pgbench failed: $(cat "$work/pgbench.log")"
	sql -o /dev/null -v sessions="$1" -v kind="$2" -v rate="$rate" -v rows="$rows" \
		<<<"SELECT bench.record('generate, by ' || :'sessions' || ' sessions', 'ids/s', :'kind', 0, :rate * :rows)"
}
for sessions in 1 2; do
	in_turn "$rounds" generate_by "$sessions"
done
