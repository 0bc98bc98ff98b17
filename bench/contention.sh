# Many sessions that insert, one row a transaction: rows a second of clients, and of procedures, which
# do not wait for clients; the fraction of sessions that wait for a page; the bytes of the index and of
# the WAL.  The latter also with ten rows a statement, and with short sessions among the long ones.
# order: 80, kinds: key; partitioned
contend() {
	local waits
	insert_singly "single-row inserts by $1 sessions" "$1" client 0 "$2"
	sql -o /dev/null -v clients="$1" -v kind="$2" -f "$root/bench/contention_waits.sql" &
	waits=$! # insert_singly changes $!, by a process substitution
	insert_singly "single-row inserts by $1 sessions, in a procedure" "$1" procedure 0 "$2"
	wait "$waits"
}
# index_bytes TITLE KIND COMMAND...: what COMMAND, which inserts, adds to the index and to the WAL
index_bytes() {
	local title=$1 kind=$2 start
	shift 2
	sql -c "TRUNCATE filled.\"$kind\"" -c CHECKPOINT
	start=$(sql -c "SELECT pg_current_wal_insert_lsn()")
	"$@" >/dev/null 2>"$work/pgbench.log" || die "pgbench failed: $(cat "$work/pgbench.log")"
	sql -o /dev/null -v title="$title" -v kind="$kind" -v start="$start" <<<"
		SELECT bench.record('index after ' || :'title', 'bytes an id', :'kind', 0, pg_indexes_size(format('filled.%I', :'kind')) / count(*)::float8),
			bench.record('WAL of ' || :'title', 'bytes a row', :'kind', 0, (pg_current_wal_insert_lsn() - :'start') / count(*)::float8)
		FROM filled.:\"kind\""
}
insert_rows() {
	local sessions=$1 rows=$2 script=$3
	shift 3
	"$bindir/pgbench" -n -c "$sessions" -j "$((sessions < 2 ? 1 : 2))" -t $((rows / sessions)) -f <(echo "$script") "$@"
}
leave_behind() {
	local statement="INSERT INTO filled.\"$1\" (v)"
	for clients in 1 2 8 32; do
		index_bytes "single-row inserts by $clients sessions" "$1" \
			insert_rows "$clients" 96000 "$statement VALUES (1)"
	done
	index_bytes "inserts of ten rows by 8 sessions" "$1" \
		insert_rows 8 9600 "$statement SELECT generate_series(1, 10)"
	come_and_go() {
		local short
		insert_rows 8 4000 "$statement VALUES (1)" -C &
		short=$!
		insert_rows 8 92000 "$statement VALUES (1)"
		wait "$short"
	}
	index_bytes "inserts by 8 sessions and 4000 short ones" "$1" come_and_go
}
in_turn 1 measure contention_table 0
for clients in 1 2 8 32; do
	in_turn "$rounds" contend "$clients"
done
# shellcheck disable=SC2034 # read by in_turn
kinds=key
in_turn 1 leave_behind
sql -c "DROP SCHEMA filled CASCADE"
