// See t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql';
import { ObjectId } from 'bson';
import { check, date, digits, from, idOf, newIds, sameBson } from '../checks.js';

// the example in docs/clients-javascript.md
const key = { type: 'string', columnType: 'objectid', primary: true, defaultRaw: 'gen_objectid()' };
const Event = new EntitySchema({ name: 'Event', properties: { id: key, what: { type: 'text', nullable: true } } });

const there = (name, properties) => new EntitySchema({ name, properties });
const Made = there('Made', { how: { type: 'text', primary: true }, id: { ...key, defaultRaw: undefined }, hex: { type: 'text' } });
const Generated = there('Generated', { id: key, seconds: { type: 'bigint' } });
const Dated = there('Dated', { n: { type: 'integer' }, id: key });
const Document = there('Document', { id: key, bson: { type: 'blob' } });
const Post = there('Post', { id: key, remarks: { kind: '1:m', entity: () => Remark, mappedBy: 'post' } });
const Remark = there('Remark', { id: key, post: { kind: 'm:1', entity: () => Post, nullable: true } });

const orm = await MikroORM.init({
  host: process.env.PGHOST,
  port: Number(process.env.PGPORT),
  user: process.env.PGUSER,
  dbName: process.env.PGDATABASE,
  entities: [Event, Made, Generated, Dated, Document, Post, Remark],
});

// the SQL with which MikroORM would change the tables to match the entities
const toDo = async () => (await orm.schema.getUpdateSchemaSQL()).split('\n').filter((line) => /"(event|post|remark)"/.test(line));
await orm.schema.execute((await toDo()).join('\n'));
check(isDeepStrictEqual(await toDo(), []), 'a migration');

const em = orm.em.fork();
const event = em.create(Event, { what: 'log in' });
await em.flush();
const found = await em.findOneOrFail(Event, event.id);
assert(ObjectId.isValid(event.id) && found === event);
assert((await orm.em.fork().findOneOrFail(Event, event.id)).what === 'log in');

{
  const date = raw('?::timestamptz', [new Date('2025-01-01')]);
  const since = await em.find(Event, { id: { $gt: date } });
  assert(since.length === 1);
}

const post = em.create(Post, { remarks: [{}] });
const orphan = em.create(Remark, {});
await em.flush();
const joined = await orm.em.fork().findOneOrFail(Post, post.id, { populate: ['remarks'] });
check(joined.remarks.length === 1 && joined.remarks[0].post.id === post.id, 'a relation');

const ofNone = await orm.em.fork().find(Remark, { post: null });
check(ofNone.length === 1 && ofNone[0].id === orphan.id && ofNone[0].post === null, 'text: NULL');

const ids = newIds();
await em.insertMany(Made, ids.map((oid) => ({ how: 'text', id: oid.toHexString(), hex: oid.toHexString() })));
check(isDeepStrictEqual((await em.find(Made, {}, { orderBy: { id: 'asc' } })).map((row) => row.id), digits(ids)), 'text: 1,000 ids come back equal');

const rows = await em.find(Generated, {});
check(rows.length === 1004 && rows.every((row) => ObjectId.createFromHexString(row.id).getTimestamp().getTime() === 1000 * Number(row.seconds)),
  'text: generated ids have the time of objectid_time()');

check(await em.count(Made, { id: ids[500].toHexString() }) === 1
  && await em.count(Made, { id: { $lt: ids[500].toHexString() } }) === 500
  && await em.count(Made, { id: { $in: digits(ids.slice(0, 10)) } }) === 10, 'text: WHERE with an ObjectId');

const timestamptz = raw('?::timestamptz', [date]);
check(from(9990, await em.find(Dated, { id: { $gt: timestamptz } }, { orderBy: { n: 'asc' } }))
  && from(9989, await em.find(Dated, { [raw('?::timestamptz <= id', [date])]: [] }, { orderBy: { n: 'asc' } })), 'text: id > a date');

const [stored] = await em.find(Document, {});
check(sameBson({ id: ObjectId.createFromHexString(stored.id), bson: stored.bson })
  && await em.count(Document, { id: idOf(stored).toHexString() }) === 1, 'text: BSON');

await em.findOne(Event, '507f1f77bcf86cd79943901').then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);
await orm.close();
