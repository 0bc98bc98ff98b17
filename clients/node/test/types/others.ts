// The types of the other adapters, and Kysely; see clients/t/node.pl.
import { Kysely, PostgresDialect, sql, type Generated } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import pg from 'pg';
import { ObjectId, register } from 'pg-objectid/node-postgres';
import { register as registerAll } from 'pg-objectid/postgres.js';
import postgres from 'postgres';
import type { Same } from './same.js';

interface Database {
  event: { id: Generated<ObjectId>; what: string | null };
}

export async function kysely() {
  const types = new pg.TypeOverrides();
  const pool = new pg.Pool({ types });
  await register(pool, types);
  await register(new pg.Client());
  // @ts-expect-error: the types of a pool are an argument
  await register(pool);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const date = sql<ObjectId>`${new Date('2025-01-01')}::timestamptz`;
  const since = await db.selectFrom('event').selectAll().where('id', '>', date).execute();
  const key: Same<(typeof since)[0]['id'], ObjectId> = true;
  const digits = db.selectFrom('event').select(sql<string>`id::text`.as('id'));
  const [{ ids }] = await db.selectFrom('event').select(jsonArrayFrom(digits).as('ids')).execute();
  const string: Same<(typeof ids)[0]['id'], string> = true;
  return key && string;
}

export async function postgresJs(id: ObjectId) {
  const sql = await registerAll(postgres({ types: { bigint: postgres.BigInt } }));
  await sql`SELECT ${id}, ${[id]}::objectid[], ${1n}`;
  // @ts-expect-error: without the adapter an ObjectId is not a parameter
  await postgres()`SELECT ${id}`;
}
