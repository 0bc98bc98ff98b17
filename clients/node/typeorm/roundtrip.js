// See t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import { DataSource, EntitySchema, In, IsNull, LessThan, MoreThan, Raw, Table } from 'typeorm';
import { check, date, equal, from, idOf, newIds, sameBson } from '../checks.js';
import { register as registerClient } from '../node-postgres/objectid.mjs';
import { objectid, objectids, register } from './objectid.mjs';

const key = { ...objectid, primary: true, default: () => 'gen_objectid()' };

// existing tables
const there = (name, columns) => new EntitySchema({ name, synchronize: false, columns });
const Event = there('event', { id: key, what: { type: 'text', nullable: true } });
const Made = there('made', { how: { type: 'text', primary: true }, id: { ...objectid, primary: true }, hex: { type: 'text' } });
const Generated = there('generated', { id: { ...objectid, primary: true }, seconds: { type: 'bigint' } });
const List = there('list', { n: { type: 'integer', primary: true }, ids: { ...objectids, nullable: true } });
const Dated = there('dated', { n: { type: 'integer' }, id: { ...objectid, primary: true } });
const Document = there('document', { id: { ...objectid, primary: true }, bson: { type: 'bytea' } });

// tables that a migration creates
const Post = new EntitySchema({
  name: 'post',
  columns: { id: key, title: { type: 'text' } },
  relations: { remarks: { type: 'one-to-many', target: 'remark', inverseSide: 'post', cascade: true } },
});
const Remark = new EntitySchema({
  name: 'remark',
  columns: { id: key, body: { type: 'text' } },
  relations: { post: { type: 'many-to-one', target: 'post', inverseSide: 'remarks', joinColumn: { name: 'post_id' } } },
});

class Posts1700000000000 {
  async up(queryRunner) {
    const id = { name: 'id', type: 'objectid', isPrimary: true, default: 'gen_objectid()' };
    await queryRunner.createTable(new Table({ name: 'post', columns: [id, { name: 'title', type: 'text' }] }));
    await queryRunner.createTable(new Table({
      name: 'remark',
      columns: [id, { name: 'body', type: 'text' }, { name: 'post_id', type: 'objectid', isNullable: true }],
      foreignKeys: [{ columnNames: ['post_id'], referencedTableName: 'post', referencedColumnNames: ['id'] }],
    }));
  }

  async down(queryRunner) {
    await queryRunner.dropTable('remark');
    await queryRunner.dropTable('post');
  }
}

const options = {
  type: 'postgres',
  host: process.env.PGHOST,
  port: Number(process.env.PGPORT),
  username: process.env.PGUSER,
  database: process.env.PGDATABASE,
  entities: [Event, Made, Generated, List, Dated, Document, Post, Remark],
  migrations: [Posts1700000000000],
};
await new DataSource(options).initialize().then(
  () => check(false, 'without register(), TypeORM refuses the type'),
  (error) => check(error.name === 'DataTypeNotSupportedError', 'without register(), TypeORM refuses the type'),
);

const dataSource = register(new DataSource(options));
await dataSource.initialize();
const { manager } = dataSource;

// the SQL with which TypeORM would change the tables to match the entities; migration:generate writes it
const toDo = async () => (await dataSource.driver.createSchemaBuilder().log()).upQueries.map(({ query }) => query);
const before = await toDo();
await dataSource.runMigrations();
await dataSource.undoLastMigration();
await dataSource.runMigrations();
const after = await toDo();
check(before.some((query) => query.includes('CREATE TABLE "remark" ("id" objectid NOT NULL DEFAULT gen_objectid(), ') && query.includes('"post_id" objectid'))
  && isDeepStrictEqual(after, []), 'a migration');

// the example in docs/clients-javascript.md
const { id } = await manager.save(Event, { what: 'log in' });
const found = await manager.findOneByOrFail(Event, { id });
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = { date: new Date('2025-01-01') };
const later = await manager.findBy(Event, { id: Raw((column) => `${column} > :date::timestamptz`, since) });
assert(later.length === 1);

const news = await manager.save(Post, { title: 'news', remarks: [{ body: 'first' }, { body: 'second' }] });
const orphan = await manager.save(Remark, { id: new ObjectId(), body: 'of none' });
const withRemarks = await manager.findOne(Post, { where: { id: news.id }, relations: { remarks: true }, order: { remarks: { body: 'ASC' } } });
const ofNews = await manager.find(Remark, { where: { post: { id: news.id } }, relations: { post: true } });
check(isDeepStrictEqual(withRemarks.remarks.map((remark) => remark.body), ['first', 'second'])
  && equal(withRemarks.remarks.map((remark) => remark.id), news.remarks.map((remark) => remark.id))
  && ofNews.length === 2 && ofNews.every((remark) => remark.post.id.equals(news.id)), 'a relation');

const ofNone = await manager.find(Remark, { where: { post: IsNull() }, relations: { post: true } });
check(ofNone.length === 1 && ofNone[0].post === null && ofNone[0].id.equals(orphan.id), 'text: NULL');

const ids = newIds();
await manager.insert(Made, ids.map((oid) => ({ how: 'text', id: oid, hex: oid.toHexString() })));
check(equal((await manager.find(Made, { order: { id: 'ASC' } })).map((row) => row.id), ids), 'text: 1,000 ids come back equal');

const rows = await manager.find(Generated);
check(rows.length === 1004 && rows.every((row) => row.id.getTimestamp().getTime() === 1000 * Number(row.seconds)),
  'text: generated ids have the time of objectid_time()');

check((await manager.findOneBy(Made, { id: ids[500] })).hex === ids[500].toHexString()
  && await manager.countBy(Made, { id: LessThan(ids[500]) }) === 500
  && await manager.countBy(Made, { id: In(ids.slice(0, 10)) }) === 10, 'text: WHERE with an ObjectId');

const than = async (condition) => manager.find(Dated, { where: { id: Raw(condition, { date }) }, order: { n: 'ASC' } });
check(from(9990, await than((column) => `${column} > :date::timestamptz`))
  && from(9989, await than((column) => `:date::timestamptz <= ${column}`)), 'text: id > a date');
await manager.findBy(Dated, { id: MoreThan(date) }).then(
  () => check(false, 'the error of an operator with a Date says what to write'),
  (error) => check(error.message.includes('use Raw('), 'the error of an operator with a Date says what to write'),
);

const [stored] = await manager.find(Document);
check(sameBson(stored) && await manager.countBy(Document, { id: idOf(stored) }) === 1, 'text: BSON');

const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
await manager.insert(List, arrays.map((array, n) => ({ n, ids: array })));
const back = await manager.find(List, { order: { n: 'ASC' } });
check(back.length === 4 && arrays.every((array, n) => equal(array, back[n].ids)), 'text: arrays');

await manager.findOneBy(Made, { id: 5 }).then(
  () => check(false, 'invalid values are rejected'),
  () => check(true, 'invalid values are rejected'),
);

await dataSource.query('SELECT $1::objectid', ['507f1f77bcf86cd79943901']).then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.driverError.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);
await dataSource.destroy();

// a pool that returns ObjectIds
const registered = register(new DataSource({ ...options, extra: { onConnect: (client) => registerClient(client) } }));
await registered.initialize();
check((await registered.query('SELECT id FROM event'))[0].id instanceof ObjectId
  && (await registered.manager.findOneByOrFail(Event, { id })).id.equals(id)
  && equal((await registered.manager.findOneByOrFail(List, { n: 1 })).ids, arrays[1]), 'a driver that returns ObjectIds');
await registered.destroy();
