// See t/ClientTest.pm.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { register } from 'pg-objectid/node-postgres';
import { check, checks, emptyDatabase, equal } from '../checks.js';

// no set-up
const plain = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
const one = new ObjectId();
const { rows: [{ same }] } = await sql`SELECT ${one}::objectid AS same`.execute(plain);
check(same === one.toHexString(), 'no set-up: ObjectId in, string out');
await plain.destroy();

// the example in docs/clients-javascript.md
const dialect = new PostgresDialect({ pool: new pg.Pool({ onConnect: register }) });

const db = new Kysely({ dialect });

const { id } = await db.insertInto('event').values({ what: 'log in' }).returning('id').executeTakeFirstOrThrow();
const found = await db.selectFrom('event').select('id').where('id', '=', id).executeTakeFirstOrThrow();
assert(found.id instanceof ObjectId && found.id.equals(id));

const createPost = (of) => of.schema.createTable('post')
  .addColumn('id', sql`objectid`, (column) => column.primaryKey().defaultTo(sql`gen_objectid()`)).execute();
const insertPost = (of) => of.insertInto('post').defaultValues().returning('id').executeTakeFirstOrThrow();
await createPost(db);
await db.schema.createTable('remark').addColumn('post_id', sql`objectid`, (column) => column.references('post.id')).execute();
const post = await insertPost(db);
await db.insertInto('remark').values([{ post_id: post.id }, { post_id: null }]).execute();
const joined = await db.selectFrom('remark').innerJoin('post', 'post.id', 'remark.post_id').select('remark.post_id').execute();
check(equal(joined.map((row) => row.post_id), [post.id]), 'a relation');

await checks('text', {
  insert: (rows) => db.insertInto('made').values(rows).execute(),
  made: async () => (await db.selectFrom('made').select('id').orderBy('id').execute()).map((row) => row.id),
  nothing: async () => (await db.selectFrom('remark').selectAll().where('post_id', 'is', null).executeTakeFirst()).post_id,
  count: async (operator, value) => (await db.selectFrom('made').select(db.fn.countAll().as('n'))
    .where('id', operator, value).executeTakeFirst()).n,
  later: (date) => db.selectFrom('dated').select('n').where('id', '>', sql`${date}::timestamptz`).orderBy('n').execute(),
  lists: async (rows) => {
    await db.insertInto('list').values(rows).execute();
    return (await db.selectFrom('list').select('ids').orderBy('n').execute()).map((row) => row.ids);
  },
});
await db.destroy();

const empty = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ database: 'empty', onConnect: register }) }) });
const up = async (of) => {
  await sql`CREATE EXTENSION IF NOT EXISTS objectid`.execute(of);
  await createPost(of);
};
const down = async (of) => {
  await of.schema.dropTable('post').execute();
  await sql`DROP EXTENSION objectid`.execute(of);
};
// newer versions have a module of their own for it
const { Migrator } = await import('kysely/migration').catch(() => import('kysely'));
const migrator = new Migrator({ db: empty, provider: { getMigrations: async () => ({ post: { up, down } }) } });
const succeeds = ({ error }) => assert.ifError(error);
await emptyDatabase({
  migrate: async () => succeeds(await migrator.migrateToLatest()),
  use: async () => (await insertPost(empty)).id,
  revert: async () => succeeds(await migrator.migrateDown()),
});
await empty.destroy();
