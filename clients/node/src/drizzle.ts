// Drizzle: columns of type objectid.  An id is a string of 24 lower-case digits.
//
//     id: objectid().primaryKey().default(sql`gen_objectid()`)
//
// A Date compared with a column is compared with the time of its ids: gt(event.id, date).
import { sql, type Column, type ColumnBaseConfig, type SQL } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/** A column of type objectid. */
export const objectid = customType<{ data: string; driverData: string }>({
  dataType: () => 'objectid',
  toDriver: (id: unknown) => (id instanceof Date
    ? sql`to_timestamp(${id.getTime() / 1000}::float8)` // toISOString() has a sign after 9999
    : String(id)),
  // Drizzle parses arrays itself, and reads a NULL in one as the text NULL.  The driver may return ObjectIds.
  fromDriver: (id: string | null) => (id === null || id === 'NULL' ? null! : String(id)),
});

type ObjectIdColumn = Column<ColumnBaseConfig<'custom', 'PgCustomColumn'> & { data: string }>;

declare module 'drizzle-orm/sql/expressions/conditions' {
  interface BinaryOperator {
    /** Compares the time of ids. */
    (left: ObjectIdColumn, right: Date): SQL;
  }
  function between(column: ObjectIdColumn, min: Date, max: Date): SQL;
  function notBetween(column: ObjectIdColumn, min: Date, max: Date): SQL;
}
