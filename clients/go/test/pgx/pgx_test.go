// See t/ClientTest.pm.
package pgx

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	. "example.org/objectid/clients/go/test"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

import (
	objectid "example.org/objectid/clients/go/pgx"
	"go.mongodb.org/mongo-driver/v2/bson"
)

var ctx = context.Background()

// client is for a connection or a pool.
func client(how string, conn interface {
	Query(context.Context, string, ...any) (pgx.Rows, error)
}) Client {
	return Client{
		How:   how,
		Query: func(query string, args ...any) (Rows, error) { return conn.Query(ctx, query, args...) },
		List:  func(list any) any { return list },
	}
}

func one[T any](c Client, query string, args ...any) T {
	return Read[T](c, query, args...)[0]
}

func example(conn *pgx.Conn) {
	// the example in README.md
	must := Must
	must(objectid.Register[bson.ObjectID](ctx, conn))
	id := bson.NewObjectID()
	_, err := conn.Exec(ctx, "INSERT INTO event (id, what) VALUES ($1, $2)", id, "log in")
	must(err)

	var found bson.ObjectID
	must(conn.QueryRow(ctx, "SELECT id FROM event WHERE id = $1", id).Scan(&found))
	Assert(found == id)

	since := time.Now().Add(-time.Hour)
	rows, err := conn.Query(ctx, "SELECT id, what FROM event WHERE id > $1::timestamptz", since)

	must(err)
	rows.Close()
	must(rows.Err())
}

// text checks strings and []byte, without set-up and after Register.
func text(c Client, how string) {
	id := bson.NewObjectID()
	digits := id.Hex()
	Check(one[string](c, "SELECT $1::objectid", id[:]) == digits &&
		string(one[[]byte](c, "SELECT $1::objectid", digits)) == digits &&
		one[sql.NullString](c, "SELECT $1::objectid", digits).String == digits &&
		one[[]byte](c, "SELECT NULL::objectid") == nil &&
		!one[sql.NullString](c, "SELECT NULL::objectid").Valid,
		how+": string and []byte")
	two := []string{digits, digits}
	Check(Back(c, two) && reflect.DeepEqual(one[[]string](c, "SELECT $1::objectid[]", [][]byte{id[:], id[:]}), two),
		how+": []string in and out")
}

func connect(options string) *pgx.Conn {
	conn, err := pgx.Connect(ctx, options)
	Must(err)
	return conn
}

// mode runs the checks in one of pgx's modes.
func mode(how string) {
	conn := connect("default_query_exec_mode=" + how)
	defer conn.Close(ctx)
	c := client(how, conn)
	Must(objectid.Register[bson.ObjectID](ctx, conn))
	text(c, how+": registered")

	ids := Standard[bson.ObjectID](c)
	_, err := Try[string](c, "SELECT $1::objectid", []byte("of 11 bytes"))
	Check(err != nil && one[any](c, "SELECT $1::objectid", ids[0]) == any(ids[0]) && one[any](c, "SELECT $1::objectid", nil) == nil,
		how+": any, and []byte of a different length")

	goTypes(c, conn, ids)
	nested := [][]bson.ObjectID{ids[:2], ids[2:4]}
	if how == "exec" || how == "simple_protocol" {
		_, err = Try[string](c, "SELECT $1::objectid[]", nested)
		Check(err != nil, how+": nested arrays are an error")
	} else {
		Check(Back(c, nested), how+": nested arrays")
	}
}

// userID is derived from ObjectID.
type userID bson.ObjectID

// goTypes checks the types of Go that are registered for an objectid.
func goTypes(c Client, conn *pgx.Conn, ids []bson.ObjectID) {
	type null = sql.Null[bson.ObjectID]
	value := null{V: ids[0], Valid: true}
	Check(Back(c, ids[:3]) && Back(c, []*bson.ObjectID{&ids[0], nil}) && Back(c, []*bson.ObjectID{}) && Back(c, []*bson.ObjectID(nil)) &&
		Back(c, []null{value, {}}), c.How+": slices")
	Check(one[null](c, "SELECT $1::objectid", value) == value && one[null](c, "SELECT $1::objectid", null{}) == null{}, c.How+": sql.Null")

	id := userID(ids[0])
	conn.TypeMap().RegisterDefaultPgType(id, "objectid")
	conn.TypeMap().RegisterDefaultPgType(&id, "objectid")
	Check(one[userID](c, "SELECT $1::objectid", id) == id, c.How+": a derived type")
}

// createdLater checks a connection that was registered before the type existed.
func createdLater(ids []bson.ObjectID) {
	conn := connect("dbname=empty")
	defer conn.Close(ctx)
	Must(objectid.Register[bson.ObjectID](ctx, conn))
	c := client("created later", conn)
	Read[string](c, "CREATE EXTENSION objectid")
	goTypes(c, conn, ids)
	Read[string](c, "DROP EXTENSION objectid")
}

// pool registers each connection.
func pool(database string) *pgxpool.Pool {
	config, err := pgxpool.ParseConfig("dbname=" + database + " pool_max_conns=1")
	Must(err)
	config.AfterConnect = objectid.Register[bson.ObjectID]
	pool, err := pgxpool.NewWithConfig(ctx, config)
	Must(err)
	return pool
}

// copyIn is binary.
func copyIn(conn *pgx.Conn, how string, value func(bson.ObjectID) any) error {
	var rows [][]any
	for _, id := range NewIDs[bson.ObjectID]() {
		rows = append(rows, []any{how, value(id), id.Hex()})
	}
	_, err := conn.CopyFrom(ctx, pgx.Identifier{"made"}, []string{"how", "id", "hex"}, pgx.CopyFromRows(rows))
	return err
}

func Test(*testing.T) {
	fmt.Println("1..66")
	conn := connect("")
	defer conn.Close(ctx)
	text(client("", conn), "no set-up")

	digits := func(id bson.ObjectID) any { return id.Hex() }
	Check(copyIn(conn, "none", digits) != nil, "no set-up: CopyFrom of strings is an error")

	example(conn)
	id := one[bson.ObjectID](client("", conn), "SELECT id FROM event")
	written, err := json.Marshal(id)
	Check(err == nil && string(written) == `"`+id.Hex()+`"`, "JSON")
	other := pool("other")
	Check(one[any](client("", other), "SELECT $1::objectid", id) == any(id), "a pool, a different OID, and a table of the type's name")
	other.Close()
	empty := pool("empty")
	FirstMigration[bson.ObjectID](client("", empty), empty.Reset)

	for _, how := range []string{"cache_statement", "describe_exec", "exec", "simple_protocol"} {
		mode(how)
	}
	createdLater(NewIDs[bson.ObjectID]())

	// the server compares these with their digits
	Must(copyIn(conn, "copy", func(id bson.ObjectID) any { return id }))
	Must(copyIn(conn, "copy of strings", digits))
}
