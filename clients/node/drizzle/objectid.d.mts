import { ObjectId } from 'bson';
import type { Column, ColumnBaseConfig, ColumnDataType, SQL } from 'drizzle-orm';
import type { customType } from 'drizzle-orm/pg-core';

export { ObjectId };

/** A column of type objectid. */
export const objectid: ReturnType<typeof customType<{ data: ObjectId; driverData: string }>>;

type ObjectIdColumn = Column<ColumnBaseConfig<ColumnDataType, string> & { data: ObjectId }>;

declare module 'drizzle-orm/sql/expressions/conditions' {
  interface BinaryOperator {
    /** Compares the time of ids. */
    (left: ObjectIdColumn, right: Date): SQL;
  }
  function between(column: ObjectIdColumn, min: Date, max: Date): SQL;
  function notBetween(column: ObjectIdColumn, min: Date, max: Date): SQL;
}
