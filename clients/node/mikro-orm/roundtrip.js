// See t/ClientTest.pm.
import assert from 'node:assert';
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
const orm = await connect({ dbName, entities: [Event, Made, Dated] });

const em = orm.em.fork();
const event = em.create(Event, { what: 'log in' });
await em.flush();
const found = await em.findOneOrFail(Event, event.id);
assert(ObjectId.isValid(event.id) && found === event);

{
  const date = raw('?::timestamptz', [new Date('2025-01-01')]);
  const since = await em.find(Event, { id: { $gt: date } });
  assert(since.length === 1);
}

await checks('text', {
  strings: true,
  insert: (rows) => em.insertMany(Made, rows),
  made: async () => (await em.find(Made, {}, { orderBy: { id: 'asc' } })).map((row) => row.id),
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
    check(await empty.schema.getUpdateSchemaSQL() === '', 'a migration');
  },
  use: async () => {
    const fork = empty.em.fork();
    const post = fork.create(Post, { remarks: [{}] });
    fork.create(Remark, {});
    await fork.flush();
    fork.clear();
    const { remarks } = await fork.findOneOrFail(Post, post.id, { populate: ['remarks'] });
    return [post.id, remarks[0].post.id, (await fork.findOneOrFail(Remark, { post: null })).post];
  },
  revert: () => empty.schema.execute('DROP TABLE remark; DROP TABLE post; DROP EXTENSION objectid'),
});
await empty.close();
