// Package objectid is for pgx v5: bson.ObjectID of mongo-driver v2, or
// primitive.ObjectID of v1, for columns of type objectid.
//
// Without Register, an id is read and written as a string (24 digits) or as the []byte id[:].
// Both still work after Register, which adds ObjectID, pointers to it or sql.Null for NULL, slices,
// and CopyFrom.
package objectid

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Register[bson.ObjectID] adapts a connection.  For a pool, call it in AfterConnect of
// pgxpool.Config.  If the type is created later, pgx goes by the Go type of a value, as it always does in the modes
// QueryExecModeExec and QueryExecModeSimpleProtocol: ids are sent as text, a type derived from
// ObjectID needs conn.TypeMap().RegisterDefaultPgType, and arrays have one dimension.  CopyFrom and
// targets of type any then need a new connection.
func Register[T ~[12]byte](ctx context.Context, conn *pgx.Conn) error {
	var oid, arrayOID uint32 = math.MaxUint32, math.MaxUint32 - 1 // no type has these
	err := conn.QueryRow(ctx, "SELECT oid, typarray FROM pg_type WHERE oid = to_regtype('objectid')").Scan(&oid, &arrayOID)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return err
	}
	element := &pgtype.Type{Name: "objectid", OID: oid, Codec: codec[T]{}}
	types := conn.TypeMap()
	types.RegisterType(element)
	types.RegisterType(&pgtype.Type{Name: "_objectid", OID: arrayOID, Codec: &pgtype.ArrayCodec{ElementType: element}})
	for _, value := range []any{T{}, (*T)(nil), (**T)(nil), sql.Null[T]{}, (*sql.Null[T])(nil)} {
		types.RegisterDefaultPgType(value, "objectid")
	}
	for _, value := range []any{[]T(nil), []*T(nil), []sql.Null[T](nil), (*[]T)(nil), (*[]*T)(nil), (*[]sql.Null[T])(nil)} {
		types.RegisterDefaultPgType(value, "_objectid")
	}
	return nil
}

type codec[T ~[12]byte] struct{}

func (codec[T]) FormatSupported(int16) bool { return true }
func (codec[T]) PreferredFormat() int16     { return pgtype.BinaryFormatCode }

func (codec[T]) PlanEncode(_ *pgtype.Map, _ uint32, format int16, value any) pgtype.EncodePlan {
	switch value.(type) {
	case T, [12]byte, sql.Null[T], []byte: // a derived type arrives as [12]byte
		return plan[T]{format}
	}
	return nil
}

type plan[T ~[12]byte] struct{ format int16 }

func (plan plan[T]) Encode(value any, buf []byte) ([]byte, error) {
	var id []byte
	switch value := value.(type) {
	case T:
		id = value[:]
	case [12]byte:
		id = value[:]
	case sql.Null[T]:
		if !value.Valid {
			return nil, nil
		}
		id = value.V[:]
	case []byte:
		id = value
	}
	if len(id) != 12 {
		return nil, fmt.Errorf("an objectid has 12 bytes, not %d", len(id))
	}
	if plan.format == pgtype.TextFormatCode {
		return append(buf, hex.EncodeToString(id)...), nil
	}
	return append(buf, id...), nil
}

func (codec[T]) PlanScan(_ *pgtype.Map, _ uint32, format int16, target any) pgtype.ScanPlan {
	switch target.(type) {
	case *T, *[12]byte, *sql.Null[T], pgtype.TextScanner: // *string and *[]byte arrive as TextScanner
		return plan[T]{format}
	}
	return nil
}

func (plan plan[T]) Scan(src []byte, target any) error {
	if src == nil {
		switch target := target.(type) {
		case *sql.Null[T]:
			*target = sql.Null[T]{}
			return nil
		case pgtype.TextScanner:
			return target.ScanText(pgtype.Text{})
		}
		return fmt.Errorf("cannot scan NULL into %T", target)
	}
	id, err := decode(plan.format, src)
	if err != nil {
		return err
	}
	switch target := target.(type) {
	case *T:
		*target = id
	case *[12]byte:
		*target = id
	case *sql.Null[T]:
		*target = sql.Null[T]{V: id, Valid: true}
	case pgtype.TextScanner:
		return target.ScanText(pgtype.Text{String: hex.EncodeToString(id[:]), Valid: true})
	}
	return nil
}

func decode(format int16, src []byte) (id [12]byte, err error) {
	if format == pgtype.TextFormatCode {
		src, err = hex.DecodeString(string(src))
	}
	if err == nil && len(src) != len(id) {
		err = fmt.Errorf("an objectid has 12 bytes, not %d", len(src))
	}
	copy(id[:], src)
	return id, err
}

// DecodeValue is for Rows.Values and targets of type any, DecodeDatabaseSQLValue for sql.Scanner.
func (codec[T]) DecodeValue(_ *pgtype.Map, _ uint32, format int16, src []byte) (any, error) {
	if src == nil {
		return nil, nil
	}
	id, err := decode(format, src)
	return T(id), err
}

func (codec[T]) DecodeDatabaseSQLValue(_ *pgtype.Map, _ uint32, format int16, src []byte) (driver.Value, error) {
	if src == nil {
		return nil, nil
	}
	id, err := decode(format, src)
	return hex.EncodeToString(id[:]), err
}
