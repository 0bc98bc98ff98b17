// See t/ClientTest.pm.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import knex from 'knex';
import { register } from 'pg-objectid/node-postgres';
import { check, checks, emptyDatabase, equal } from '../checks.js';

// no set-up
const plain = knex({ client: 'pg', connection: {} });
const one = new ObjectId();
const { rows: [{ same }] } = await plain.raw('SELECT ?::objectid AS same', [one]);
check(same === one.toHexString(), 'no set-up: ObjectId in, string out');
await plain.destroy();

// the example in docs/clients-javascript.md
const afterCreate = (client, done) => {
  register(client).then(() => done(null, client), done);
};
const db = knex({ client: 'pg', connection: {}, pool: { afterCreate } });

const [{ id }] = await db('event').insert({ what: 'log in' }).returning('id');
const found = await db('event').where({ id }).first();
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = await db('event').where('id', '>', db.raw('?::timestamptz', [new Date('2025-01-01')]));
assert(since.length === 1);

const createPost = (table) => table.specificType('id', 'objectid').primary().defaultTo(db.raw('gen_objectid()'));
await db.schema.createTable('post', createPost);
await db.schema.createTable('remark', (table) => table.specificType('post_id', 'objectid').references('post.id'));
const [post] = await db('post').insert({}).returning('id');
await db('remark').insert([{ post_id: post.id }, { post_id: null }]);
const joined = await db('remark').join('post', 'post.id', 'remark.post_id').select('remark.post_id');
check(equal(joined.map((row) => row.post_id), [post.id]), 'a relation');

await checks('text', {
  insert: (rows) => db('made').insert(rows),
  made: () => db('made').orderBy('id').pluck('id'),
  nothing: async () => (await db('remark').where({ post_id: null }).first()).post_id,
  count: async (operator, value) => (await db('made').where('id', operator, value).count({ n: '*' }))[0].n,
  later: (date) => db('dated').where('id', '>', db.raw('?::timestamptz', [date])).orderBy('n'),
  lists: async (rows) => {
    await db('list').insert(rows);
    return db('list').orderBy('n').pluck('ids');
  },
});
await db.destroy();

const empty = knex({ client: 'pg', connection: { database: 'empty' }, pool: { min: 2, afterCreate } });
const migrationSource = {
  getMigrations: async () => ['post'],
  getMigrationName: (name) => name,
  getMigration: () => ({
    up: async (of) => {
      await of.raw('CREATE EXTENSION IF NOT EXISTS objectid');
      await of.schema.createTable('post', createPost);
    },
    down: async (of) => {
      await of.schema.dropTable('post');
      await of.raw('DROP EXTENSION objectid');
    },
  }),
};
await emptyDatabase({
  migrate: () => empty.migrate.latest({ migrationSource }),
  use: async () => (await empty('post').insert({}).returning('id'))[0].id,
  revert: () => empty.migrate.rollback({ migrationSource }),
});
await empty.destroy();
