// postgres.js (postgres): bson's ObjectId for columns of type objectid.
//
// Writing needs no set-up: postgres.js asks the server for the type of a parameter, and sends the
// 24 digits of an ObjectId.  Results are strings, and arrays of strings.  With withObjectId() they
// are ObjectIds.  A Date is sent as timestamptz, so id > ${date} needs no cast.  postgres.js uses
// the text format only.
const { ObjectId } = require('bson');
const postgres = require('postgres');

// Looks up the type's OID, which differs between databases, on a separate connection.  Qualify the
// type's name if its schema is not on the search path:
//     const sql = postgres(await withObjectId())
//     const sql = postgres(url, await withObjectId({}, url))
async function withObjectId(options = {}, url = undefined, typeName = 'objectid') {
  const connection = { ...options, max: 1 };
  const sql = url === undefined ? postgres(connection) : postgres(url, connection);
  try {
    const [{ oid }] = await sql`SELECT ${typeName}::regtype::oid AS oid`;
    const objectid = {
      to: Number(oid),
      from: [Number(oid)],
      serialize: (id) => id.toString(),
      // a NULL in an array arrives as the string NULL
      parse: (digits) => (digits === 'NULL' ? null : ObjectId.createFromHexString(digits)),
    };
    return { ...options, types: { ...options.types, objectid } };
  } finally {
    await sql.end();
  }
}

module.exports = { withObjectId };
