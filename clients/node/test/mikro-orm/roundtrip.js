// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Migrator } from '@mikro-orm/migrations';
import { check, checks, emptyDatabase, plan } from '../checks.js';

plan(8);

const { PGHOST: host, PGPORT: port, PGUSER: user, PGDATABASE: dbName } = process.env;
const options = { host, port: Number(port), user, dbName };

// the example of README.md
import { EntitySchema, MikroORM, raw } from '@mikro-orm/postgresql';
const key = { type: 'string', columnType: 'objectid', primary: true, defaultRaw: 'gen_objectid()' };
const Event = new EntitySchema({ name: 'Event', properties: { id: key, what: { type: 'text', nullable: true } } });

const orm = await MikroORM.init({ ...options, entities: [Event] });
const em = orm.em.fork();
const event = em.create(Event, { what: 'log in' });
await em.flush();
const found = await em.findOneOrFail(Event, event.id);
const since = await em.find(Event, { id: { $gt: raw('?::timestamptz', [new Date('2025-01-01')]) } });
assert(found === event && since.length === 1);
await orm.close();

const there = (name, properties, tableName) => new EntitySchema({ name, properties, tableName });
const text = { type: 'text' };
const Made = there('Made', { how: { ...text, primary: true }, id: { ...key, defaultRaw: undefined }, hex: text });
const Dated = there('Dated', { n: { type: 'integer' }, id: key });
const Post = there('Post', { id: key, remarks: { kind: '1:m', entity: () => Remark, mappedBy: 'post' } });
const Remark = there('Remark', { id: key, post: { kind: 'm:1', entity: () => Post, nullable: true } });

const others = await MikroORM.init({ ...options, entities: [Made, Dated] });
const all = others.em.fork();
await checks({
  strings: true,
  insert: (rows) => all.insertMany(Made, rows),
  made: async () => (await all.find(Made, {}, { orderBy: { id: 'asc' } })).map((row) => row.id),
  count: (operator, value) => all.count(Made, { id: { [{ '=': '$eq', in: '$in' }[operator]]: value } }),
  later: (date) => all.find(Dated, { id: { $gt: raw('?::timestamptz', [date]) } }, { orderBy: { n: 'asc' } }),
});
await others.close();

// migrations: one of your own for the extension, one that is generated
mkdirSync('migrations');
writeFileSync('migrations/package.json', '{}');
writeFileSync('migrations/Migration0.js', `exports.Migration0 = class extends require('@mikro-orm/migrations').Migration {
  up() { this.addSql('CREATE EXTENSION IF NOT EXISTS objectid'); }
  down() { this.addSql('DROP EXTENSION objectid'); }
};`);
const empty = await MikroORM.init({
  ...options, dbName: 'empty', entities: [Post, Remark], extensions: [Migrator], migrations: { path: 'migrations', emit: 'js' },
});
await emptyDatabase({
  strings: true,
  migrate: async () => {
    await empty.migrator.up();
    const generated = await empty.migrator.createMigration();
    await empty.migrator.up();
    check(generated.code.match(/"id" objectid not null default gen_objectid\(\)/g).length === 2
      && /"post_id" objectid/.test(generated.code) && await empty.schema.getUpdateSchemaSQL() === '', 'a migration');
  },
  use: async () => {
    const fork = empty.em.fork();
    const post = fork.create(Post, { remarks: [{}] });
    fork.create(Remark, {});
    await fork.flush();
    fork.clear();
    const { remarks } = await fork.findOneOrFail(Post, post.id, { populate: ['remarks'] });
    const [withPost] = await fork.find(Remark, { post: { $in: [post.id] } }, { populate: ['post'] });
    return [post.id, withPost === remarks[0] && withPost.post.id, (await fork.findOneOrFail(Remark, { post: null })).post];
  },
  revert: () => empty.migrator.down({ to: 0 }),
});
await empty.close();
