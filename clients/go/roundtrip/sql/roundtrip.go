// See t/ClientTest.pm.
package main

import (
	"database/sql"
	"encoding/json"
	"reflect"
	"time"

	. "example.org/objectid/clients/go/roundtrip"
	objectid "example.org/objectid/clients/go/sql"
	"github.com/lib/pq"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
)

func newID() objectid.ObjectID { return objectid.ObjectID{ObjectID: primitive.NewObjectID()} }

func client(how string, db *sql.DB) Client[objectid.ObjectID] {
	return Client[objectid.ObjectID]{
		How: how,
		New: newID,
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
	// the example in docs/clients-go.md
	must := Must
	id := objectid.ObjectID{ObjectID: primitive.NewObjectID()}
	_, err := db.Exec("INSERT INTO event (id, what) VALUES ($1, $2)", id, "log in")
	must(err)

	var found objectid.ObjectID
	must(db.QueryRow("SELECT id FROM event WHERE id = $1", id).Scan(&found))
	Assert(found == id)

	since := time.Now().Add(-time.Hour)
	rows, err := db.Query("SELECT id, what FROM event WHERE id > $1::timestamptz", since)

	must(err)
	must(rows.Close())
}

// document works with PostgreSQL, with MongoDB and in an API.
type document struct {
	ID     objectid.ObjectID  `bson:"_id" json:"_id"`
	Parent *objectid.ObjectID `bson:"parent,omitempty" json:"parent,omitempty"`
}

func documents(db *sql.DB, how string) {
	var doc, both document
	Must(db.QueryRow("SELECT id FROM event").Scan(&doc.ID))
	doc.Parent = &doc.ID
	written, err := bson.Marshal(doc)
	Must(err)
	Must(bson.Unmarshal(written, &both))
	var list struct{ IDs []objectid.ObjectID }
	written, err = bson.Marshal(bson.M{"ids": bson.A{doc.ID.ObjectID}})
	Must(err)
	Must(bson.Unmarshal(written, &list))
	wrong, err := bson.Marshal(bson.M{"_id": doc.ID.Hex()})
	Must(err)
	Check(reflect.DeepEqual(both, doc) && reflect.DeepEqual(list.IDs, []objectid.ObjectID{doc.ID}) &&
		bson.Unmarshal(wrong, &both) != nil, how+": BSON of pointers and slices, and of a string")

	written, err = json.Marshal(doc)
	Must(err)
	Must(json.Unmarshal(written, &both))
	Check(string(written) == `{"_id":"`+doc.ID.Hex()+`","parent":"`+doc.ID.Hex()+`"}` && reflect.DeepEqual(both, doc), how+": JSON")
}

// protocol runs the checks with text parameters, or with binary parameters where lib/pq
// supports them; ids are text in both.
func protocol(how string, db *sql.DB) {
	ids := Standard(client(how, db))

	right := true
	for _, in := range [][]*objectid.ObjectID{{&ids[0], &ids[1]}, {&ids[0], nil}, {}, nil} {
		var out []sql.NullString
		Must(db.QueryRow("INSERT INTO list SELECT count(*), $1::objectid[] FROM list RETURNING ids", pq.Array(in)).Scan(pq.Array(&out)))
		right = right && len(in) == len(out) && (in == nil) == (out == nil)
		for i, id := range in {
			right = right && out[i].Valid == (id != nil) && (id == nil || out[i].String == id.Hex())
		}
	}
	var out []objectid.ObjectID
	Must(db.QueryRow("SELECT $1::objectid[]", pq.Array(ids[:3])).Scan(pq.Array(&out)))
	Check(right && reflect.DeepEqual(out, ids[:3]), how+": arrays")
	documents(db, how)
}

func main() {
	db, binary := open(""), open("binary_parameters=yes")

	// no set-up
	id := primitive.NewObjectID()
	var digits string
	Must(db.QueryRow("SELECT $1::objectid", id.Hex()).Scan(&digits))
	Check(digits == id.Hex(), "no set-up: string in, string out")
	Must(binary.QueryRow("SELECT $1::objectid", id[:]).Scan(&digits))
	Check(digits == id.Hex(), "no set-up: []byte in, with binary_parameters=yes")

	example(db)
	FirstMigration(client("", open("dbname=empty")), func() {})
	protocol("text", db)
	protocol("binary_parameters", binary)

	// COPY is text
	ids := NewIDs(newID)
	tx, err := db.Begin()
	Must(err)
	copyIn, err := tx.Prepare(pq.CopyIn("made", "how", "id", "hex"))
	Must(err)
	for _, id := range ids {
		_, err = copyIn.Exec("text COPY", id, id.Hex())
		Must(err)
	}
	_, err = copyIn.Exec()
	Must(err)
	Must(copyIn.Close())
	Must(tx.Commit())
	Check(reflect.DeepEqual(Read[objectid.ObjectID](client("", db).Query("SELECT id FROM made WHERE how = 'text COPY' ORDER BY id")), ids),
		"text COPY: 1,000 ids come back equal")
}
