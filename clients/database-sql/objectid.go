// database/sql with lib/pq: primitive.ObjectID for columns of type objectid.
//
// With no set-up an id is read as string and written as string (its 24 digits);
// with binary_parameters=yes in the connection string also as the []byte id[:].
// ObjectID is for parameters and for Scan, and for slices by pq.Array; NullObjectID
// for those that may be NULL.
package main

import (
	"database/sql/driver"
	"fmt"

	"go.mongodb.org/mongo-driver/bson/primitive"
)

// ObjectID is a primitive.ObjectID that database/sql can take and give.
type ObjectID struct{ primitive.ObjectID }

// Value gives the 24 digits, which every driver passes on.
func (id ObjectID) Value() (driver.Value, error) {
	return id.Hex(), nil
}

// Scan takes the 24 digits.
func (id *ObjectID) Scan(src interface{}) (err error) {
	switch src := src.(type) {
	case string:
		id.ObjectID, err = primitive.ObjectIDFromHex(src)
	case []byte:
		id.ObjectID, err = primitive.ObjectIDFromHex(string(src))
	default:
		err = fmt.Errorf("cannot read an objectid from %T", src)
	}
	return err
}

// NullObjectID is an ObjectID that may be NULL.
type NullObjectID struct {
	ObjectID ObjectID
	Valid    bool
}

// Value gives the 24 digits, or nil.
func (id NullObjectID) Value() (driver.Value, error) {
	if !id.Valid {
		return nil, nil
	}
	return id.ObjectID.Value()
}

// Scan takes the 24 digits, or nil.
func (id *NullObjectID) Scan(src interface{}) error {
	*id = NullObjectID{Valid: src != nil}
	if src == nil {
		return nil
	}
	return id.ObjectID.Scan(src)
}
