// The examples of docs/clients-javascript.md, for tsc; see t/client_node_modules.pl.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { register } from '../node-postgres/objectid.mjs';
import type { Same } from '../types.d.ts';

const dialect = new PostgresDialect({ pool: new pg.Pool({ onConnect: (client) => register(client) }) });

interface Database {
  event: { id: Generated<ObjectId>; what: string | null };
}
const db = new Kysely<Database>({ dialect });

const { id } = await db.insertInto('event').values({ what: 'log in' }).returning('id').executeTakeFirstOrThrow();
const found = await db.selectFrom('event').select('id').where('id', '=', id).executeTakeFirstOrThrow();
assert(found.id instanceof ObjectId && found.id.equals(id));

const date = sql<ObjectId>`${new Date('2025-01-01')}::timestamptz`;
const since = await db.selectFrom('event').selectAll().where('id', '>', date).execute();

const result: Same<(typeof since)[0]['id'], ObjectId> = true;
