# objectid-import beside \copy of rows that are ready, for documents of 0.3 and 2 kB.  Sourced by
# script/bench --import.  Prints the medians, and in brackets their ratio to the load of BSON.

make -s -C "$work/tree/import" "PG_CONFIG=$PG_CONFIG"
program=$work/tree/import/objectid-import
data=$work/documents
mkdir "$data"

# timed NAME COMMAND...: note the seconds that it takes
timed() {
	local name=$1 start=$EPOCHREALTIME
	shift
	"$@" >/dev/null
	awk -v name="$name" -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { print name "|" end - start }' >>"$data/times"
}

# a new database, and all earlier work written to disk
new_database() {
	export PGDATABASE=postgres
	sql -c "DROP DATABASE IF EXISTS documents" -c "CREATE DATABASE documents" -c CHECKPOINT
	export PGDATABASE=documents
	sql -c "CREATE EXTENSION objectid"
}

load() {
	"$program" -q -t documents "$1"
}

# one round with documents of this size
measure_import() {
	local bson=$data/documents.bson
	new_database
	timed 'load of JSON' load "$data/documents.json"
	new_database
	sql -c "CREATE TABLE documents (_id objectid PRIMARY KEY, doc jsonb NOT NULL)" -c CHECKPOINT
	timed '\copy of rows' sql -c "\\copy documents FROM '$data/rows'"
	new_database
	timed 'load of BSON' load "$bson"
	timed '--verify' "$program" --verify -q -t documents "$bson"
	timed '--schema-only' "$program" --schema-only -t documents "$bson"
	timed 'columns after the load' sql -1 -f "$data/pre.sql"
	new_database
	sql -1 -f "$data/pre.sql" >/dev/null
	timed 'load into columns' load "$bson"
}

# the other files that a round reads
make_files() {
	local csv="FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02'"
	new_database
	load "$data/documents.bson"
	sql -c "\\copy documents TO '$data/rows'" -c "\\copy (SELECT doc FROM documents) TO '$data/documents.json' ($csv)"
	"$program" --schema-only --section=pre-data -t documents "$data/documents.bson" >"$data/pre.sql"
}

for size in 0.3 2; do
	rm -f "$data"/*
	if [ $size = 2 ]; then
		"$root/bench/documents.pl" $((rows / 5)) large >"$data/documents.bson"
	else
		"$root/bench/documents.pl" "$rows" >"$data/documents.bson"
	fi
	make_files
	for ((round = 1; round <= rounds; round++)); do
		say "documents of $size kB, $round of $rounds"
		measure_import
	done
	printf '\n| documents of %s kB, s | |\n|---|---|\n' $size
	sort -t '|' -k 1,1 -k 2n "$data/times" | awk -F '|' '
		$1 != name { if (name) median[name] = value[int((n + 1) / 2)]; name = $1; n = 0 }
		{ value[++n] = $2; if (!seen[$1]++) order[++names] = $1 }
		END {
			median[name] = value[int((n + 1) / 2)]
			for (i = 1; i <= names; i++)
				printf "| %s | %.2f (%.2f) |\n", order[i], median[order[i]], median[order[i]] / median["load of BSON"]
		}'
done
