// postgres.js (postgres): bson's ObjectId for columns of type objectid.
//
//     const sql = await register(postgres());
//
// Writing needs no set-up: postgres.js asks the server for the type of a parameter, and sends the
// 24 digits of an ObjectId.  With register(), results are ObjectIds, too.
import { ObjectId } from 'bson';
import type { Sql } from 'postgres';

export { ObjectId };

type Nested<T> = (T | null | Nested<T>)[];

const parse = (digits: string) => ObjectId.createFromHexString(digits);
const parseArray = (array: string): Nested<ObjectId> => JSON.parse(
  array.replace(/^.*=/, '').replace(/[0-9a-f]{24}/g, '"$&"').replace(/NULL/g, 'null').replace(/\{/g, '[').replace(/\}/g, ']'),
  (_, value) => (typeof value === 'string' ? parse(value) : value),
);
const writeArray = (ids: Nested<ObjectId>): string =>
  `{${ids.map((id) => (Array.isArray(id) ? writeArray(id) : id == null ? 'NULL' : JSON.stringify(String(id))))}}`;

/**
 * Looks up the OID of the type, which differs between databases, and makes all connections, open
 * ones too, return ObjectIds.  Call it after the migration that creates the extension.  If the
 * extension is created again, open new connections: prepared statements keep the OID of the type.
 */
export async function register<Types extends Record<string, unknown>>(
  sql: Sql<Types>,
): Promise<Sql<Types & { objectid: ObjectId }>> {
  const types = await sql<{ oid: number; typarray: number }[]>`
    SELECT oid, typarray FROM pg_catalog.pg_type WHERE typname = 'objectid' AND typtype IN ('b', 'd')`;
  if (!types.length) {
    throw new Error('the type objectid does not exist: run CREATE EXTENSION objectid before register()');
  }
  for (const { oid, typarray } of types) {
    Object.assign(sql.options.parsers, { [oid]: parse, [typarray]: parseArray });
    Object.assign(sql.options.serializers, { [typarray]: writeArray });
  }
  return sql as any;
}
