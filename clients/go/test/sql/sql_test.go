// See clients/t/ClientTest.pm.
package sql

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	. "example.org/objectid/clients/go/test"
	"go.mongodb.org/mongo-driver/bson"
)

import (
	objectid "example.org/objectid/clients/go/sql"
	"github.com/lib/pq"
	"go.mongodb.org/mongo-driver/bson/primitive"
)

func client(how string, db *sql.DB) Client[objectid.ObjectID] {
	return Client[objectid.ObjectID]{
		How: how,
		Query: func(query string, args ...any) Rows {
			rows, err := db.Query(query, args...)
			Must(err)
			return rows
		},
		List: func(ids []objectid.ObjectID) any { return pq.Array(ids) },
	}
}

func open(source string) *sql.DB {
	db, err := sql.Open("postgres", "sslmode=disable "+source)
	Must(err)
	return db
}

func example(db *sql.DB) {
	// the example in README.md
	must := Must
	id := objectid.ObjectID(primitive.NewObjectID())
	_, err := db.Exec("INSERT INTO event (id, what) VALUES ($1, $2)", id, "log in")
	must(err)

	var found objectid.ObjectID
	must(db.QueryRow("SELECT id FROM event WHERE id = $1", id).Scan(&found))
	Assert(found == id)

	since := time.Now().Add(-time.Hour)
	rows, err := db.Query("SELECT id, what FROM event WHERE id > $1::timestamptz OR id = ANY($2)", since, pq.Array([]objectid.ObjectID{id}))

	must(err)
	must(rows.Close())
}

// document works with PostgreSQL, with MongoDB and in an API.
type document struct {
	ID     objectid.ObjectID   `bson:"_id" json:"_id"`
	Parent *objectid.ObjectID  `bson:"parent,omitempty" json:"parent,omitempty"`
	Others []objectid.ObjectID `bson:"others" json:"others"`
}

func documents() {
	id := objectid.ObjectID(primitive.NewObjectID())
	doc := document{id, &id, []objectid.ObjectID{id}}
	var both document
	written, err := bson.Marshal(doc)
	Must(err)
	Must(bson.Unmarshal(written, &both))
	native, err := bson.Marshal(bson.M{"_id": primitive.ObjectID(id), "parent": primitive.ObjectID(id), "others": bson.A{primitive.ObjectID(id)}})
	Must(err)
	var theirs, ours bson.M
	Must(bson.Unmarshal(native, &theirs))
	Must(bson.Unmarshal(written, &ours))
	wrong, err := bson.Marshal(bson.M{"_id": id.Hex()})
	Must(err)
	Check(reflect.DeepEqual(both, doc) && reflect.DeepEqual(ours, theirs) && bson.Unmarshal(wrong, &both) != nil,
		"BSON of pointers and slices, and of a string")

	written, err = json.Marshal(doc)
	Must(err)
	Must(json.Unmarshal(written, &both))
	digits := `"` + id.Hex() + `"`
	Check(string(written) == `{"_id":`+digits+`,"parent":`+digits+`,"others":[`+digits+`]}` && reflect.DeepEqual(both, doc), "JSON")

	// also what mongoexport writes; null as the ObjectID of mongo-driver reads it
	oid := `{"$oid":` + digits + `}`
	var again, other document
	Must(json.Unmarshal([]byte(`{"_id":`+oid+`,"parent":`+oid+`,"others":[`+oid+`]}`), &again))
	Must(json.Unmarshal([]byte(`{"_id":null,"parent":null}`), &both))
	keys := map[objectid.ObjectID]int{id: 1}
	written, err = json.Marshal(keys)
	Must(err)
	Must(json.Unmarshal(written, &keys))
	right := both.ID == id && both.Parent == nil && len(keys) == 1
	for _, wrong := range []string{`""`, `"0123456789"`, `{}`, `{"$oid":null}`, `{"$oid":{}}`, `5`, `true`, `[]`} {
		right = right && json.Unmarshal([]byte(wrong), &other.ID) != nil
	}
	Check(reflect.DeepEqual(again, doc) && right && other.ID.IsZero(), "JSON: $oid, null, keys, and what is no id")
	written, err = bson.Marshal(bson.M{"_id": nil, "parent": nil, "others": bson.A{nil}})
	Must(err)
	Must(bson.Unmarshal(written, &both))
	// mongo-driver 1.8 leaves a pointer to zeros
	Check(both.ID.IsZero() && (both.Parent == nil || both.Parent.IsZero()) && len(both.Others) == 1 && both.Others[0].IsZero(), "BSON: null")
}

// nulls is in null_test.go, because sql.Null is new in Go 1.22.
var nulls = func(db *sql.DB, id objectid.ObjectID) bool { return true }

// protocol runs the checks with text parameters, or with binary parameters where lib/pq
// supports them; ids are text in both.
func protocol(how string, db *sql.DB) {
	ids := Standard(client(how, db))
	var out []objectid.ObjectID
	Must(db.QueryRow("SELECT $1::objectid[]", pq.Array(ids[:3])).Scan(pq.Array(&out)))
	Check(reflect.DeepEqual(out, ids[:3]) && nulls(db, ids[0]), how+": arrays")
}

func Test(*testing.T) {
	fmt.Println("1..20")
	db, binary := open(""), open("binary_parameters=yes")

	// no set-up
	id := primitive.NewObjectID()
	Check(Read[string](client("", db).Query("SELECT $1::objectid", id.Hex()))[0] == id.Hex(), "no set-up: string in, string out")
	Check(Read[string](client("", binary).Query("SELECT $1::objectid", id[:]))[0] == id.Hex(),
		"no set-up: []byte in, with binary_parameters=yes")

	example(db)
	FirstMigration(client("", open("dbname=empty")), func() {})
	protocol("text", db)
	protocol("binary_parameters", binary)
	documents()
}
