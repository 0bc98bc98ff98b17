import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ObjectId } from 'bson';
import { objectid, objectids, register } from 'pg-objectid/typeorm';
import { DataSource, EntitySchema, Equal, In, Raw } from 'typeorm';
import { check, checkRelation, checks, equal, fails } from '../checks.js';

const entity = (name, columns, relations) => new EntitySchema({ name, columns, relations });
const key = { ...objectid, primary: true, default: () => 'gen_objectid()' };
const Event = entity('event', { id: key, what: { type: 'text', nullable: true } });
const Made = entity('made', { how: { type: 'text', primary: true }, id: { ...objectid, primary: true }, hex: { type: 'text' } });
const List = entity('list', { n: { type: 'integer', primary: true }, ids: { ...objectids, nullable: true } });
const Dated = entity('dated', { n: { type: 'integer' }, id: { ...objectid, primary: true } });
// the column of a foreign key beside its relation; the key has MongoDB's name
const Post = entity('post',
  { _id: key, parentId: { ...objectid, nullable: true }, likes: { ...objectids, default: '{}' } },
  { parent: { type: 'many-to-one', target: 'post', joinColumn: { name: 'parentId' } } });
const options = { type: 'postgres', entities: [Event, Made, List, Dated] };
const dataSource = register(new DataSource(options));

// the example of README.md
await dataSource.initialize();
const { manager } = dataSource;
const { id } = await manager.save(Event, { what: 'log in' });
const since = Raw((column) => `${column} > :date::timestamptz`, { date: new Date('2025-01-01') });
const later = await manager.findBy(Event, { id: since });

await checks(14, {
  example: later.length === 1 && later[0].id === id,
  strings: true,
  insert: (rows) => manager.insert(Made, rows),
  made: async () => (await manager.find(Made, { order: { id: 'ASC' } })).map((row) => row.id),
  count: (operator, value) => manager.countBy(Made, { id: { '=': Equal, in: In }[operator](value) }),
  later: (date) => manager.find(Dated,
    { where: { id: Raw((column) => `${column} > :date::timestamptz`, { date }) }, order: { n: 'ASC' } }),
  lists: async (rows) => {
    await manager.insert(List, rows);
    return (await manager.find(List, { order: { n: 'ASC' } })).map((row) => row.ids);
  },
});
const parseId = (text) => (/^[0-9a-f]{24}$/i.test(text) ? text.toLowerCase() : undefined); // not found: 404
check(parseId(id.toUpperCase()) === id && parseId('zzz') === undefined, 'ids from outside');
await dataSource.destroy();

// NestJS, as README.md says; Node.js 18 has no global crypto
globalThis.crypto ??= webcrypto;
const start = (typeorm) =>
  NestFactory.createApplicationContext({ module: class {}, imports: [typeorm] }, { logger: false, abortOnError: false });
check(await fails(start(TypeOrmModule.forRoot({ ...options, retryAttempts: 1 })),
  (error) => error.name === 'DataTypeNotSupportedError'), 'forRoot() of NestJS refuses the type');
const application = await start(TypeOrmModule.forRootAsync({
  useFactory: () => options,
  dataSourceFactory: async (options) => register(new DataSource(options)).initialize(),
}));
check((await application.get(DataSource).manager.findOneByOrFail(Event, { id })).id === id, 'forRootAsync() of NestJS');
await application.close();

// synchronize() runs the SQL that migration:generate writes
class Objectid1700000000000 {
  up = (runner) => runner.query('CREATE EXTENSION IF NOT EXISTS objectid');
}
const empty = register(new DataSource(
  { ...options, database: 'empty', entities: [Post, List], migrations: [Objectid1700000000000] }));
await empty.initialize();
await empty.runMigrations();
await empty.synchronize();
check((await empty.driver.createSchemaBuilder().log()).upQueries.length === 0, 'nothing is left to generate');
const { _id: post, parentId: none } = await empty.manager.save(Post, {});
const child = await empty.manager.save(Post, { parentId: post });
const { parent } = await empty.manager.findOneOrFail(Post, { where: { parentId: post }, relations: { parent: true } });
checkRelation(post, child.parentId === post && parent._id, none);
const { _id: lost } = await empty.manager.save(Post, { parentId: new ObjectId(post) });
check((await empty.manager.findOneBy(Post, { _id: lost })).parentId === null, 'an ObjectId becomes NULL');

// what RETURNING returns of an array
const [a, b] = [1, 2].map(() => new ObjectId().toHexString());
const posts = [{}, {}, {}, { _id: a, likes: [b, null] }];
await empty.manager.save(Post, posts[0]);
await empty.manager.insert(Post, posts[1]);
await empty.manager.upsert(Post, posts[2], ['_id']);
const { generatedMaps } = await empty.manager.createQueryBuilder().insert().into(Post).values(posts[3])
  .orUpdate(['likes'], ['_id']).returning(['likes']).execute();
await empty.query('UPDATE post SET likes[0] = _id WHERE _id = $1', [a]);
const { likes: bounds } = await empty.manager.findOneBy(Post, { _id: a });
check(equal([...posts, ...generatedMaps, { likes: bounds }].map(({ likes }) => likes),
  [[], [], [], [b, null], [b, null], [a, b, null]]), 'arrays of save(), insert(), upsert() and returning(), and with bounds');

await empty.destroy();
