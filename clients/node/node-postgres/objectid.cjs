// node-postgres (pg): bson's ObjectId for columns of type objectid.
//
// With no set-up an ObjectId can be written: node-postgres sends it as JSON, and the
// type takes "507f..." in its quotes, alone and in arrays.  id.id, a Buffer, goes as
// a binary parameter.  Reading gives strings.  register() makes a client give
// ObjectIds, alone and in arrays; its other type parsers stay.  A Date needs a cast:
// id > $1::timestamptz.
const { ObjectId } = require('bson');
const pg = require('pg');

// The type's OID differs from database to database, so it is looked up; name the
// type with its schema if that is not on the search path.  For a pool:
//     new pg.Pool({ onConnect: (client) => register(client) })
async function register(client, typeName = 'objectid') {
  const { rows } = await client.query('SELECT oid, typarray FROM pg_type WHERE oid = $1::regtype', [typeName]);
  const [{ oid, typarray }] = rows;
  const parse = (digits) => ObjectId.createFromHexString(digits);
  client.setTypeParser(oid, 'text', parse);
  client.setTypeParser(typarray, 'text', (array) => pg.types.arrayParser.create(array, parse).parse());

  // pg 8 has decoded the bytes as UTF-8 by then, so the id is lost
  const refuse = () => {
    throw new TypeError('objectid cannot be read with "binary: true"');
  };
  client.setTypeParser(oid, 'binary', refuse);
  client.setTypeParser(typarray, 'binary', refuse);
}

module.exports = { register };
