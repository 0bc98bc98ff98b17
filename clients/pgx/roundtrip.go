// See t/ClientTest.pm.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	"github.com/jackc/pgconn"
	"github.com/jackc/pgx/v4"
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

// newIDs makes 1,000, in order even where the library's counter wraps.
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
	// the example of docs/clients.md
	must(Register(ctx, conn, "objectid"))
	id := primitive.NewObjectID()
	_, err := conn.Exec(ctx, "INSERT INTO event (id, what) VALUES ($1, $2)", id, "log in")
	must(err)
	var found primitive.ObjectID
	must(conn.QueryRow(ctx, "SELECT id FROM event WHERE id = $1", id).Scan(&found))
	if found != id {
		must(errors.New("the example failed"))
	}
}

// protocol makes the checks by one protocol: binary, or the simple one, which is text.
func protocol(how string, config *pgx.ConnConfig) {
	conn, err := pgx.ConnectConfig(ctx, config)
	must(err)
	defer conn.Close(ctx)
	must(Register(ctx, conn, "objectid"))

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
}

func main() {
	config, err := pgx.ParseConfig("")
	must(err)
	conn, err := pgx.ConnectConfig(ctx, config)
	must(err)
	defer conn.Close(ctx)

	// no set-up
	id := primitive.NewObjectID()
	var digits string
	must(conn.QueryRow(ctx, "SELECT $1::objectid", id.Hex()).Scan(&digits))
	check(digits == id.Hex(), "no set-up: string in, string out")
	must(conn.QueryRow(ctx, "SELECT $1::objectid", id[:]).Scan(&digits))
	check(digits == id.Hex(), "no set-up: []byte in")
	must(conn.QueryRow(ctx, "SELECT $1::objectid", fmt.Sprint(id)).Scan(&digits))
	check(digits == id.Hex(), "no set-up: what String() prints goes in")
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
