// Package objectid is for database/sql, with any driver: an ObjectID for columns of type
// objectid that is an ObjectID in BSON and JSON, too.
//
// With no set-up an id is read as string and written as string (its 24 digits); with
// lib/pq and binary_parameters=yes in the connection string also as the []byte id[:].
// ObjectID is for parameters, for Scan, for fields of structs and documents, and for
// slices by pq.Array; *ObjectID and sql.Null[ObjectID] are for what may be NULL.
package objectid

import (
	"database/sql/driver"
	"fmt"

	"go.mongodb.org/mongo-driver/bson/bsontype"       // mongo-driver v2 has no such package
	bson "go.mongodb.org/mongo-driver/bson/primitive" // v2: "go.mongodb.org/mongo-driver/v2/bson"
)

type bsonType = bsontype.Type // v2: byte

// ObjectID is a bson.ObjectID that database/sql can take and give.
type ObjectID struct{ bson.ObjectID }

// Value gives the 24 digits, which every driver passes on.
func (id ObjectID) Value() (driver.Value, error) {
	return id.Hex(), nil
}

// Scan takes the 24 digits.
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

// The embedded ObjectID has the methods for JSON and text, but the BSON library would
// take the struct for a document.
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
