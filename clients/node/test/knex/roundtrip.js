// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { checks, emptyDatabase, plan } from '../checks.js';

plan(8);

// the example of README.md
import knex from 'knex';
import pg from 'pg';
import { ObjectId, register } from 'pg-objectid/node-postgres';
const types = new pg.TypeOverrides();
const db = knex({ client: 'pg', connection: () => ({ types }) });
await register({ query: (text) => db.raw(text) }, types);

const [{ id }] = await db('event').insert({ what: 'log in' }).returning('id');
const found = await db('event').where({ id }).first();
const since = await db('event').where('id', '>', db.raw('?::timestamptz', [new Date('2025-01-01')]));
assert(found.id instanceof ObjectId && found.id.equals(id) && since.length === 1);

await checks({
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

const own = new pg.TypeOverrides();
const empty = knex({ client: 'pg', connection: () => ({ database: 'empty', types: own }), pool: { min: 2 } });
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
  migrate: async () => {
    await empty.migrate.latest({ migrationSource });
    await register({ query: (text) => empty.raw(text) }, own);
  },
  use: async () => {
    const found = await Promise.all([1, 2].map(() => empty('post').insert({}).returning('id')));
    return found.every(([{ id: news }]) => news instanceof ObjectId) && found[0][0].id;
  },
  revert: () => empty.migrate.rollback({ migrationSource }),
});
await empty.destroy();
