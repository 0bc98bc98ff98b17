# Many sessions that insert, one row a transaction, in procedures, which do not wait for clients: rows a
# second, the fraction of sessions that wait for a page, the bytes of the index.
# order: 80, kinds: key; partitioned
contend() {
	local waits
	sql -o /dev/null -v clients="$1" -v kind="$2" -f "$root/bench/contention_waits.sql" &
	waits=$! # insert_singly changes $!, by a process substitution
	insert_singly "single-row inserts by $1 sessions, in a procedure" "$1" procedure 0 "$2"
	wait "$waits"
}
leave_behind() {
	sql -c "TRUNCATE filled.\"$2\""
	"$bindir/pgbench" -n -c "$1" -j "$(($1 < 2 ? 1 : 2))" -t $((96000 / $1)) -f <(echo "INSERT INTO filled.\"$2\" (v) VALUES (1)") \
		>"$work/pgbench.log" 2>&1 || die "pgbench failed" "$work/pgbench.log"
	sql -o /dev/null -v title="index after single-row inserts by $1 sessions" -v kind="$2" <<<"
		SELECT bench.record(:'title', 'bytes an id', :'kind', 0, pg_indexes_size(format('filled.%I', :'kind')) / count(*)::float8)
		FROM filled.:\"kind\""
}
in_turn 1 measure contention_table 0
for clients in 1 32; do
	in_turn "$rounds" contend "$clients"
done
# shellcheck disable=SC2034 # read by in_turn
kinds=key
for clients in 1 32; do
	in_turn 1 leave_behind "$clients"
done
sql -c "DROP SCHEMA filled CASCADE"
