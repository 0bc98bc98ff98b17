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
	nulls = func(how string, db *sql.DB, ids []objectid.ObjectID) {
		for _, in := range [][]null{{{V: ids[0], Valid: true}, {}}, {}, nil} {
			var out []null
			Must(db.QueryRow("SELECT $1::objectid[]", pq.Array(in)).Scan(pq.Array(&out)))
			Check(reflect.DeepEqual(in, out), how+": arrays")
		}
	}
}
