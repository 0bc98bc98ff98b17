// node-postgres (pg): bson's ObjectId for columns of type objectid.
//
//     const pool = new pg.Pool({ onConnect: register });
//
// Writing needs no set-up: node-postgres sends an ObjectId as JSON, and the type accepts the
// quoted "507f...".  With register(), results are ObjectIds, too.
import { ObjectId } from 'bson';
import pg from 'pg';

export { ObjectId };

const FIRST_OID = 16384; // below are the OIDs of built-in types
const registered = Symbol('objectid');

const parse = (digits) => ObjectId.createFromHexString(digits);
const parseArray = (array) => pg.types.arrayParser.create(array, parse).parse();

// pg 8 decodes the bytes as UTF-8 first, which destroys the id
function refuse() {
  throw new TypeError('objectid cannot be read with "binary: true"');
}

// The OID of the type differs between databases, and changes if the extension is created again.  So
// look it up now, and again whenever a result has a type that this connection has not seen.  The
// extension may be created later, by a migration.
export async function register(client) {
  if (client[registered]) {
    return;
  }
  client[registered] = true;

  const seen = new Set();
  const query = client.query;

  const lookUp = async () => {
    const { rows } = await query.call(client, "SELECT oid, typarray FROM pg_catalog.pg_type WHERE typname = 'objectid'");
    for (const { oid, typarray } of rows) {
      client.setTypeParser(oid, 'text', parse);
      client.setTypeParser(typarray, 'text', parseArray);
      client.setTypeParser(oid, 'binary', refuse);
      client.setTypeParser(typarray, 'binary', refuse);
    }
    return rows.flatMap(({ oid, typarray }) => [oid, typarray]);
  };
  const isNew = ({ dataTypeID }) => dataTypeID >= FIRST_OID && !seen.has(dataTypeID);

  // the values of new types are still strings
  const convert = async (config, result) => {
    const results = [result].flat();
    if (config.types || !results.some(({ fields }) => fields.some(isNew))) {
      return result;
    }
    const known = await lookUp();
    for (const { fields, rows } of results) {
      for (const [i, { name, dataTypeID, format }] of fields.entries()) {
        if (isNew({ dataTypeID }) && known.includes(dataTypeID)) {
          const parser = client.getTypeParser(dataTypeID, format);
          for (const row of rows) {
            const key = Array.isArray(row) ? i : name;
            row[key] = typeof row[key] === 'string' || Buffer.isBuffer(row[key]) ? parser(row[key]) : row[key];
          }
        }
      }
    }
    results.forEach(({ fields }) => fields.forEach(({ dataTypeID }) => seen.add(dataTypeID)));
    return result;
  };

  client.query = (config, values, callback) => {
    const done = typeof values === 'function' ? values : callback;
    if (typeof config?.submit === 'function') {
      return query.call(client, config, values, callback);
    }
    const finished = query.call(client, config, done === values ? undefined : values).then((result) => convert(config, result));
    if (!done) {
      return finished;
    }
    // an exception of the callback does not reject the promise
    finished.then((result) => process.nextTick(done, null, result), (error) => process.nextTick(done, error));
  };
  (await lookUp()).forEach((oid) => seen.add(oid));
}
