# Rows a second with many sessions, and the fraction of sessions that wait for a page
# order: 80, kinds: key; partitioned
contend() {
	sql -o /dev/null -v clients="$1" -v kind="$2" -f "$root/bench/contention_waits.sql" &
	insert_singly "single-row inserts by $1 sessions" "$1" procedure 0 "$2"
	wait $!
}
in_turn 1 measure contention_table 0
for clients in 2 8 32; do
	in_turn "$rounds" contend "$clients"
done
sql -c "DROP SCHEMA filled CASCADE"
