// Package objectid is for database/sql, with any driver: an ObjectID for columns of type
// objectid that is also an ObjectID in BSON and JSON.
//
// Without it, an id is read and written as a string (24 digits).  With lib/pq and
// binary_parameters=yes in the connection string, it can also be written as the []byte id[:].
// Use ObjectID for parameters, for Scan, for fields of structs and documents, and for slices with
// pq.Array.  Use *ObjectID or sql.Null[ObjectID] for values that may be NULL.
package objectid

import (
	"database/sql/driver"
	"fmt"

	"go.mongodb.org/mongo-driver/bson/bsontype"       // mongo-driver v2 has no such package
	bson "go.mongodb.org/mongo-driver/bson/primitive" // v2: "go.mongodb.org/mongo-driver/v2/bson"
)

type bsonType = bsontype.Type // v2: byte

// ObjectID is a bson.ObjectID that database/sql can write and read.
type ObjectID struct{ bson.ObjectID }

// Value returns the 24 digits, which every driver can send.
func (id ObjectID) Value() (driver.Value, error) {
	return id.Hex(), nil
}

// Scan reads the 24 digits.
func (id *ObjectID) Scan(src interface{}) (err error) {
	switch src := src.(type) {
	case string:
		id.ObjectID, err = bson.ObjectIDFromHex(src)
	case []byte:
		id.ObjectID, err = bson.ObjectIDFromHex(string(src))
	default:
		err = fmt.Errorf("cannot read an objectid from %T", src)
	}
	return err
}

// The embedded ObjectID has the methods for JSON and text, but the BSON library would write the
// struct as a document.
const objectIDType bsonType = 0x07

// MarshalBSONValue writes an ObjectID.
func (id ObjectID) MarshalBSONValue() (bsonType, []byte, error) {
	return objectIDType, id.ObjectID[:], nil
}

// UnmarshalBSONValue reads an ObjectID.
func (id *ObjectID) UnmarshalBSONValue(typ bsonType, data []byte) error {
	if typ != objectIDType || len(data) != len(id.ObjectID) {
		return fmt.Errorf("cannot read an objectid from BSON type 0x%02x", byte(typ))
	}
	copy(id.ObjectID[:], data)
	return nil
}
