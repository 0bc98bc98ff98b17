// Package objectid is for database/sql, with any driver: an ObjectID for columns of type
// objectid that is also an ObjectID in BSON and JSON.
//
// Without it, an id is read and written as a string (24 digits).
// Use *ObjectID or sql.Null[ObjectID] for values that may be NULL, and pq.Array for slices.
package objectid

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"go.mongodb.org/mongo-driver/bson/bsontype"       // mongo-driver v2 has no such package
	bson "go.mongodb.org/mongo-driver/bson/primitive" // v2: "go.mongodb.org/mongo-driver/v2/bson"
)

type bsonType = bsontype.Type // v2: byte

const objectIDType, nullType bsonType = 0x07, 0x0a

// ObjectID is converted from and to that of mongo-driver: ObjectID(id), primitive.ObjectID(id).
// It is no struct, because GORM takes a list of structs for a list of conditions.
type ObjectID bson.ObjectID

func (id ObjectID) Hex() string { return bson.ObjectID(id).Hex() }

func (id ObjectID) String() string { return id.Hex() }

// IsZero is for "omitempty" in BSON.
func (id ObjectID) IsZero() bool { return id == ObjectID{} }

// GormDataType is the type of a column that GORM creates.
func (ObjectID) GormDataType() string { return "objectid" }

// Value returns the 24 digits, which every driver can send.
func (id ObjectID) Value() (driver.Value, error) { return id.Hex(), nil }

// Scan reads the 24 digits.
func (id *ObjectID) Scan(src any) error {
	switch src := src.(type) {
	case string:
		return id.UnmarshalText([]byte(src))
	case []byte:
		return id.UnmarshalText(src)
	}
	return fmt.Errorf("cannot read an objectid from %T", src)
}

// MarshalText and UnmarshalText are for JSON and its keys: the 24 digits.
func (id ObjectID) MarshalText() ([]byte, error) { return []byte(id.Hex()), nil }

func (id *ObjectID) UnmarshalText(digits []byte) error {
	parsed, err := bson.ObjectIDFromHex(string(digits))
	if err == nil {
		*id = ObjectID(parsed)
	}
	return err
}

// UnmarshalJSON also reads {"$oid": "..."}, and like all of encoding/json leaves an id alone for null.
func (id *ObjectID) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var value struct {
		Digits string `json:"$oid"`
	}
	if json.Unmarshal(data, &value) != nil {
		if err := json.Unmarshal(data, &value.Digits); err != nil {
			return err
		}
	}
	return id.UnmarshalText([]byte(value.Digits))
}

// MarshalBSONValue writes an ObjectID.
func (id ObjectID) MarshalBSONValue() (bsonType, []byte, error) { return objectIDType, id[:], nil }

// UnmarshalBSONValue reads an ObjectID, and zeros for null.
func (id *ObjectID) UnmarshalBSONValue(typ bsonType, data []byte) error {
	if typ == nullType {
		*id = ObjectID{}
		return nil
	}
	if typ != objectIDType || len(data) != len(id) {
		return fmt.Errorf("cannot read an objectid from BSON type 0x%02x", byte(typ))
	}
	copy(id[:], data)
	return nil
}
