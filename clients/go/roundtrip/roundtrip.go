// Package roundtrip has what the programs in its directories share: see t/ClientTest.pm.
package roundtrip

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"time"
)

// ID is an ObjectID of the BSON library, or that of an adapter.
type ID interface {
	comparable
	Hex() string
	Timestamp() time.Time
}

// Rows are those of pgx or of database/sql.
type Rows interface {
	Next() bool
	Scan(...any) error
	Err() error
}

// Client is a driver, and how it sends ids.
type Client[T ID] struct {
	How       string
	New       func() T
	Query     func(query string, args ...any) Rows
	List      func([]T) any // a parameter for an array
	Marshal   func(any) ([]byte, error)
	Unmarshal func([]byte, any) error
}

type document[T ID] struct {
	ID T `bson:"_id"`
}

func Check(condition bool, what string) {
	if condition {
		fmt.Println("ok -", what)
	} else {
		fmt.Println("not ok -", what)
	}
}

func Must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func Assert(condition bool) {
	if !condition {
		Must(errors.New("the example failed"))
	}
}

// Read returns the only column of all rows.
func Read[V any](rows Rows) (values []V) {
	for rows.Next() {
		var value V
		Must(rows.Scan(&value))
		values = append(values, value)
	}
	Must(rows.Err())
	return values
}

// NewIDs makes 1,000 ids, sorted: the counter of the library may wrap.
func NewIDs[T ID](newID func() T) []T {
	ids := make([]T, 1000)
	for i := range ids {
		ids[i] = newID()
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i].Hex() < ids[j].Hex() })
	return ids
}

// Standard runs the checks of every client.
func Standard[T ID](c Client[T]) []T {
	count := func(condition string, args ...any) int64 {
		return Read[int64](c.Query("SELECT count(*) FROM "+condition, args...))[0]
	}
	ids := NewIDs(c.New)
	for _, id := range ids {
		Read[string](c.Query("INSERT INTO made VALUES ($1, $2, $3)", c.How, id, id.Hex()))
	}
	Check(reflect.DeepEqual(Read[T](c.Query("SELECT id FROM made WHERE how = $1 ORDER BY id", c.How)), ids),
		c.How+": 1,000 ids come back equal")

	generated := Read[T](c.Query("SELECT id FROM generated ORDER BY id"))
	seconds := Read[int64](c.Query("SELECT seconds FROM generated ORDER BY id"))
	right := len(generated) == 1004
	for i, id := range generated {
		right = right && id.Timestamp().Unix() == seconds[i]
	}
	Check(right, c.How+": generated ids have the time of objectid_time()")

	var target T
	null := c.Query("SELECT NULL::objectid")
	Check(null.Next() && null.Scan(&target) != nil && !null.Next() &&
		Read[*T](c.Query("SELECT $1::objectid", (*T)(nil)))[0] == nil &&
		*Read[*T](c.Query("SELECT $1::objectid", &ids[0]))[0] == ids[0], c.How+": NULL")

	Check(reflect.DeepEqual(Read[T](c.Query("SELECT id FROM made WHERE id = $1", ids[500])), ids[500:501]) &&
		count("made WHERE how = $1 AND id < $2", c.How, ids[500]) == 500 &&
		count("made WHERE id = ANY($1)", c.List(ids[:10])) == 10,
		c.How+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	hours := []int64{9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999}
	Check(reflect.DeepEqual(Read[int64](c.Query("SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", since)), hours) &&
		reflect.DeepEqual(Read[int64](c.Query("SELECT n FROM dated WHERE $1::timestamptz < id ORDER BY n", since)), hours),
		c.How+": id > a date")

	var decoded document[T]
	id := Read[T](c.Query("SELECT id FROM document"))[0]
	encoded := Read[[]byte](c.Query("SELECT bson FROM document"))[0]
	written, err := c.Marshal(document[T]{id})
	Must(err)
	Must(c.Unmarshal(encoded, &decoded))
	Check(bytes.Equal(written, encoded) && decoded.ID == id && count("document WHERE id = $1", decoded.ID) == 1, c.How+": BSON")
	return ids
}

// FirstMigration starts with an empty database, and again after the extension is dropped.  dropped
// does what the documentation says for a pool.
func FirstMigration[T ID](c Client[T], dropped func()) {
	id := c.New()
	var found []T
	run := func(query string, args ...any) {
		found = append(found, Read[T](c.Query(query, args...))...)
	}
	for i := 0; i < 2; i++ {
		run("CREATE EXTENSION objectid")
		run("CREATE TABLE event (id objectid PRIMARY KEY, ids objectid[])")
		run("INSERT INTO event VALUES ($1, $2)", id, c.List([]T{id}))
		run("SELECT id FROM event WHERE id = ANY($1)", c.List([]T{id}))
		run("DROP TABLE event")
		run("DROP EXTENSION objectid")
		dropped()
	}
	Check(reflect.DeepEqual(found, []T{id, id}), "the first migration, and again")
}
