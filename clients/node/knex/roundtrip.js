// See t/ClientTest.pm.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import knex from 'knex';
import { register } from 'pg-objectid/node-postgres';
import { check, checks, emptyDatabase } from '../checks.js';

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

await checks('text', {
  insert: (rows) => db('made').insert(rows),
  made: () => db('made').orderBy('id').pluck('id'),
  nothing: async () => (await db.raw('SELECT ?::objectid AS id', [null])).rows[0].id,
  count: async (operator, value) => (await db('made').where('id', operator, value).count({ n: '*' }))[0].n,
  later: (date) => db('dated').where('id', '>', db.raw('?::timestamptz', [date])).orderBy('n'),
  lists: async (rows) => {
    await db('list').insert(rows);
    return db('list').orderBy('n').pluck('ids');
  },
});
await db.destroy();

const empty = knex({ client: 'pg', connection: { database: 'empty' }, pool: { min: 2, afterCreate } });
const up = async (of) => {
  await of.raw('CREATE EXTENSION IF NOT EXISTS objectid');
  await of.schema.createTable('post', (table) => table.specificType('id', 'objectid').defaultTo(of.raw('gen_objectid()')));
};
const down = (of) => of.raw('DROP TABLE post; DROP EXTENSION objectid');
const migrationSource = {
  getMigrations: async () => ['post'],
  getMigrationName: (name) => name,
  getMigration: () => ({ up, down }),
};
await emptyDatabase({
  migrate: () => empty.migrate.latest({ migrationSource }),
  use: async () => (await empty('post').insert({}).returning('id'))[0].id,
  revert: () => empty.migrate.rollback({ migrationSource }),
});
await empty.destroy();
