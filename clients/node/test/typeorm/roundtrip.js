// See clients/t/ClientTest.pm.
import 'reflect-metadata';
import assert from 'node:assert';
import { webcrypto } from 'node:crypto';
import { ClassSerializerInterceptor } from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ObjectId } from 'bson';
import { Transform } from 'class-transformer';
import { register as registerClient } from 'pg-objectid/node-postgres';
import { objectid, objectids, register } from 'pg-objectid/typeorm';
import { DataSource, EntitySchema, Equal, In, IsNull, MoreThan, Raw } from 'typeorm';
import { check, checks, emptyDatabase, equal, fails, plan } from '../checks.js';

plan(31);

const key = { ...objectid, primary: true, default: () => 'gen_objectid()' };

// existing tables
const there = (name, columns) => new EntitySchema({ name, synchronize: false, columns });
const Event = there('event', { id: key, what: { type: 'text', nullable: true } });
const Made = there('made', { how: { type: 'text', primary: true }, id: { ...objectid, primary: true }, hex: { type: 'text' } });
const List = there('list', { n: { type: 'integer', primary: true }, ids: { ...objectids, nullable: true } });
const Dated = there('dated', { n: { type: 'integer' }, id: { ...objectid, primary: true } });

// tables of a migration
const Post = new EntitySchema({
  name: 'post',
  columns: { id: key },
  relations: { remarks: { type: 'one-to-many', target: 'remark', inverseSide: 'post', cascade: true } },
});
const Remark = new EntitySchema({
  name: 'remark',
  columns: { id: key },
  relations: { post: { type: 'many-to-one', target: 'post', inverseSide: 'remarks', joinColumn: { name: 'post_id' } } },
});

const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env;
const options = { type: 'postgres', host, port: Number(port), username, database, entities: [Event, Made, List, Dated] };
check(await fails(new DataSource(options).initialize(), (error) => error.name === 'DataTypeNotSupportedError'),
  'without register(), TypeORM refuses the type');

const dataSource = register(new DataSource(options));

// the example in docs/clients-javascript.md
await dataSource.initialize();
const { manager } = dataSource;
const { id } = await manager.save(Event, { what: 'log in' });
const found = await manager.findOneByOrFail(Event, { id });
const since = Raw((column) => `${column} > :date::timestamptz`, { date: new Date('2025-01-01') });
const later = await manager.findBy(Event, { id: since });
await manager.update(Event, { id }, { what: 'log out' });
assert(found.id instanceof ObjectId && found.id.equals(id) && later.length === 1);

await checks('text', {
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
check(await fails(manager.findBy(Dated, { id: MoreThan(new Date()) }), (error) => error.message.includes('use Raw(')),
  'the error of an operator with a Date says what to write');
check(await fails(manager.findOneBy(Made, { id: 5 })), 'invalid values are rejected');

// find() accepts a string, but save() finds the row only by an ObjectId
check((await manager.findOneBy(Event, { id: id.toHexString() })).id.equals(id)
  && await fails(manager.save(Event, { id: id.toHexString(), what: 'again' }), (error) => error.code === '23505')
  && (await manager.save(Event, { id, what: 'again' })).what === 'again', 'save() with a string inserts');

const [kept, gone] = [new ObjectId(), new ObjectId()];
await manager.insert(Event, [{ id: kept }, { id: gone }]);
const refused = (error) => error.message.startsWith('Property "') && error.message.includes('was not found');
check((await manager.update(Event, { id: kept }, { what: 'kept' })).affected === 1
  && (await manager.delete(Event, { id: gone })).affected === 1
  && await fails(manager.update(Event, kept, { what: 'all' }), refused) && await fails(manager.delete(Event, kept), refused)
  && (await manager.delete(Event, [kept.toHexString()])).affected === 1
  && (await manager.findBy(Event, {})).length === 1, 'update() and delete() take { id }, not an ObjectId');
const { generatedMaps: [generated], identifiers: [made] } = await manager.insert(Event, { what: 'generated' });
const { generatedMaps: [replaced] } = await manager.upsert(Event, made, ['id']);
check([generated, made, replaced].every((map) => map.id instanceof ObjectId && map.id.equals(generated.id)),
  'insert() and upsert() return ObjectIds');
const byIds = async (given) => manager.createQueryBuilder(Event, 'event').whereInIds(given).getMany();
check((await byIds([made, { id }])).length === 2 && await fails(byIds([id]), refused)
  && await fails(manager.preload(Event, made), refused), 'whereInIds() takes { id }; preload() takes no ObjectId');
const merged = manager.merge(Event, await manager.findOneByOrFail(Event, made), { what: 'merged' });
check((await manager.save(Event, merged)).id.equals(made.id) && await manager.countBy(Event, { what: 'merged' }) === 1,
  'merge() instead of preload()');
await manager.delete(Event, made);
await dataSource.destroy();

// NestJS, as docs/clients-javascript.md says; Node.js 18 has no global crypto
globalThis.crypto ??= webcrypto;
const start = (typeorm) =>
  NestFactory.createApplicationContext({ module: class {}, imports: [typeorm] }, { logger: false, abortOnError: false });
check(await fails(start(TypeOrmModule.forRoot({ ...options, retryAttempts: 1 })),
  (error) => error.name === 'DataTypeNotSupportedError'), 'forRoot() of NestJS refuses the type');
const application = await start(TypeOrmModule.forRootAsync({
  useFactory: () => options,
  dataSourceFactory: async (options) => register(new DataSource(options)).initialize(),
}));
check((await application.get(DataSource).manager.findOneByOrFail(Event, { id })).id.equals(id), 'forRootAsync() of NestJS');
await application.close();

class Answer {
  constructor(id) {
    this.id = id;
  }
}
const answer = (id) => JSON.stringify(new ClassSerializerInterceptor(new Reflector(), {}).serialize(new Answer(id), {}));
const fields = answer(id);
Transform(({ value }) => value && value.toString(), { toPlainOnly: true })(Answer.prototype, 'id');
check(!(structuredClone(id) instanceof ObjectId), 'structuredClone() loses the class');
check(!fields.includes(id) && answer(id) === `{"id":"${id}"}` && answer(null) === '{"id":null}', 'class-transformer');

// a pool that returns ObjectIds
const registered = register(new DataSource({ ...options, extra: { onConnect: registerClient } }));
await registered.initialize();
check((await registered.query('SELECT id FROM event'))[0].id instanceof ObjectId
  && (await registered.manager.findOneByOrFail(Event, { id })).id.equals(id)
  && equal((await registered.manager.findOneByOrFail(List, { n: 1 })).ids.slice(1), [null]), 'a driver that returns ObjectIds');
await registered.destroy();

// the first migration; its SQL is what migration:generate writes, after which nothing is left to generate
const toDo = async () => (await empty.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
const create = /^CREATE TABLE "remark" \("id" objectid NOT NULL DEFAULT gen_objectid\(\), .*"post_id" objectid/;
class Posts1700000000000 {
  async up(queryRunner) {
    const generated = await toDo();
    for (const query of ['CREATE EXTENSION IF NOT EXISTS objectid', ...generated]) {
      await queryRunner.query(query);
    }
    check(generated.some((query) => create.test(query)), 'a migration');
  }

  async down(queryRunner) {
    await queryRunner.query('DROP TABLE remark, post; DROP EXTENSION objectid');
  }
}

const empty = register(new DataSource(
  { ...options, database: 'empty', entities: [Post, Remark], migrations: [Posts1700000000000] }));
await empty.initialize();
await emptyDatabase({
  migrate: async () => {
    await empty.runMigrations();
    check((await toDo()).length === 0, 'a migration');
  },
  use: async () => {
    const { id: post } = await empty.manager.save(Post, { remarks: [{}] });
    const { id: free } = await empty.manager.save(Remark, { id: new ObjectId() });
    const ofRemark = () => empty.manager.createQueryBuilder().relation(Remark, 'post');
    await ofRemark().of({ id: free }).set({ id: post });
    const referring = await empty.manager.countBy(Remark, { post: { id: post } });
    await ofRemark().of({ id: free }).set(null);
    check(referring === 2 && await fails(ofRemark().of(free).set({ id: post })), 'relation().of() takes { id }, not an ObjectId');
    const { remarks: [{ id: first }] } = await empty.manager.findOne(Post, { where: { id: post }, relations: { remarks: true } });
    const ofPost = await empty.manager.findOne(Remark, { where: { id: first, post: { id: post } }, relations: { post: true } });
    const ofNone = await empty.manager.findOne(Remark, { where: { post: IsNull() }, relations: { post: true } });
    return [post, ofPost.post.id, ofNone.post];
  },
  revert: () => empty.undoLastMigration(),
});
await empty.destroy();
