// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { check, checks, emptyDatabase, plan } from '../checks.js';

plan(9);

// the example of README.md
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { ObjectId, register } from 'pg-objectid/node-postgres';
const types = new pg.TypeOverrides();
const pool = new pg.Pool({ types });
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
await register(pool, types);

const { id } = await db.insertInto('event').values({ what: 'log in' }).returning('id').executeTakeFirstOrThrow();
const found = await db.selectFrom('event').select('id').where('id', '=', id).executeTakeFirstOrThrow();
const since = await db.selectFrom('event').selectAll().where('id', '>', sql`${new Date('2025-01-01')}::timestamptz`).execute();
assert(found.id instanceof ObjectId && found.id.equals(id) && since.length === 1);

await checks({
  insert: (rows) => db.insertInto('made').values(rows).execute(),
  made: async () => (await db.selectFrom('made').select('id').orderBy('id').execute()).map((row) => row.id),
  nothing: async () => (await sql`SELECT ${null}::objectid AS id`.execute(db)).rows[0].id,
  count: async (operator, value) => (await db.selectFrom('made').select(db.fn.countAll().as('n'))
    .where('id', operator, value).executeTakeFirst()).n,
  later: (date) => db.selectFrom('dated').select('n').where('id', '>', sql`${date}::timestamptz`).orderBy('n').execute(),
  lists: async (rows) => {
    await db.insertInto('list').values(rows).execute();
    return (await db.selectFrom('list').select('ids').orderBy('n').execute()).map((row) => row.ids);
  },
});
const { events } = await db.selectFrom('event').select((eb) => eb.fn.jsonAgg('event').as('events')).executeTakeFirst();
check(events[0].id === id.toHexString(), 'json_agg: strings');
await db.destroy();

const own = new pg.TypeOverrides();
const emptyPool = new pg.Pool({ database: 'empty', types: own });
const empty = new Kysely({ dialect: new PostgresDialect({ pool: emptyPool }) });
const up = async (of) => {
  await sql`CREATE EXTENSION IF NOT EXISTS objectid`.execute(of);
  await of.schema.createTable('post').addColumn('id', sql`objectid`, (column) => column.defaultTo(sql`gen_objectid()`)).execute();
};
const down = (of) => sql`DROP TABLE post; DROP EXTENSION objectid`.execute(of);
// newer versions have a module of their own for it
const { Migrator } = await import('kysely/migration').catch(() => import('kysely'));
const migrator = new Migrator({ db: empty, provider: { getMigrations: async () => ({ post: { up, down } }) } });
const succeeds = ({ error }) => assert.ifError(error);
await emptyDatabase({
  migrate: async () => {
    succeeds(await migrator.migrateToLatest());
    await register(emptyPool, own);
  },
  use: async () => (await empty.insertInto('post').defaultValues().returning('id').executeTakeFirst()).id,
  revert: async () => succeeds(await migrator.migrateDown()),
});
await empty.destroy();
