// Package objectid is for pgx v4 (v5: ../pgx): primitive.ObjectID for columns of type objectid.
// Without Register, an id is read and written as a string or as the []byte id[:].  Both still work after
// Register, which adds ObjectID, pointers to it for NULL, slices, the binary format and CopyFrom.
// With PreferSimpleProtocol, pgx does not know the type of a parameter: write id.Hex(), and arrays as text.
package objectid

import (
	"context"
	"database/sql/driver"
	"fmt"
	"reflect"

	"github.com/jackc/pgtype"
	"github.com/jackc/pgx/v4"
	"go.mongodb.org/mongo-driver/bson/primitive"
)

// ObjectID is the form in which pgx converts ids: a primitive.ObjectID that may be NULL.
type ObjectID struct {
	ID     primitive.ObjectID
	Status pgtype.Status
}

// Register adapts primitive.ObjectID on this connection.  For a pool, call it in AfterConnect of
// pgxpool.Config.  typeName is "objectid", qualified if its schema is not on the search path.
func Register(ctx context.Context, conn *pgx.Conn, typeName string) error {
	var oid, arrayOID uint32
	row := conn.QueryRow(ctx, "SELECT oid, typarray FROM pg_type WHERE oid = $1::text::regtype", typeName)
	if err := row.Scan(&oid, &arrayOID); err != nil {
		return err
	}
	array := pgtype.NewArrayType("_objectid", oid, func() pgtype.ValueTranscoder { return new(ObjectID) })
	conn.ConnInfo().RegisterDataType(pgtype.DataType{Value: new(ObjectID), Name: "objectid", OID: oid})
	conn.ConnInfo().RegisterDataType(pgtype.DataType{Value: array, Name: "_objectid", OID: arrayOID})
	return nil
}

// Set accepts the types of a parameter.
func (dst *ObjectID) Set(src interface{}) (err error) {
	dst.Status = pgtype.Present
	switch src := src.(type) {
	case nil:
		dst.Status = pgtype.Null
	case *primitive.ObjectID:
		if src != nil {
			return dst.Set(*src)
		}
		dst.Status = pgtype.Null
	case primitive.ObjectID:
		dst.ID = src
	case string:
		dst.ID, err = primitive.ObjectIDFromHex(src)
	case []byte:
		return dst.DecodeBinary(nil, src)
	default:
		if value := reflect.ValueOf(src); value.Kind() == reflect.String {
			return dst.Set(value.String())
		}
		err = fmt.Errorf("cannot convert %T to objectid", src)
	}
	return err
}

func (dst ObjectID) Get() interface{} {
	if dst.Status != pgtype.Present {
		return nil
	}
	return dst.ID
}

// Value is for a sql.Scanner.
func (src ObjectID) Value() (driver.Value, error) {
	if id, ok := src.Get().(primitive.ObjectID); ok {
		return id.Hex(), nil
	}
	return nil, nil
}

// AssignTo sets the target of Scan.
func (src *ObjectID) AssignTo(dst interface{}) error {
	if src.Status != pgtype.Present {
		return pgtype.NullAssignTo(dst)
	}
	switch dst := dst.(type) {
	case *primitive.ObjectID:
		*dst = src.ID
	case *string:
		*dst = src.ID.Hex()
	case *[]byte:
		*dst = []byte(src.ID.Hex())
	default:
		if next, ok := pgtype.GetAssignToDstType(dst); ok {
			return src.AssignTo(next)
		}
		return fmt.Errorf("cannot assign objectid to %T", dst)
	}
	return nil
}

func (dst *ObjectID) DecodeBinary(_ *pgtype.ConnInfo, src []byte) error {
	*dst = ObjectID{Status: pgtype.Present}
	if src == nil {
		dst.Status = pgtype.Null
	} else if len(src) != len(dst.ID) {
		return fmt.Errorf("an objectid has %d bytes, not %d", len(dst.ID), len(src))
	}
	copy(dst.ID[:], src)
	return nil
}

func (src ObjectID) EncodeBinary(_ *pgtype.ConnInfo, buf []byte) ([]byte, error) {
	if src.Status != pgtype.Present {
		return nil, nil
	}
	return append(buf, src.ID[:]...), nil
}

func (dst *ObjectID) DecodeText(_ *pgtype.ConnInfo, src []byte) error {
	if src != nil {
		return dst.Set(string(src))
	}
	return dst.Set(nil)
}

func (src ObjectID) EncodeText(_ *pgtype.ConnInfo, buf []byte) ([]byte, error) {
	if src.Status != pgtype.Present {
		return nil, nil
	}
	return append(buf, src.ID.Hex()...), nil
}
