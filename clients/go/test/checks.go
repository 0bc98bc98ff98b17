// Package checks has what the tests in its directories share: see t/ClientTest.pm.
package checks

import (
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
type Client struct {
	How   string
	Query func(query string, args ...any) (Rows, error)
	List  func(any) any // a parameter or a target for an array
}

// Wrong are no ids.
var Wrong = []string{"zzz", "507f1f77bcf86cd7994390112", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390  ", "{507f1f77bcf86cd799439011}", ""}

func Check(condition bool, what string) {
	fmt.Println(map[bool]string{true: "ok -", false: "not ok -"}[condition], what)
}

func Must(err error) {
	if err != nil {
		panic(err)
	}
}

func Assert(condition bool) {
	if !condition {
		panic("the example failed")
	}
}

// Try returns the only column of all rows.
func Try[V any](c Client, query string, args ...any) (values []V, err error) {
	rows, err := c.Query(query, args...)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var value V
		var target any = &value
		if strings.Contains(query, "[]") {
			target = c.List(target)
		}
		if err := rows.Scan(target); err != nil {
			rows.Next()
			return nil, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}

func Read[V any](c Client, query string, args ...any) []V {
	values, err := Try[V](c, query, args...)
	Must(err)
	return values
}

// Back tells whether an array comes back equal.
func Back[V any](c Client, in V) bool {
	return reflect.DeepEqual(Read[V](c, "SELECT $1::objectid[]", c.List(in)), []V{in})
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
func Standard[T ID](c Client) []T {
	ids := NewIDs[T]()
	for _, id := range ids {
		Read[string](c, "INSERT INTO made VALUES ($1, $2, $3)", c.How, id, id.Hex())
	}
	Check(reflect.DeepEqual(Read[T](c, "SELECT id FROM made WHERE how = $1 ORDER BY id", c.How), ids),
		c.How+": 1,000 ids come back equal")

	right := true
	for id, seconds := range Vectors[T]() {
		found := Read[T](c, "SELECT id FROM made WHERE how = $1 AND id = $2", c.How, id)
		right = right && reflect.DeepEqual(found, []T{id}) && bson.ObjectID(found[0]).Timestamp().Unix() == seconds
	}
	Check(right, c.How+": vectors")

	_, err := Try[T](c, "SELECT NULL::objectid")
	Check(err != nil && Read[*T](c, "SELECT $1::objectid", (*T)(nil))[0] == nil &&
		*Read[*T](c, "SELECT $1::objectid", &ids[0])[0] == ids[0], c.How+": NULL")

	Check(Back(c, ids[:3]) && Back(c, []T{}) && Back(c, []T(nil)), c.How+": arrays")

	Check(reflect.DeepEqual(Read[T](c, "SELECT id FROM made WHERE id = $1", ids[500]), ids[500:501]) &&
		len(Read[T](c, "SELECT id FROM made WHERE id = ANY($1)", c.List(ids[500:510]))) == 10,
		c.How+": WHERE with an ObjectId")

	since := time.Date(2025, 2, 20, 5, 0, 0, 0, time.UTC).Local()
	hours := Read[int](c, "SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n", since)
	Check(fmt.Sprint(hours) == "[9990 9991 9992 9993 9994 9995 9996 9997 9998 9999]", c.How+": id > a date")

	var accepted []string
	for _, wrong := range Wrong {
		if _, err := Try[string](c, "SELECT $1::objectid", wrong); err == nil {
			accepted = append(accepted, wrong)
		}
	}
	Check(accepted == nil, fmt.Sprintf("%s: what is no id: %q", c.How, accepted))
	return ids
}

// FirstMigration starts with an empty database, and again after the extension is dropped.  dropped
// does what the documentation says for a pool.
func FirstMigration[T ID](c Client, dropped func()) {
	id := T(bson.NewObjectID())
	for i := 0; i < 2; i++ {
		Read[string](c, "CREATE EXTENSION objectid")
		Read[string](c, "CREATE TABLE event (id objectid PRIMARY KEY)")
		Read[string](c, "INSERT INTO event VALUES ($1)", id)
		found := Read[T](c, "SELECT id FROM event WHERE id = ANY($1)", c.List([]T{id}))
		Check(reflect.DeepEqual(found, []T{id}), "the first migration, and again")
		Read[string](c, "DROP TABLE event")
		Read[string](c, "DROP EXTENSION objectid")
		dropped()
	}
}
