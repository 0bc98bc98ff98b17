// Drizzle: bson's ObjectId for columns of type objectid.
//
//     id: objectid().primaryKey().default(sql`gen_objectid()`)
//
// Ids travel as their 24 digits, so the driver needs no set-up.  A Date beside a column
// is compared with the time of its ids: gt(event.id, date).
const { ObjectId } = require('bson');
const { sql } = require('drizzle-orm');
const { customType } = require('drizzle-orm/pg-core');

const objectid = customType({
  dataType: () => 'objectid',
  // not new ObjectId(id), which makes an id of a number, and one of nothing
  toDriver: (id) => (id instanceof Date
    ? sql`${id.toISOString()}::timestamptz`
    : ObjectId.createFromHexString(id.toString()).toHexString()),
  // Drizzle reads arrays itself, and takes a NULL in one for the text NULL.  The driver may give ObjectIds already.
  fromDriver: (id) => (id === null || id === 'NULL' ? null : ObjectId.createFromHexString(id.toString())),
});

module.exports = { objectid };
