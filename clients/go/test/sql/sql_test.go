// See t/ClientTest.pm.
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

func client(how string, db *sql.DB) Client {
	return Client{
		How:   how,
		Query: func(query string, args ...any) (Rows, error) { return db.Query(query, args...) },
		List:  func(list any) any { return pq.Array(list) },
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
	native, err := bson.Marshal(bson.M{"_id": primitive.ObjectID(id), "parent": primitive.ObjectID(id), "others": bson.A{primitive.ObjectID(id)}})
	Must(err)
	written, err := bson.Marshal(doc)
	Must(err)
	var both, again document
	var theirs, ours bson.M
	Must(bson.Unmarshal(native, &both))
	Must(bson.Unmarshal(native, &theirs))
	Must(bson.Unmarshal(written, &ours))
	wrong, err := bson.Marshal(bson.M{"_id": "7 bytes"}) // 12, with their length
	Must(err)
	Check(reflect.DeepEqual(both, doc) && reflect.DeepEqual(ours, theirs) && bson.Unmarshal(wrong, &both) != nil,
		"BSON of pointers and slices, and of a string")

	written, err = json.Marshal(doc)
	Must(err)
	// also what mongoexport writes
	digits := `"` + id.Hex() + `"`
	for _, value := range []string{digits, `{"$oid":` + digits + `}`} {
		text := `{"_id":` + value + `,"parent":` + value + `,"others":[` + value + `]}`
		Must(json.Unmarshal([]byte(text), &again))
		Check(reflect.DeepEqual(again, doc) && (value != digits || text == string(written)), "JSON")
	}

	// null as the ObjectID of mongo-driver reads it
	Must(json.Unmarshal([]byte(`{"_id":null,"parent":null}`), &again))
	keys := map[objectid.ObjectID]int{id: 1}
	written, err = json.Marshal(keys)
	Must(err)
	Must(json.Unmarshal(written, &keys))
	Check(again.ID == id && again.Parent == nil && len(keys) == 1, "JSON: null, and keys")
	var refused objectid.ObjectID
	right := true
	for _, wrong := range append([]string{`{}`, `{"$oid":null}`, `{"$oid":{}}`, `5`, `true`, `[]`}, Wrong...) {
		right = right && json.Unmarshal([]byte(wrong), &refused) != nil && json.Unmarshal([]byte(`"`+wrong+`"`), &refused) != nil
	}
	Check(right && refused.IsZero(), "JSON: what is no id")
	written, err = bson.Marshal(bson.M{"_id": nil, "parent": nil, "others": bson.A{nil}})
	Must(err)
	Must(bson.Unmarshal(written, &again))
	// mongo-driver 1.8 leaves a pointer to zeros
	Check(again.ID.IsZero() && (again.Parent == nil || again.Parent.IsZero()) && again.Others[0].IsZero(), "BSON: null")
}

func Test(*testing.T) {
	fmt.Println("1..16")
	text := client("text", open(""))

	// no set-up
	id := primitive.NewObjectID()
	Check(Read[string](text, "SELECT $1::objectid", id.Hex())[0] == id.Hex(), "no set-up: string in, string out")

	example(open(""))
	FirstMigration[objectid.ObjectID](client("", open("dbname=empty")), func() {})
	Standard[objectid.ObjectID](text)
	documents()
}
