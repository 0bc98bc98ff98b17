// Drizzle: bson's ObjectId for columns of type objectid.
//
//     id: objectid().primaryKey().default(sql`gen_objectid()`)
//
// Ids travel as their 24 digits, so the driver needs no set-up.  Drizzle reads arrays
// itself, and takes a NULL in one for the text NULL: here it is null again.
import { ObjectId } from 'bson';
import { customType } from 'drizzle-orm/pg-core';

export const objectid = customType({
  dataType: () => 'objectid',
  // not new ObjectId(id), which makes an id of a number, and one of nothing
  toDriver: (id) => ObjectId.createFromHexString(id.toString()).toHexString(),
  fromDriver: (digits) => (digits === null || digits === 'NULL' ? null : ObjectId.createFromHexString(digits)),
});
