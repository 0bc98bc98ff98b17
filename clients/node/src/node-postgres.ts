// node-postgres (pg): bson's ObjectId for columns of type objectid.
//
//     const types = new pg.TypeOverrides();
//     const pool = new pg.Pool({ types });
//     await register(pool, types);
//
// Writing needs no set-up: node-postgres sends an ObjectId as JSON, and the type accepts the
// quoted "507f...".  This module makes it send the digits alone, for columns of type text, too.  With
// register(), results are ObjectIds, too.
import { ObjectId } from 'bson';
import pg from 'pg';

export { ObjectId };

// node-postgres calls this
Object.defineProperty(ObjectId.prototype, 'toPostgres', {
  value(this: ObjectId) { return this.toHexString(); },
  configurable: true,
  writable: true,
});

const parse = (digits: string) => ObjectId.createFromHexString(digits);

const { arrayParser } = pg.types as any; // whose declaration lacks create()
const parseArray = (array: string) => arrayParser.create(array, parse).parse();

// pg 8 decodes the bytes as UTF-8 first, which destroys the id
function refuse(): never {
  throw new TypeError('objectid cannot be read with "binary: true"');
}

type Queryable = { query(text: string): PromiseLike<{ rows: any[] }> };
type Types = { setTypeParser(oid: any, format: any, parser: (value: any) => any): void };

/**
 * Looks up the OID of the type, which differs between databases, and sets its parsers in the "types"
 * of a pool, for open connections, too.  Call it after the migration that creates the extension,
 * and again if the extension is created again.  A client has its own types: register(client).
 */
export async function register(client: Queryable & Types): Promise<void>;
export async function register(db: Queryable, types: Types): Promise<void>;
export async function register(db: Queryable, types: Types = db as Queryable & Types): Promise<void> {
  const { rows } = await db.query(
    "SELECT oid, typarray FROM pg_catalog.pg_type WHERE typname = 'objectid' AND typtype IN ('b', 'd')");
  if (!rows.length) {
    throw new Error('the type objectid does not exist: run CREATE EXTENSION objectid before register()');
  }
  for (const { oid, typarray } of rows) {
    types.setTypeParser(oid, 'text', parse);
    types.setTypeParser(typarray, 'text', parseArray);
    types.setTypeParser(oid, 'binary', refuse);
    types.setTypeParser(typarray, 'binary', refuse);
  }
}
