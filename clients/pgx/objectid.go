// pgx v4: primitive.ObjectID for columns of type objectid.
//
// With no set-up an id is read as string and written as string (its 24 digits), and
// as the []byte id[:], which pgx sends as \x507f....  Register makes a connection
// take and give primitive.ObjectID, pointers to it for NULL, and slices, by the
// binary protocol and in CopyFrom.  With PreferSimpleProtocol it reads them in text;
// pgx knows no parameter's type then, so write id.Hex(), and an array as its text.
package main

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgtype"
	"github.com/jackc/pgx/v4"
	"go.mongodb.org/mongo-driver/bson/primitive"
)

// ObjectID is what pgx converts through: a primitive.ObjectID that may be NULL.
type ObjectID struct {
	ID     primitive.ObjectID
	Status pgtype.Status
}

// Register adapts primitive.ObjectID on this connection; for a pool, from
// pgxpool.Config's AfterConnect.  The type's OID differs from database to database,
// so it is looked up; name the type with its schema where that is not on the search
// path.
func Register(ctx context.Context, conn *pgx.Conn, typeName string) error {
	var oid, arrayOID uint32
	err := conn.QueryRow(ctx, "SELECT oid, typarray FROM pg_type WHERE oid = $1::text::regtype", typeName).Scan(&oid, &arrayOID)
	if err != nil {
		return err
	}
	array := pgtype.NewArrayType("_objectid", oid, func() pgtype.ValueTranscoder { return new(ObjectID) })
	conn.ConnInfo().RegisterDataType(pgtype.DataType{Value: new(ObjectID), Name: "objectid", OID: oid})
	conn.ConnInfo().RegisterDataType(pgtype.DataType{Value: array, Name: "_objectid", OID: arrayOID})
	return nil
}

// Set takes what a parameter may be.
func (dst *ObjectID) Set(src interface{}) (err error) {
	dst.Status = pgtype.Present
	switch src := src.(type) {
	case nil:
		dst.Status = pgtype.Null
	case *primitive.ObjectID:
		if src == nil {
			dst.Status = pgtype.Null
		} else {
			dst.ID = *src
		}
	case primitive.ObjectID:
		dst.ID = src
	case string:
		dst.ID, err = primitive.ObjectIDFromHex(src)
	default:
		err = fmt.Errorf("cannot convert %T to objectid", src)
	}
	return err
}

// Get gives what Rows.Values shows.
func (dst ObjectID) Get() interface{} {
	if dst.Status != pgtype.Present {
		return nil
	}
	return dst.ID
}

// AssignTo fills what Scan is given.
func (src *ObjectID) AssignTo(dst interface{}) error {
	if src.Status != pgtype.Present {
		return pgtype.NullAssignTo(dst)
	}
	switch dst := dst.(type) {
	case *primitive.ObjectID:
		*dst = src.ID
	case **primitive.ObjectID:
		id := src.ID
		*dst = &id
	case *string:
		*dst = src.ID.Hex()
	default:
		return fmt.Errorf("cannot assign objectid to %T", dst)
	}
	return nil
}

func (dst *ObjectID) DecodeBinary(_ *pgtype.ConnInfo, src []byte) error {
	*dst = ObjectID{Status: pgtype.Null}
	if src == nil {
		return nil
	}
	if len(src) != len(dst.ID) {
		return fmt.Errorf("an objectid is %d bytes, not %d", len(dst.ID), len(src))
	}
	copy(dst.ID[:], src)
	dst.Status = pgtype.Present
	return nil
}

func (src ObjectID) EncodeBinary(_ *pgtype.ConnInfo, buf []byte) ([]byte, error) {
	if src.Status != pgtype.Present {
		return nil, nil
	}
	return append(buf, src.ID[:]...), nil
}

func (dst *ObjectID) DecodeText(_ *pgtype.ConnInfo, src []byte) error {
	*dst = ObjectID{Status: pgtype.Null}
	if src == nil {
		return nil
	}
	if hex.DecodedLen(len(src)) != len(dst.ID) {
		return fmt.Errorf("an objectid is 24 digits, not %q", src)
	}
	_, err := hex.Decode(dst.ID[:], src)
	dst.Status = pgtype.Present
	return err
}

func (src ObjectID) EncodeText(_ *pgtype.ConnInfo, buf []byte) ([]byte, error) {
	if src.Status != pgtype.Present {
		return nil, nil
	}
	return append(buf, src.ID.Hex()...), nil
}
