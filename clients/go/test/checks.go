// Package checks has what the tests in its directories share: see clients/t/ClientTest.pm.
package checks

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// ID is an ObjectID of the BSON library, or that of an adapter.
type ID interface {
	~[12]byte
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

// Vectors are the ids of VECTORS, with their seconds.
func Vectors[T ID]() map[T]int64 {
	vectors := map[T]int64{}
	for _, line := range strings.Split(strings.TrimSpace(os.Getenv("VECTORS")), "\n") {
		var digits string
		var bytes []byte
		var seconds int64
		_, err := fmt.Sscanf(line+" "+line, "%s %d %x", &digits, &seconds, &bytes)
		Must(err)
		id, err := bson.ObjectIDFromHex(digits)
		Must(err)
		Assert(id.Hex() == digits && string(id[:]) == string(bytes))
		vectors[T(id)] = seconds
	}
	return vectors
}

// NewIDs makes 1,000 ids, and adds the vectors, sorted.
func NewIDs[T ID]() (ids []T) {
	for i := 0; i < 1000; i++ {
		ids = append(ids, T(bson.NewObjectID()))
	}
	for id := range Vectors[T]() {
		ids = append(ids, id)
	}
	sort.Slice(ids, func(i, j int) bool { return ids[i].Hex() < ids[j].Hex() })
	return ids
}

// Standard runs the checks of every client.
func Standard[T ID](c Client[T]) []T {
	ids := NewIDs[T]()
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
		len(Read[T](c.Query("SELECT id FROM made WHERE id = ANY($1)", c.List(ids[500:510])))) == 10,
		c.How+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	hours := []int64{9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999}
	Check(reflect.DeepEqual(Read[int64](c.Query("SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", since)), hours),
		c.How+": id > a date")

	c.vectors()
	return ids
}

// vectors finds each of them, and compares what it reads.
func (c Client[T]) vectors() {
	right := true
	for id, seconds := range Vectors[T]() {
		found := Read[T](c.Query("SELECT id FROM made WHERE how = $1 AND id = $2", c.How, id))
		right = right && reflect.DeepEqual(found, []T{id}) && bson.ObjectID(found[0]).Timestamp().Unix() == seconds
	}
	Check(right, c.How+": vectors")
}

// FirstMigration starts with an empty database, and again after the extension is dropped.  dropped
// does what the documentation says for a pool.
func FirstMigration[T ID](c Client[T], dropped func()) {
	id := T(bson.NewObjectID())
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
