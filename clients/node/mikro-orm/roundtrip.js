// See t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual as same } from 'node:util';
import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql';
import { ObjectId } from 'bson';
import { check, checks, emptyDatabase } from '../checks.js';

// the example in docs/clients-javascript.md
const key = { type: 'string', columnType: 'objectid', primary: true, defaultRaw: 'gen_objectid()' };
const Event = new EntitySchema({ name: 'Event', properties: { id: key, what: { type: 'text', nullable: true } } });

const there = (name, properties) => new EntitySchema({ name, properties });
const Made = there('Made', { how: { type: 'text', primary: true }, id: { ...key, defaultRaw: undefined }, hex: { type: 'text' } });
const Dated = there('Dated', { n: { type: 'integer' }, id: key });
const Post = there('Post', { id: key, remarks: { kind: '1:m', entity: () => Remark, mappedBy: 'post' } });
const Remark = there('Remark', { id: key, post: { kind: 'm:1', entity: () => Post, nullable: true } });

const { PGHOST: host, PGPORT: port, PGUSER: user, PGDATABASE: dbName } = process.env;
const connect = (options) => MikroORM.init({ host, port: Number(port), user, ...options });
const orm = await connect({ dbName, entities: [Event, Made, Dated, Post, Remark] });

// the SQL with which MikroORM would change the tables to match the entities
const toDo = async () => (await orm.schema.getUpdateSchemaSQL()).split('\n').filter((line) => /"(event|post|remark)"/.test(line));
await orm.schema.execute((await toDo()).join('\n'));
check(same(await toDo(), []), 'a migration');

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
em.create(Remark, {});
await em.flush();
const joined = await orm.em.fork().findOneOrFail(Post, post.id, { populate: ['remarks'] });
check(joined.remarks.length === 1 && joined.remarks[0].post.id === post.id, 'a relation');

await checks('text', {
  strings: true,
  insert: (rows) => em.insertMany(Made, rows),
  made: async () => (await em.find(Made, {}, { orderBy: { id: 'asc' } })).map((row) => row.id),
  nothing: async () => (await orm.em.fork().find(Remark, { post: null }))[0].post,
  count: (operator, value) => em.count(Made, { id: { [{ '=': '$eq', in: '$in' }[operator]]: value } }),
  later: (date) => em.find(Dated, { id: { $gt: raw('?::timestamptz', [date]) } }, { orderBy: { n: 'asc' } }),
});
await orm.close();

const empty = await connect({ dbName: 'empty', entities: [Post, Remark] });
await emptyDatabase({
  strings: true,
  migrate: async () => {
    await empty.schema.execute('CREATE EXTENSION objectid');
    await empty.schema.execute(await empty.schema.getUpdateSchemaSQL());
  },
  use: async () => {
    const fork = empty.em.fork();
    fork.create(Post, {});
    await fork.flush();
    return (await empty.em.fork().find(Post, {}))[0].id;
  },
  revert: () => empty.schema.execute('DROP TABLE remark; DROP TABLE post; DROP EXTENSION objectid'),
});
await empty.close();
