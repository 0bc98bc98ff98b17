import pg from 'pg';
import { ObjectId, register } from 'pg-objectid/node-postgres';
import { check, checkExample, equal } from '../checks.js';

const types = new pg.TypeOverrides();
const pool = new pg.Pool({ types });
await register(pool, types);

// the example of README.md
import { Kysely, PostgresDialect, sql } from 'kysely';
const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
const { id } = await db.insertInto('event').values({ what: 'log in' }).returning('id').executeTakeFirstOrThrow();
const since = await db.selectFrom('event').selectAll().where('id', '>', sql`${new Date('2025-01-01')}::timestamptz`).execute();

const [same] = await db.selectFrom('event').select('id').where('id', 'in', [id]).execute();
await checkExample(4, same.id instanceof ObjectId && equal(since.map((row) => row.id), [id]), (date) =>
  db.selectFrom('dated').select('n').where('id', '>', sql`${date}::timestamptz`).orderBy('n').execute());
await db.schema.createTable('post')
  .addColumn('id', sql`objectid`, (column) => column.defaultTo(sql`gen_objectid()`).primaryKey()).execute();
const { id: news } = await db.insertInto('post').defaultValues().returning('id').executeTakeFirst();
check(news instanceof ObjectId, 'a migration');
const { events } = await db.selectFrom('event').select((eb) => eb.fn.jsonAgg('event').as('events')).executeTakeFirst();
check(events[0].id === id.toHexString(), 'json_agg: strings');
await db.destroy();
