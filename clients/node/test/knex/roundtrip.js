import pg from 'pg';
import { ObjectId, register } from 'pg-objectid/node-postgres';
import { check, checkExample, equal } from '../checks.js';

const types = new pg.TypeOverrides();

// the example of README.md
import knex from 'knex';
const db = knex({ client: 'pg', connection: () => ({ types }) });
await register({ query: (text) => db.raw(text) }, types);

const [{ id }] = await db('event').insert({ what: 'log in' }).returning('id');
const since = await db('event').where('id', '>', db.raw('?::timestamptz', [new Date('2025-01-01')]));

const [same] = await db('event').whereIn('id', [id]);
await checkExample(3, same.id instanceof ObjectId && equal(since.map((row) => row.id), [id]), (date) =>
  db('dated').where('id', '>', db.raw('?::timestamptz', [date])).orderBy('n'));
await db.schema.createTable('post', (table) =>
  table.specificType('id', 'objectid').defaultTo(db.raw('gen_objectid()')).primary());
const posts = await Promise.all([1, 2].map(() => db('post').insert({}).returning('id')));
check(posts.every(([post]) => post.id instanceof ObjectId), 'a migration, and two connections');
await db.destroy();
