// See clients/t/ClientTest.pm.
package pgx

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	. "example.org/objectid/clients/go/test"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

import (
	objectid "example.org/objectid/clients/go/pgx"
	"go.mongodb.org/mongo-driver/v2/bson"
)

var ctx = context.Background()

// querier is a connection or a pool.
type querier interface {
	Query(context.Context, string, ...any) (pgx.Rows, error)
}

func client(how string, conn querier) Client[bson.ObjectID] {
	return Client[bson.ObjectID]{
		How: how,
		Query: func(query string, args ...any) Rows {
			rows, err := conn.Query(ctx, query, args...)
			Must(err)
			return rows
		},
		List: func(ids []bson.ObjectID) any { return ids },
	}
}

func one[T any](conn querier, query string, args ...any) T {
	return Read[T](client("", conn).Query(query, args...))[0]
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

// before checks strings and []byte, without set-up and again after Register.
func before(conn querier, how string) {
	type name string
	id := bson.NewObjectID()
	digits := id.Hex()
	for _, in := range []any{digits, name(digits), &digits, sql.NullString{String: digits, Valid: true}, pgtype.Text{String: digits, Valid: true}, id[:]} {
		Check(one[string](conn, "SELECT $1::objectid", in) == digits, how+": string and []byte in")
	}

	Check(one[name](conn, "SELECT $1::objectid", digits) == name(digits) &&
		*one[*string](conn, "SELECT $1::objectid", digits) == digits &&
		string(one[[]byte](conn, "SELECT $1::objectid", digits)) == digits &&
		one[sql.NullString](conn, "SELECT $1::objectid", digits).String == digits &&
		one[pgtype.Text](conn, "SELECT $1::objectid", digits).String == digits &&
		one[[]byte](conn, "SELECT NULL::objectid") == nil &&
		!one[sql.NullString](conn, "SELECT NULL::objectid").Valid,
		how+": string and []byte out")

	two := []string{digits, digits}
	Check(reflect.DeepEqual(one[[]string](conn, "SELECT $1::objectid[]", two), two) &&
		reflect.DeepEqual(one[[]string](conn, "SELECT $1::objectid[]", [][]byte{id[:], id[:]}), two),
		how+": []string in and out")

	// elements that are no ids: an error, or the id that is in the text
	var accepted []string
	for _, element := range []string{digits + "," + digits, "NULL", "null", "", "{}", "{", `"`, `\`, `"` + digits + `"`, "{" + digits + "}", digits + "}", " a", "5"} {
		rows, err := conn.Query(ctx, "SELECT $1::objectid[]", []string{digits, element})
		if err == nil {
			var out []string
			out, err = pgx.CollectOneRow(rows, pgx.RowTo[[]string])
			if err == nil && !(reflect.DeepEqual(out, two) && strings.Contains(element, digits)) {
				accepted = append(accepted, element)
			}
		}
	}
	Check(accepted == nil, fmt.Sprintf("%s: elements of arrays that are no ids: %q", how, accepted))
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
	before(conn, how+": no set-up")
	Must(objectid.Register[bson.ObjectID](ctx, conn))
	before(conn, how+": registered")

	ids := Standard(client(how, conn))
	Check(one[any](conn, "SELECT $1::objectid", ids[0]) == any(ids[0]) &&
		one[any](conn, "SELECT $1::objectid", nil) == nil, how+": any")

	goTypes(conn, how, ids)
	nested := [][]bson.ObjectID{ids[:2], ids[2:4]}
	rows, err := conn.Query(ctx, "SELECT $1::objectid[]", nested)
	if how == "exec" || how == "simple_protocol" {
		Check(err != nil, how+": nested arrays are an error")
	} else {
		Must(err)
		Check(reflect.DeepEqual(Read[[][]bson.ObjectID](rows)[0], nested), how+": arrays")
	}
}

// userID is derived from ObjectID.
type userID bson.ObjectID

// goTypes checks the types of Go that are registered for an objectid.
func goTypes(conn *pgx.Conn, how string, ids []bson.ObjectID) {
	for _, in := range [][]*bson.ObjectID{{&ids[0], &ids[1], &ids[2]}, {&ids[0], nil}, {}, nil} {
		Check(reflect.DeepEqual(one[[]*bson.ObjectID](conn, "SELECT $1::objectid[]", in), in), how+": arrays")
	}
	Check(reflect.DeepEqual(one[[]bson.ObjectID](conn, "SELECT $1::objectid[]", ids[:3]), ids[:3]), how+": arrays")

	type null = sql.Null[bson.ObjectID]
	for _, in := range []null{{V: ids[0], Valid: true}, {}} {
		Check(one[null](conn, "SELECT $1::objectid", in) == in &&
			reflect.DeepEqual(one[[]null](conn, "SELECT $1::objectid[]", []null{in}), []null{in}), how+": sql.Null")
	}

	id := userID(ids[0])
	conn.TypeMap().RegisterDefaultPgType(id, "objectid")
	conn.TypeMap().RegisterDefaultPgType(&id, "objectid")
	Check(one[userID](conn, "SELECT $1::objectid", id) == id && one[*userID](conn, "SELECT NULL::objectid") == nil, how+": a derived type")
}

// createdLater checks a connection that was registered before the type existed.
func createdLater(ids []bson.ObjectID) {
	conn := connect("dbname=empty")
	defer conn.Close(ctx)
	Must(objectid.Register[bson.ObjectID](ctx, conn))
	_, err := conn.Exec(ctx, "CREATE EXTENSION objectid")
	Must(err)
	goTypes(conn, "created later", ids)
	_, err = conn.Exec(ctx, "DROP EXTENSION objectid")
	Must(err)
}

// pool registers each connection.
func pool(database string) *pgxpool.Pool {
	config, err := pgxpool.ParseConfig("dbname=" + database + " pool_max_conns=1")
	Must(err)
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		return objectid.Register[bson.ObjectID](ctx, conn)
	}
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
	fmt.Println("1..145")
	conn := connect("")
	defer conn.Close(ctx)

	digits := func(id bson.ObjectID) any { return id.Hex() }
	Check(copyIn(conn, "none", digits) != nil, "no set-up: CopyFrom of strings is an error")

	example(conn)
	id := one[bson.ObjectID](conn, "SELECT id FROM event")
	written, err := json.Marshal(id)
	Check(err == nil && string(written) == `"`+id.Hex()+`"`, "JSON")
	other := pool("other")
	Check(one[any](other, "SELECT $1::objectid", id) == any(id), "a pool, a different OID, and a table of the type's name")
	other.Close()
	empty := pool("empty")
	FirstMigration(client("", empty), empty.Reset)

	for _, how := range []string{"cache_statement", "describe_exec", "exec", "simple_protocol"} {
		mode(how)
	}
	createdLater(NewIDs[bson.ObjectID]())

	// the server compares these with their digits
	Must(copyIn(conn, "copy", func(id bson.ObjectID) any { return id }))
	Must(copyIn(conn, "copy of strings", digits))
}
