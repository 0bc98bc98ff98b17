// postgres.js (postgres): bson's ObjectId for columns of type objectid.
//
// With no set-up an ObjectId can be written: postgres.js asks the server for the
// parameter's type and sends the 24 digits.  Reading gives strings, and arrays of
// them.  With this type it gives ObjectIds.  A Date goes as timestamptz: id > ${date}
// needs no cast.  postgres.js speaks the text protocol only.
import { ObjectId } from 'bson';
import postgres from 'postgres';

// The type's OID differs from database to database, so it is looked up by a
// connection of its own before the options can be made; name the type with its schema
// if that is not on the search path:
//     const sql = postgres(await withObjectId())
//     const sql = postgres(url, await withObjectId({}, url))
export async function withObjectId(options = {}, url = undefined, typeName = 'objectid') {
  const connection = { ...options, max: 1 };
  const sql = url === undefined ? postgres(connection) : postgres(url, connection);
  try {
    const [{ oid }] = await sql`SELECT ${typeName}::regtype::oid AS oid`;
    const objectid = {
      to: Number(oid),
      from: [Number(oid)],
      serialize: (id) => id.toString(),
      // a NULL in an array comes here too, by name
      parse: (digits) => (digits === 'NULL' ? null : ObjectId.createFromHexString(digits)),
    };
    return { ...options, types: { ...options.types, objectid } };
  } finally {
    await sql.end();
  }
}
