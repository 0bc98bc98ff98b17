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
	"strings"
	"time"

	objectid "example.org/objectid/pgx-v4"
	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
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
func newIDs() []primitive.ObjectID {
	ids := make([]primitive.ObjectID, 1000)
	for i := range ids {
		ids[i] = primitive.NewObjectID()
	}
	sort.Slice(ids, func(i, j int) bool { return bytes.Compare(ids[i][:], ids[j][:]) < 0 })
	return ids
}

func read(conn *pgx.Conn, query string, args ...interface{}) []primitive.ObjectID {
	rows, err := conn.Query(ctx, query, args...)
	must(err)
	var ids []primitive.ObjectID
	for rows.Next() {
		var id primitive.ObjectID
		must(rows.Scan(&id))
		ids = append(ids, id)
	}
	must(rows.Err())
	return ids
}

func count(conn *pgx.Conn, query string, args ...interface{}) (n int) {
	must(conn.QueryRow(ctx, query, args...).Scan(&n))
	return n
}

func example(conn *pgx.Conn) {
	// the example in docs/clients-go.md
	must(objectid.Register(ctx, conn, "objectid"))
	id := primitive.NewObjectID()
	_, err := conn.Exec(ctx, "INSERT INTO event (id, what) VALUES ($1, $2)", id, "log in")
	must(err)

	var found primitive.ObjectID
	must(conn.QueryRow(ctx, "SELECT id FROM event WHERE id = $1", id).Scan(&found))
	if found != id {
		must(errors.New("the example failed"))
	}
}

// before checks strings and []byte, without set-up and again after Register.
func before(conn *pgx.Conn, how string) {
	type name string
	id := primitive.NewObjectID()
	digits := id.Hex()
	right := true
	var found string
	for _, in := range []interface{}{digits, name(digits), &digits, sql.NullString{String: digits, Valid: true}, id[:]} {
		must(conn.QueryRow(ctx, "SELECT $1::objectid", in).Scan(&found))
		right = right && found == digits
	}
	check(right, how+": string and []byte in")

	var named name
	var pointer *string
	var bytes, null []byte
	var nullable, none sql.NullString
	row := "SELECT $1::objectid, $1::objectid, $1::objectid, $1::objectid, NULL::objectid, NULL::objectid"
	must(conn.QueryRow(ctx, row, digits).Scan(&named, &pointer, &bytes, &nullable, &null, &none))
	check(string(named) == digits && *pointer == digits && string(bytes) == digits && nullable.String == digits &&
		null == nil && !none.Valid, how+": string and []byte out")
}

// protocol runs the checks with one protocol: binary, or the simple one, which is text.
func protocol(how string, config *pgx.ConnConfig) {
	conn, err := pgx.ConnectConfig(ctx, config)
	must(err)
	defer conn.Close(ctx)
	before(conn, how+": no set-up")
	must(objectid.Register(ctx, conn, "objectid"))
	before(conn, how+": registered")

	// the simple protocol writes parameters into the statement, without their types
	param := func(id primitive.ObjectID) interface{} { return id }
	array := func(ids []*primitive.ObjectID) interface{} { return ids }
	if config.PreferSimpleProtocol {
		param = func(id primitive.ObjectID) interface{} { return id.Hex() }
		array = func(ids []*primitive.ObjectID) interface{} {
			if ids == nil {
				return nil
			}
			elements := make([]string, len(ids))
			for i, id := range ids {
				elements[i] = "NULL"
				if id != nil {
					elements[i] = id.Hex()
				}
			}
			return "{" + strings.Join(elements, ",") + "}"
		}
	}

	ids := newIDs()
	for _, id := range ids {
		_, err = conn.Exec(ctx, "INSERT INTO made VALUES ($1, $2, $3)", how, param(id), id.Hex())
		must(err)
	}
	check(reflect.DeepEqual(read(conn, "SELECT id FROM made WHERE how = $1 ORDER BY id", how), ids),
		how+": 1,000 ids come back equal")

	rows, err := conn.Query(ctx, "SELECT id, seconds FROM generated")
	must(err)
	n, wrong := 0, 0
	for rows.Next() {
		var id primitive.ObjectID
		var seconds int64
		must(rows.Scan(&id, &seconds))
		n++
		if id.Timestamp().Unix() != seconds {
			wrong++
		}
	}
	must(rows.Err())
	check(n == 1004 && wrong == 0, how+": generated ids have the time of objectid_time()")

	null := &ids[0]
	must(conn.QueryRow(ctx, "SELECT $1::objectid", (*primitive.ObjectID)(nil)).Scan(&null))
	check(null == nil, how+": NULL")

	right := true
	for _, in := range [][]*primitive.ObjectID{{&ids[0], &ids[1], &ids[2]}, {&ids[0], nil}, {}, nil} {
		var out []*primitive.ObjectID
		must(conn.QueryRow(ctx, "INSERT INTO list SELECT count(*), $1::objectid[] FROM list RETURNING ids", array(in)).Scan(&out))
		right = right && reflect.DeepEqual(in, out)
	}
	check(right, how+": arrays")

	ten := make([]*primitive.ObjectID, 10)
	for i := range ten {
		ten[i] = &ids[i]
	}
	check(reflect.DeepEqual(read(conn, "SELECT id FROM made WHERE id = $1", param(ids[500])), ids[500:501]) &&
		count(conn, "SELECT count(*) FROM made WHERE how = $1 AND id < $2", how, param(ids[500])) == 500 &&
		count(conn, "SELECT count(*) FROM made WHERE id = ANY($1)", array(ten)) == 10,
		how+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	hours := []int{9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999}
	right = true
	for _, query := range []string{"SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", "SELECT n FROM dated WHERE $1::timestamptz < id ORDER BY n"} {
		rows, err := conn.Query(ctx, query, since)
		must(err)
		var found []int
		for rows.Next() {
			var n int
			must(rows.Scan(&n))
			found = append(found, n)
		}
		must(rows.Err())
		right = right && reflect.DeepEqual(found, hours)
	}
	check(right, how+": id > a date")

	var document, decoded struct {
		ID primitive.ObjectID `bson:"_id"`
	}
	var encoded []byte
	must(conn.QueryRow(ctx, "SELECT id, bson FROM document").Scan(&document.ID, &encoded))
	written, err := bson.Marshal(document)
	must(err)
	must(bson.Unmarshal(encoded, &decoded))
	check(bytes.Equal(written, encoded) && decoded == document &&
		count(conn, "SELECT count(*) FROM document WHERE id = $1", param(decoded.ID)) == 1, how+": BSON")
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

	protocol("binary", config)
	simple := config.Copy()
	simple.PreferSimpleProtocol = true
	protocol("text", simple)

	ids := newIDs()
	rows := make([][]interface{}, len(ids))
	for i, id := range ids {
		rows[i] = []interface{}{"copy", id, id.Hex()}
	}
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"made"}, []string{"how", "id", "hex"}, pgx.CopyFromRows(rows))
	must(err)
	check(reflect.DeepEqual(read(conn, "SELECT id FROM made WHERE how = 'copy' ORDER BY id"), ids),
		"binary COPY: 1,000 ids come back equal")
}
