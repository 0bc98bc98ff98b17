// Package checks has what the tests in its directories share: see t/ClientTest.pm.
package checks

import (
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
}

// Rows are those of pgx or of database/sql.
type Rows interface {
	Next() bool
	Scan(...any) error
	Err() error
}

// Client is a driver, and how it sends ids.
type Client[T ID] struct {
	How   string
	New   func() T
	Query func(query string, args ...any) Rows
	List  func([]T) any // a parameter for an array
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
	ids := NewIDs(c.New)
	for _, id := range ids {
		Read[string](c.Query("INSERT INTO made VALUES ($1, $2, $3)", c.How, id, id.Hex()))
	}
	Check(reflect.DeepEqual(Read[T](c.Query("SELECT id FROM made WHERE how = $1 ORDER BY id", c.How)), ids),
		c.How+": 1,000 ids come back equal")

	var target T
	null := c.Query("SELECT NULL::objectid")
	Check(null.Next() && null.Scan(&target) != nil && !null.Next() &&
		Read[*T](c.Query("SELECT $1::objectid", (*T)(nil)))[0] == nil &&
		*Read[*T](c.Query("SELECT $1::objectid", &ids[0]))[0] == ids[0], c.How+": NULL")

	Check(reflect.DeepEqual(Read[T](c.Query("SELECT id FROM made WHERE id = $1", ids[500])), ids[500:501]) &&
		len(Read[T](c.Query("SELECT id FROM made WHERE id = ANY($1)", c.List(ids[:10])))) == 10,
		c.How+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	hours := []int64{9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999}
	Check(reflect.DeepEqual(Read[int64](c.Query("SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", since)), hours),
		c.How+": id > a date")

	return ids
}

// FirstMigration starts with an empty database, and again after the extension is dropped.  dropped
// does what the documentation says for a pool.
func FirstMigration[T ID](c Client[T], dropped func()) {
	id := c.New()
	run := func(query string, args ...any) []T { return Read[T](c.Query(query, args...)) }
	for i := 0; i < 2; i++ {
		run("CREATE EXTENSION objectid")
		run("CREATE TABLE event (id objectid PRIMARY KEY, ids objectid[])")
		run("INSERT INTO event VALUES ($1, $2)", id, c.List([]T{id}))
		found := run("SELECT id FROM event WHERE id = ANY($1)", c.List([]T{id}))
		Check(reflect.DeepEqual(found, []T{id}), "the first migration, and again")
		run("DROP TABLE event")
		run("DROP EXTENSION objectid")
		dropped()
	}
}
