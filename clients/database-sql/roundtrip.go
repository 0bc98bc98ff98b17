//go:build ignore

// See t/ClientTest.pm.
package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"time"

	objectid "example.org/objectid/database-sql"
	"github.com/lib/pq"
	"go.mongodb.org/mongo-driver/bson"
	"go.mongodb.org/mongo-driver/bson/primitive"
)

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
func newIDs() []objectid.ObjectID {
	ids := make([]objectid.ObjectID, 1000)
	for i := range ids {
		ids[i] = objectid.ObjectID{ObjectID: primitive.NewObjectID()}
	}
	sort.Slice(ids, func(i, j int) bool { return bytes.Compare(ids[i].ObjectID[:], ids[j].ObjectID[:]) < 0 })
	return ids
}

func read(db *sql.DB, query string, args ...interface{}) (ids []objectid.ObjectID) {
	rows, err := db.Query(query, args...)
	must(err)
	for rows.Next() {
		var id objectid.ObjectID
		must(rows.Scan(&id))
		ids = append(ids, id)
	}
	must(rows.Err())
	return ids
}

func count(db *sql.DB, query string, args ...interface{}) (n int) {
	must(db.QueryRow(query, args...).Scan(&n))
	return n
}

func example(db *sql.DB) {
	// the example in docs/clients-go.md
	id := objectid.ObjectID{ObjectID: primitive.NewObjectID()}
	_, err := db.Exec("INSERT INTO event (id, what) VALUES ($1, $2)", id, "log in")
	must(err)

	var found objectid.ObjectID
	must(db.QueryRow("SELECT id FROM event WHERE id = $1", id).Scan(&found))
	if found != id {
		must(errors.New("the example failed"))
	}

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
	var doc, decoded, both document
	var encoded []byte
	must(db.QueryRow("SELECT id, bson FROM document").Scan(&doc.ID, &encoded))
	written, err := bson.Marshal(doc)
	must(err)
	must(bson.Unmarshal(encoded, &decoded))
	check(bytes.Equal(written, encoded) && decoded == doc &&
		count(db, "SELECT count(*) FROM document WHERE id = $1", decoded.ID) == 1, how+": BSON")

	doc.Parent = &doc.ID
	written, err = bson.Marshal(doc)
	must(err)
	must(bson.Unmarshal(written, &both))
	var list struct{ IDs []objectid.ObjectID }
	written, err = bson.Marshal(bson.M{"ids": bson.A{doc.ID.ObjectID}})
	must(err)
	must(bson.Unmarshal(written, &list))
	wrong, err := bson.Marshal(bson.M{"_id": doc.ID.Hex()})
	must(err)
	check(reflect.DeepEqual(both, doc) && reflect.DeepEqual(list.IDs, []objectid.ObjectID{doc.ID}) &&
		bson.Unmarshal(wrong, &both) != nil, how+": BSON of pointers and slices, and of a string")

	written, err = json.Marshal(doc)
	must(err)
	must(json.Unmarshal(written, &both))
	check(string(written) == `{"_id":"`+doc.ID.Hex()+`","parent":"`+doc.ID.Hex()+`"}` && reflect.DeepEqual(both, doc), how+": JSON")
}

// protocol runs the checks with text parameters, or with binary parameters where lib/pq
// supports them; ids are text in both.
func protocol(how string, source string) {
	db, err := sql.Open("postgres", source)
	must(err)
	defer db.Close()

	ids := newIDs()
	for _, id := range ids {
		_, err = db.Exec("INSERT INTO made VALUES ($1, $2, $3)", how, id, id.Hex())
		must(err)
	}
	check(reflect.DeepEqual(read(db, "SELECT id FROM made WHERE how = $1 ORDER BY id", how), ids),
		how+": 1,000 ids come back equal")

	rows, err := db.Query("SELECT id, seconds FROM generated")
	must(err)
	n, wrong := 0, 0
	for rows.Next() {
		var id objectid.ObjectID
		var seconds int64
		must(rows.Scan(&id, &seconds))
		n++
		if id.Timestamp().Unix() != seconds {
			wrong++
		}
	}
	must(rows.Err())
	check(n == 1004 && wrong == 0, how+": generated ids have the time of objectid_time()")

	pointer := &ids[0]
	must(db.QueryRow("SELECT $1::objectid", (*objectid.ObjectID)(nil)).Scan(&pointer))
	check(pointer == nil && db.QueryRow("SELECT NULL::objectid").Scan(&ids[0]) != nil, how+": NULL")

	right := true
	for _, in := range [][]*objectid.ObjectID{{&ids[0], &ids[1]}, {&ids[0], nil}, {}, nil} {
		var out []sql.NullString
		must(db.QueryRow("INSERT INTO list SELECT count(*), $1::objectid[] FROM list RETURNING ids", pq.Array(in)).Scan(pq.Array(&out)))
		right = right && len(in) == len(out) && (in == nil) == (out == nil)
		for i, id := range in {
			right = right && out[i].Valid == (id != nil) && (id == nil || out[i].String == id.Hex())
		}
	}
	var out []objectid.ObjectID
	must(db.QueryRow("SELECT $1::objectid[]", pq.Array(ids[:3])).Scan(pq.Array(&out)))
	right = right && reflect.DeepEqual(out, ids[:3])
	check(right, how+": arrays")

	check(reflect.DeepEqual(read(db, "SELECT id FROM made WHERE id = $1", ids[500]), ids[500:501]) &&
		count(db, "SELECT count(*) FROM made WHERE how = $1 AND id < $2", how, ids[500]) == 500 &&
		count(db, "SELECT count(*) FROM made WHERE id = ANY($1)", pq.Array(ids[:10])) == 10,
		how+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	check(hours(db, "SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", since) == "9990 to 9999" &&
		hours(db, "SELECT n FROM dated WHERE $1::timestamptz < id ORDER BY n", since) == "9990 to 9999", how+": id > a date")

	documents(db, how)
}

// hours reads consecutive numbers.
func hours(db *sql.DB, query string, args ...interface{}) string {
	rows, err := db.Query(query, args...)
	must(err)
	first, last := 0, 0
	for rows.Next() {
		var n int
		must(rows.Scan(&n))
		if first == 0 {
			first = n
		} else if n != last+1 {
			return "no"
		}
		last = n
	}
	must(rows.Err())
	return fmt.Sprintf("%d to %d", first, last)
}

func main() {
	db, err := sql.Open("postgres", "sslmode=disable")
	must(err)
	defer db.Close()

	// no set-up
	id := primitive.NewObjectID()
	var digits string
	must(db.QueryRow("SELECT $1::objectid", id.Hex()).Scan(&digits))
	check(digits == id.Hex(), "no set-up: string in, string out")
	binary, err := sql.Open("postgres", "sslmode=disable binary_parameters=yes")
	must(err)
	defer binary.Close()
	must(binary.QueryRow("SELECT $1::objectid", id[:]).Scan(&digits))
	check(digits == id.Hex(), "no set-up: []byte in, with binary_parameters=yes")
	_, err = db.Exec("SELECT $1::objectid", "507f1f77bcf86cd79943901")
	var pqErr *pq.Error
	check(errors.As(err, &pqErr) && pqErr.Code == "22P02", "an invalid id is SQLSTATE 22P02")

	example(db)

	protocol("text", "sslmode=disable")
	protocol("binary_parameters", "sslmode=disable binary_parameters=yes")

	// COPY is text
	ids := newIDs()
	tx, err := db.Begin()
	must(err)
	copyIn, err := tx.Prepare(pq.CopyIn("made", "how", "id", "hex"))
	must(err)
	for _, id := range ids {
		_, err = copyIn.Exec("text COPY", id, id.Hex())
		must(err)
	}
	_, err = copyIn.Exec()
	must(err)
	must(copyIn.Close())
	must(tx.Commit())
	check(reflect.DeepEqual(read(db, "SELECT id FROM made WHERE how = 'text COPY' ORDER BY id"), ids),
		"text COPY: 1,000 ids come back equal")
}
