//go:build ignore

// See t/ClientTest.pm.
package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"time"

	"example.org/objectid/pgx"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.mongodb.org/mongo-driver/v2/bson"
)

var ctx = context.Background()

func check(condition bool, what string) {
	if condition {
		fmt.Println("ok -", what)
	} else {
		fmt.Println("not ok -", what)
	}
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// newIDs makes 1,000 ids, sorted: the counter of the library may wrap.
func newIDs() []bson.ObjectID {
	ids := make([]bson.ObjectID, 1000)
	for i := range ids {
		ids[i] = bson.NewObjectID()
	}
	sort.Slice(ids, func(i, j int) bool { return bytes.Compare(ids[i][:], ids[j][:]) < 0 })
	return ids
}

// read returns the only column of all rows, and one returns that of one row.
func read[T any](conn *pgx.Conn, query string, args ...any) []T {
	rows, err := conn.Query(ctx, query, args...)
	must(err)
	values, err := pgx.CollectRows(rows, pgx.RowTo[T])
	must(err)
	return values
}

func one[T any](conn *pgx.Conn, query string, args ...any) T {
	return read[T](conn, query, args...)[0]
}

func example(conn *pgx.Conn) {
	// the example in docs/clients-go.md
	must(objectid.Register[bson.ObjectID](ctx, conn, "objectid"))
	id := bson.NewObjectID()
	_, err := conn.Exec(ctx, "INSERT INTO event (id, what) VALUES ($1, $2)", id, "log in")
	must(err)

	var found bson.ObjectID
	must(conn.QueryRow(ctx, "SELECT id FROM event WHERE id = $1", id).Scan(&found))
	if found != id {
		must(errors.New("the example failed"))
	}

	since := time.Now().Add(-time.Hour)
	rows, err := conn.Query(ctx, "SELECT id, what FROM event WHERE id > $1::timestamptz", since)

	must(err)
	rows.Close()
	must(rows.Err())
}

// before checks strings and []byte, without set-up and again after Register.
func before(conn *pgx.Conn, how string) {
	type name string
	id := bson.NewObjectID()
	digits := id.Hex()
	right := true
	for _, in := range []any{digits, name(digits), &digits, sql.NullString{String: digits, Valid: true}, pgtype.Text{String: digits, Valid: true}, id[:]} {
		right = right && one[string](conn, "SELECT $1::objectid", in) == digits
	}
	check(right, how+": string and []byte in")

	check(one[name](conn, "SELECT $1::objectid", digits) == name(digits) &&
		*one[*string](conn, "SELECT $1::objectid", digits) == digits &&
		string(one[[]byte](conn, "SELECT $1::objectid", digits)) == digits &&
		one[sql.NullString](conn, "SELECT $1::objectid", digits).String == digits &&
		one[pgtype.Text](conn, "SELECT $1::objectid", digits).String == digits &&
		one[[]byte](conn, "SELECT NULL::objectid") == nil &&
		!one[sql.NullString](conn, "SELECT NULL::objectid").Valid,
		how+": string and []byte out")

	two := []string{digits, digits}
	check(reflect.DeepEqual(one[[]string](conn, "SELECT $1::objectid[]", two), two) &&
		reflect.DeepEqual(one[[]string](conn, "SELECT $1::objectid[]", [][]byte{id[:], id[:]}), two),
		how+": []string in and out")
}

// protocol runs the checks in one of pgx's modes.
func protocol(how string, config *pgx.ConnConfig, mode pgx.QueryExecMode) {
	config = config.Copy()
	config.DefaultQueryExecMode = mode
	conn, err := pgx.ConnectConfig(ctx, config)
	must(err)
	defer conn.Close(ctx)
	before(conn, how+": no set-up")
	must(objectid.Register[bson.ObjectID](ctx, conn, "objectid"))
	before(conn, how+": registered")

	ids := newIDs()
	for _, id := range ids {
		_, err = conn.Exec(ctx, "INSERT INTO made VALUES ($1, $2, $3)", how, id, id.Hex())
		must(err)
	}
	check(reflect.DeepEqual(read[bson.ObjectID](conn, "SELECT id FROM made WHERE how = $1 ORDER BY id", how), ids),
		how+": 1,000 ids come back equal")
	check(one[any](conn, "SELECT $1::objectid", ids[0]) == any(ids[0]), how+": any")

	type userID bson.ObjectID
	check(one[userID](conn, "SELECT $1::objectid", ids[0]) == userID(ids[0]) &&
		(mode == pgx.QueryExecModeExec || mode == pgx.QueryExecModeSimpleProtocol ||
			one[bson.ObjectID](conn, "SELECT $1::objectid", userID(ids[0])) == ids[0]),
		how+": a derived type")

	rows, err := conn.Query(ctx, "SELECT id, seconds FROM generated")
	must(err)
	n, wrong := 0, 0
	for rows.Next() {
		var id bson.ObjectID
		var seconds int64
		must(rows.Scan(&id, &seconds))
		n++
		if id.Timestamp().Unix() != seconds {
			wrong++
		}
	}
	must(rows.Err())
	check(n == 1004 && wrong == 0, how+": generated ids have the time of objectid_time()")

	var target bson.ObjectID
	check(one[*bson.ObjectID](conn, "SELECT $1::objectid", (*bson.ObjectID)(nil)) == nil &&
		one[any](conn, "SELECT $1::objectid", nil) == nil &&
		conn.QueryRow(ctx, "SELECT NULL::objectid").Scan(&target) != nil,
		how+": NULL")

	right := true
	for _, in := range [][]*bson.ObjectID{{&ids[0], &ids[1], &ids[2]}, {&ids[0], nil}, {}, nil} {
		out := one[[]*bson.ObjectID](conn, "INSERT INTO list SELECT count(*), $1::objectid[] FROM list RETURNING ids", in)
		right = right && reflect.DeepEqual(in, out)
	}
	check(right && reflect.DeepEqual(one[[]bson.ObjectID](conn, "SELECT $1::objectid[]", ids[:3]), ids[:3]), how+": arrays")

	check(reflect.DeepEqual(read[bson.ObjectID](conn, "SELECT id FROM made WHERE id = $1", ids[500]), ids[500:501]) &&
		one[int](conn, "SELECT count(*) FROM made WHERE how = $1 AND id < $2", how, &ids[500]) == 500 &&
		one[int](conn, "SELECT count(*) FROM made WHERE id = ANY($1)", ids[:10]) == 10,
		how+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	hours := []int{9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999}
	check(reflect.DeepEqual(read[int](conn, "SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", since), hours) &&
		reflect.DeepEqual(read[int](conn, "SELECT n FROM dated WHERE $1::timestamptz < id ORDER BY n", since), hours),
		how+": id > a date")

	var document, decoded struct {
		ID bson.ObjectID `bson:"_id"`
	}
	var encoded []byte
	must(conn.QueryRow(ctx, "SELECT id, bson FROM document").Scan(&document.ID, &encoded))
	written, err := bson.Marshal(document)
	must(err)
	must(bson.Unmarshal(encoded, &decoded))
	check(bytes.Equal(written, encoded) && decoded == document &&
		one[int](conn, "SELECT count(*) FROM document WHERE id = $1", decoded.ID) == 1, how+": BSON")
}

// pool registers each connection, with a qualified name of the type.
func pool() {
	config, err := pgxpool.ParseConfig("")
	must(err)
	config.ConnConfig.RuntimeParams["search_path"] = "pg_catalog"
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		return objectid.Register[bson.ObjectID](ctx, conn, "public.objectid")
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	must(err)
	defer pool.Close()
	var id bson.ObjectID
	must(pool.QueryRow(ctx, "SELECT id FROM public.event").Scan(&id))
	check(!id.IsZero(), "a pool, and a schema off the search path")
}

func main() {
	config, err := pgx.ParseConfig("")
	must(err)
	conn, err := pgx.ConnectConfig(ctx, config)
	must(err)
	defer conn.Close(ctx)

	_, err = conn.Exec(ctx, "SELECT $1::objectid", "507f1f77bcf86cd79943901")
	var pgErr *pgconn.PgError
	check(errors.As(err, &pgErr) && pgErr.Code == "22P02", "an invalid id is SQLSTATE 22P02")

	example(conn)
	pool()

	protocol("binary", config, pgx.QueryExecModeCacheStatement)
	protocol("describe", config, pgx.QueryExecModeDescribeExec)
	protocol("exec", config, pgx.QueryExecModeExec)
	protocol("simple", config, pgx.QueryExecModeSimpleProtocol)

	ids := newIDs()
	rows := make([][]any, len(ids))
	for i, id := range ids {
		rows[i] = []any{"copy", id, id.Hex()}
	}
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"made"}, []string{"how", "id", "hex"}, pgx.CopyFromRows(rows))
	must(err)
	check(reflect.DeepEqual(read[bson.ObjectID](conn, "SELECT id FROM made WHERE how = 'copy' ORDER BY id"), ids),
		"binary COPY: 1,000 ids come back equal")
}
