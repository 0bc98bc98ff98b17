// See clients/t/ClientTest.pm.
import 'reflect-metadata';
import assert from 'node:assert';
import { webcrypto } from 'node:crypto';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { objectid, objectids, register } from 'pg-objectid/typeorm';
import { DataSource, EntitySchema, Equal, In, Raw } from 'typeorm';
import { check, checks, emptyDatabase, equal, fails, plan } from '../checks.js';

plan(17);

const key = { ...objectid, primary: true, default: () => 'gen_objectid()' };

// existing tables
const there = (name, columns) => new EntitySchema({ name, synchronize: false, columns });
const Event = there('event', { id: key, what: { type: 'text', nullable: true } });
const Made = there('made', { how: { type: 'text', primary: true }, id: { ...objectid, primary: true }, hex: { type: 'text' } });
const List = there('list', { n: { type: 'integer', primary: true }, ids: { ...objectids, nullable: true } });
const Dated = there('dated', { n: { type: 'integer' }, id: { ...objectid, primary: true } });

const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env;
const options = { type: 'postgres', host, port: Number(port), username, database, entities: [Event, Made, List, Dated] };
const dataSource = register(new DataSource(options));

// the example of README.md
await dataSource.initialize();
const { manager } = dataSource;
const { id } = await manager.save(Event, { what: 'log in' });
const found = await manager.findOneByOrFail(Event, { id });
const since = Raw((column) => `${column} > :date::timestamptz`, { date: new Date('2025-01-01') });
const later = await manager.findBy(Event, { id: since });
await manager.update(Event, id, { what: 'log out' });
assert(found.id === id && later.length === 1 && await manager.countBy(Event, { what: 'log out' }) === 1);

await checks({
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
check(parseId(id.toUpperCase()) === id && parseId('zzz') === undefined
  && await fails(manager.save(Event, { id: id.toUpperCase() }), ({ code }) => code === '23505')
  && await manager.preload(Event, { id: id.toUpperCase() }) === undefined, 'save() and preload() take lower-case digits');
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

// tables of a migration: trees, and the column of a foreign key beside its relation; keys have MongoDB's name
const trees = ['closure-table', 'materialized-path', 'nested-set'].map((type) => new EntitySchema({
  name: type.replace('-', '_'),
  trees: [{ type }],
  columns: { _id: key },
  relations: {
    parent: { type: 'many-to-one', target: type.replace('-', '_'), treeParent: true, inverseSide: 'children' },
    children: { type: 'one-to-many', target: type.replace('-', '_'), treeChildren: true, inverseSide: 'parent' },
  },
}));
const Post = new EntitySchema({
  name: 'post',
  columns: { _id: key },
  relations: { remarks: { type: 'one-to-many', target: 'remark', inverseSide: 'post', cascade: true } },
});
const Remark = new EntitySchema({
  name: 'remark',
  columns: { _id: key, n: { type: 'integer', nullable: true }, postId: { ...objectid, nullable: true } },
  relations: { post: { type: 'many-to-one', target: 'post', inverseSide: 'remarks', joinColumn: { name: 'postId' } } },
});

// its SQL is what migration:generate writes, after which nothing is left to generate
const toDo = () => empty.driver.createSchemaBuilder().log();
const run = async (runner, queries) => {
  for (const { query } of queries) await runner.query(query);
};
class Posts1700000000000 {
  async up(runner) {
    const { upQueries, downQueries } = await toDo();
    await runner.query('CREATE EXTENSION IF NOT EXISTS objectid');
    await run(runner, upQueries);
    this.constructor.down = downQueries.reverse();
  }

  async down(runner) {
    await run(runner, this.constructor.down);
    await runner.query('DROP EXTENSION objectid');
  }
}

const empty = register(new DataSource(
  { ...options, database: 'empty', entities: [...trees, Post, Remark], migrations: [Posts1700000000000] }));
await empty.initialize();
await emptyDatabase({
  strings: true,
  migrate: async () => {
    await empty.runMigrations();
    check((await toDo()).upQueries.length === 0, 'nothing is left to generate');
  },
  use: async () => {
    const { manager } = empty;
    const { _id: post, remarks: [{ _id: first }] } = await manager.save(Post, { remarks: [{}] });
    const ids = async (...n) =>
      (await manager.find(Remark, { where: { n: In(n) }, order: { n: 'ASC' } })).map((row) => row.postId);

    // a value of the column; the related entity would do as well
    const saved = await manager.save(Remark, manager.create(Remark, { n: 1, postId: post }));
    await manager.insert(Remark, [{ n: 2, postId: post }, { n: 3 }]);
    await manager.upsert(Remark, { _id: first, n: 4, postId: post }, ['_id']);
    check(saved.postId === post && equal(await ids(1, 2, 3, 4), [post, post, null, post]), 'a foreign key: save, insert, upsert');
    await manager.update(Remark, { n: 3 }, { postId: post });
    const updated = await manager.update(Remark, { n: 3, postId: post }, { n: 5 });
    const removed = await manager.delete(Remark, { n: 2, postId: post });
    check(equal(await ids(5), [post]) && updated.affected === 1 && removed.affected === 1
      && await manager.countBy(Remark, { postId: post }) === 3
      && (await manager.preload(Remark, { _id: first, n: 6 })).postId === post
      && (await manager.createQueryBuilder(Remark, 'remark').whereInIds([first]).getMany()).length === 1,
    'a foreign key: update, delete, where');

    for (const entity of trees) {
      const tree = manager.getTreeRepository(entity);
      const root = await tree.save({});
      const child = await tree.save({ parent: root });
      await tree.save([{ parent: child }, { parent: root }]);
      const shape = ({ children }) => `(${children.map(shape).sort().join('')})`;
      const [[all], below] = [await tree.findTrees(), await tree.findDescendantsTree(await tree.findOneBy({ _id: root._id }))];
      check(shape(all) === '((())())' && shape(below) === shape(all) && await tree.countDescendants(root) === 4,
        `a tree: ${entity.options.trees[0].type}`);
    }

    const { _id: free } = await manager.save(Remark, {});
    const ofRemark = manager.createQueryBuilder().relation(Remark, 'post').of(free);
    await ofRemark.set(post);
    const referring = await manager.countBy(Remark, { post: { _id: post } });
    await ofRemark.set(null);
    const { post: related } = await manager.findOne(Remark, { where: { _id: first }, relations: { post: true } });
    return [post, referring === 4 && related._id, (await manager.findOneBy(Remark, { _id: free })).postId];
  },
  revert: () => empty.undoLastMigration(),
});
await empty.destroy();
