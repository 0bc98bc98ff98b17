// Drizzle: bson's ObjectId for columns of type objectid.
//
//     id: objectid().primaryKey().default(sql`gen_objectid()`)
//
// Ids are sent as 24 digits, so the driver needs no set-up.  A Date compared with a column is
// compared with the time of its ids: gt(event.id, date).
import { ObjectId } from 'bson';
import { sql } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

export { ObjectId };

export const objectid = customType({
  dataType: () => 'objectid',
  // not new ObjectId(id), which accepts a number, or nothing
  toDriver: (id) => (id instanceof Date
    ? sql`${id.toISOString()}::timestamptz`
    : ObjectId.createFromHexString(id.toString()).toHexString()),
  // Drizzle parses arrays itself, and reads a NULL in one as the text NULL.  The driver may return ObjectIds.
  fromDriver: (id) => (id === null || id === 'NULL' ? null : ObjectId.createFromHexString(id.toString())),
});
