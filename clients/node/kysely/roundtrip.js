// See t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { check, date, equal, from, idOf, newIds, sameBson } from '../checks.js';
import { register } from '../node-postgres/objectid.mjs';

// no set-up
const plain = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
const one = new ObjectId();
const { rows: [{ same }] } = await sql`SELECT ${one}::objectid AS same`.execute(plain);
check(same === one.toHexString(), 'no set-up: ObjectId in, string out');
await plain.destroy();

// the example in docs/clients-javascript.md
const dialect = new PostgresDialect({ pool: new pg.Pool({ onConnect: (client) => register(client) }) });

const db = new Kysely({ dialect });

const { id } = await db.insertInto('event').values({ what: 'log in' }).returning('id').executeTakeFirstOrThrow();
const found = await db.selectFrom('event').select('id').where('id', '=', id).executeTakeFirstOrThrow();
assert(found.id instanceof ObjectId && found.id.equals(id));

await db.schema.createTable('post').addColumn('id', sql`objectid`, (column) => column.primaryKey().defaultTo(sql`gen_objectid()`)).execute();
await db.schema.createTable('remark').addColumn('post_id', sql`objectid`, (column) => column.references('post.id')).execute();
const post = await db.insertInto('post').defaultValues().returning('id').executeTakeFirstOrThrow();
await db.insertInto('remark').values([{ post_id: post.id }, { post_id: null }]).execute();
const joined = await db.selectFrom('remark').innerJoin('post', 'post.id', 'remark.post_id').select('remark.post_id').execute();
check(equal(joined.map((row) => row.post_id), [post.id]), 'a relation');

const ofNone = await db.selectFrom('remark').selectAll().where('post_id', 'is', null).execute();
check(isDeepStrictEqual(ofNone, [{ post_id: null }]), 'text: NULL');

const ids = newIds();
await db.insertInto('made').values(ids.map((oid) => ({ how: 'text', id: oid, hex: oid.toHexString() }))).execute();
check(equal((await db.selectFrom('made').select('id').orderBy('id').execute()).map((row) => row.id), ids), 'text: 1,000 ids come back equal');

const rows = await db.selectFrom('generated').selectAll().execute();
check(rows.length === 1004 && rows.every((row) => row.id.getTimestamp().getTime() === 1000 * Number(row.seconds)),
  'text: generated ids have the time of objectid_time()');

const number = async (...where) => Number((await db.selectFrom('made').select(db.fn.countAll().as('n')).where(...where).executeTakeFirst()).n);
check(await number('id', '=', ids[500]) === 1
  && await number('id', '<', ids[500]) === 500
  && await number('id', 'in', ids.slice(0, 10)) === 10, 'text: WHERE with an ObjectId');

check(from(9990, await db.selectFrom('dated').select('n').where('id', '>', sql`${date}::timestamptz`).orderBy('n').execute())
  && from(9989, await db.selectFrom('dated').select('n').where(sql`${date}::timestamptz`, '<=', sql.ref('id')).orderBy('n').execute()), 'text: id > a date');

const stored = await db.selectFrom('document').selectAll().executeTakeFirstOrThrow();
check(sameBson(stored) && (await db.selectFrom('document').select('id').where('id', '=', idOf(stored)).execute()).length === 1, 'text: BSON');

const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
await db.insertInto('list').values(arrays.map((array, n) => ({ n, ids: array }))).execute();
const back = await db.selectFrom('list').select('ids').orderBy('n').execute();
check(back.length === 4 && arrays.every((array, n) => equal(array, back[n].ids)), 'text: arrays');

await db.selectFrom('made').selectAll().where('id', '=', '507f1f77bcf86cd79943901').execute().then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);
await db.destroy();
