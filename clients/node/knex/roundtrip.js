// See t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import knex from 'knex';
import { check, date, equal, from, idOf, newIds, sameBson } from '../checks.js';
import { register } from '../node-postgres/objectid.mjs';

// no set-up
const plain = knex({ client: 'pg', connection: {} });
const one = new ObjectId();
const { rows: [{ same }] } = await plain.raw('SELECT ?::objectid AS same', [one]);
check(same === one.toHexString(), 'no set-up: ObjectId in, string out');
await plain.destroy();

// the example in docs/clients-javascript.md
const afterCreate = (client, done) => register(client).then(() => done(null, client), done);
const db = knex({ client: 'pg', connection: {}, pool: { afterCreate } });

const [{ id }] = await db('event').insert({ what: 'log in' }).returning('id');
const found = await db('event').where({ id }).first();
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = await db('event').where('id', '>', db.raw('?::timestamptz', [new Date('2025-01-01')]));
assert(since.length === 1);

await db.schema.createTable('post', (table) => table.specificType('id', 'objectid').primary().defaultTo(db.raw('gen_objectid()')));
await db.schema.createTable('remark', (table) => table.specificType('post_id', 'objectid').references('post.id'));
const [post] = await db('post').insert({}).returning('id');
await db('remark').insert([{ post_id: post.id }, { post_id: null }]);
const joined = await db('remark').join('post', 'post.id', 'remark.post_id').select('remark.post_id');
check(equal(joined.map((row) => row.post_id), [post.id]), 'a relation');

check(isDeepStrictEqual(await db('remark').where({ post_id: null }), [{ post_id: null }]), 'text: NULL');

const ids = newIds();
await db('made').insert(ids.map((oid) => ({ how: 'text', id: oid, hex: oid.toHexString() })));
check(equal(await db('made').orderBy('id').pluck('id'), ids), 'text: 1,000 ids come back equal');

const rows = await db('generated');
check(rows.length === 1004 && rows.every((row) => row.id.getTimestamp().getTime() === 1000 * Number(row.seconds)),
  'text: generated ids have the time of objectid_time()');

const number = async (...where) => Number((await db('made').where(...where).count({ n: '*' }))[0].n);
check(await number({ id: ids[500] }) === 1
  && await number('id', '<', ids[500]) === 500
  && await number((made) => made.whereIn('id', ids.slice(0, 10))) === 10, 'text: WHERE with an ObjectId');

check(from(9990, await db('dated').where('id', '>', db.raw('?::timestamptz', [date])).orderBy('n'))
  && from(9989, await db('dated').whereRaw('?::timestamptz <= id', [date]).orderBy('n')), 'text: id > a date');

const stored = await db('document').first();
check(sameBson(stored) && (await db('document').where({ id: idOf(stored) })).length === 1, 'text: BSON');

const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
await db('list').insert(arrays.map((array, n) => ({ n, ids: array })));
const back = await db('list').orderBy('n').pluck('ids');
check(back.length === 4 && arrays.every((array, n) => equal(array, back[n])), 'text: arrays');

await db('made').where({ id: '507f1f77bcf86cd79943901' }).then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);
await db.destroy();
