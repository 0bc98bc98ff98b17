// node-postgres (pg): bson's ObjectId for columns of type objectid.
//
// Writing needs no set-up: node-postgres sends an ObjectId as JSON, and the type accepts the
// quoted "507f...", alone and in arrays.  id.id, a Buffer, is sent as a binary parameter.
// Results are strings without register().  With it they are ObjectIds, alone and in arrays, and the
// client keeps its other type parsers.  A Date needs a cast: id > $1::timestamptz.
const { ObjectId } = require('bson');
const pg = require('pg');

// Looks up the type's OID, which differs between databases.  Qualify the type's name if its
// schema is not on the search path.  For a pool:
//     new pg.Pool({ onConnect: (client) => register(client) })
async function register(client, typeName = 'objectid') {
  const { rows } = await client.query('SELECT oid, typarray FROM pg_type WHERE oid = $1::regtype', [typeName]);
  const [{ oid, typarray }] = rows;
  const parse = (digits) => ObjectId.createFromHexString(digits);
  client.setTypeParser(oid, 'text', parse);
  client.setTypeParser(typarray, 'text', (array) => pg.types.arrayParser.create(array, parse).parse());

  // pg 8 decodes the bytes as UTF-8 first, which destroys the id
  const refuse = () => {
    throw new TypeError('objectid cannot be read with "binary: true"');
  };
  client.setTypeParser(oid, 'binary', refuse);
  client.setTypeParser(typarray, 'binary', refuse);
}

module.exports = { register };
