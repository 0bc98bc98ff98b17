// postgres.js (postgres): bson's ObjectId for columns of type objectid.
//
//     const sql = await register(postgres());
//
// Writing needs no set-up: postgres.js asks the server for the type of a parameter, and sends the
// 24 digits of an ObjectId.  With register(), results are ObjectIds, too.
import { ObjectId } from 'bson';

export { ObjectId };

const FIRST_OID = 16384; // below are the OIDs of built-in types

// Looks up the type's OID, which differs between databases, for all connections of the pool.  The
// extension must exist.
//
// If it is created again, the type has a new OID.  postgres.js has no time to look it up while it
// reads a row, so the first query that reads an id fails, and the next one works.
export async function register(sql) {
  const { parsers, serializers } = sql.options;
  const seen = new Set();

  const parse = (digits) => ObjectId.createFromHexString(digits);
  const parseArray = (array) => JSON.parse(
    array.replace(/^.*=/, '').replace(/[0-9a-f]{24}/g, '"$&"').replace(/NULL/g, 'null').replace(/\{/g, '[').replace(/\}/g, ']'),
    (_, value) => (typeof value === 'string' ? parse(value) : value),
  );
  const writeArray = (ids) => `{${ids.map((id) => (Array.isArray(id) ? writeArray(id) : id ?? 'NULL'))}}`;

  const lookUp = async () => {
    const types = await sql`SELECT oid, typarray, typname = 'objectid' AS wanted FROM pg_catalog.pg_type
      WHERE oid >= ${FIRST_OID} AND typtype = 'b' AND typarray <> 0`;
    for (const { oid, typarray, wanted } of types) {
      seen.add(oid).add(typarray);
      if (wanted) {
        Object.assign(parsers, { [oid]: parse, [typarray]: parseArray });
        Object.assign(serializers, { [oid]: String, [typarray]: writeArray });
      }
    }
    return types.some(({ wanted }) => wanted);
  };
  if (!await lookUp()) {
    throw new Error('the type objectid does not exist: run CREATE EXTENSION objectid before register()');
  }

  // postgres.js takes the parser of a column from this object, which gets one for new types only, and
  // keeps it for a prepared statement
  const parseNew = (oid) => (value) => {
    if (seen.has(oid)) {
      return Object.hasOwn(parsers, oid) ? parsers[oid](value) : value;
    }
    if (/^\{*[0-9a-f]{24}\b/.test(value)) {
      lookUp().catch(() => {});
      throw new TypeError(`the type with OID ${oid} is newer than register(): repeat the query`);
    }
    return value;
  };
  Object.setPrototypeOf(parsers, new Proxy({}, {
    get: (_, oid) => (oid >= FIRST_OID && !seen.has(Number(oid)) ? parseNew(Number(oid)) : undefined),
  }));
  return sql;
}
