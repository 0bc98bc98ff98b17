//go:build go1.22

package sql

import (
	"database/sql"
	"reflect"

	objectid "example.org/objectid/clients/go/sql"
	. "example.org/objectid/clients/go/test"
	"github.com/lib/pq"
)

func init() {
	type null = sql.Null[objectid.ObjectID]
	nulls = func(db *sql.DB, id objectid.ObjectID) bool {
		right := true
		for _, in := range [][]null{{{V: id, Valid: true}, {}}, {}, nil} {
			var out []null
			Must(db.QueryRow("SELECT $1::objectid[]", pq.Array(in)).Scan(pq.Array(&out)))
			right = right && reflect.DeepEqual(in, out)
		}
		return right
	}
}
