// Drizzle: bson's ObjectId for columns of type objectid.
//
//     id: objectid().primaryKey().default(sql`gen_objectid()`)
//
// Ids are sent as 24 digits, so the driver needs no set-up.  A Date compared with a column is
// compared with the time of its ids: gt(event.id, date).
import { ObjectId } from 'bson';
import { sql, type Column, type ColumnBaseConfig, type ColumnDataType, type SQL } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

export { ObjectId };

/** A column of type objectid. */
export const objectid = customType<{ data: ObjectId; driverData: string }>({
  dataType: () => 'objectid',
  // not new ObjectId(id), which accepts a number, or nothing
  toDriver: (id: unknown) => (id instanceof Date
    ? sql`to_timestamp(${id.getTime() / 1000}::float8)` // toISOString() has a sign after 9999
    : ObjectId.createFromHexString(String(id)).toHexString()),
  // Drizzle parses arrays itself, and reads a NULL in one as the text NULL.  The driver may return ObjectIds.
  fromDriver: (id: string | null) => (id === null || id === 'NULL' ? null! : ObjectId.createFromHexString(String(id))),
});

type ObjectIdColumn = Column<ColumnBaseConfig<ColumnDataType, string> & { data: ObjectId }>;

declare module 'drizzle-orm/sql/expressions/conditions' {
  interface BinaryOperator {
    /** Compares the time of ids. */
    (left: ObjectIdColumn, right: Date): SQL;
  }
  function between(column: ObjectIdColumn, min: Date, max: Date): SQL;
  function notBetween(column: ObjectIdColumn, min: Date, max: Date): SQL;
}
