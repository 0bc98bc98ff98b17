import { Migration, Migrator } from '@mikro-orm/migrations';
import { check, checks } from '../checks.js';

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
const since = await em.find(Event, { id: { $gt: raw('?::timestamptz', [new Date('2025-01-01')]) } });

const entity = (name, properties) => new EntitySchema({ name, properties });
const text = { type: 'text' };
const Made = entity('Made', { how: { ...text, primary: true }, id: { ...key, defaultRaw: undefined }, hex: text });
const ids = { type: 'string[]', columnType: 'objectid[]', nullable: true };
const List = entity('List', { n: { type: 'integer', primary: true }, ids });
const Dated = entity('Dated', { n: { type: 'integer' }, id: key });
const Post = entity('Post', {
  id: key,
  parent: { kind: 'm:1', entity: 'Post', nullable: true },
  children: { kind: '1:m', entity: 'Post', mappedBy: 'parent' },
  likes: { type: 'string[]', columnType: 'objectid[]', default: [] },
});
orm.discoverEntity([Made, List, Dated]);
await checks(8, {
  example: since.length === 1 && since[0] === event,
  strings: true,
  insert: (rows) => em.insertMany(Made, rows),
  made: async () => (await em.find(Made, {}, { orderBy: { id: 'asc' } })).map((row) => row.id),
  count: (operator, value) => em.count(Made, { id: { [{ '=': '$eq', in: '$in' }[operator]]: value } }),
  lists: async (rows) => {
    await em.insertMany(List, rows);
    return (await em.fork().find(List, {}, { orderBy: { n: 'asc' } })).map((row) => row.ids);
  },
  later: (date) => em.find(Dated, { id: { $gt: raw('?::timestamptz', [date]) } }, { orderBy: { n: 'asc' } }),
  nothing: async () => (await em.execute('SELECT ?::objectid AS id', [null]))[0].id,
});
await orm.close();

// migrations: one of your own for the extension, one that is generated
class Extension extends Migration {
  up() { this.addSql('CREATE EXTENSION IF NOT EXISTS objectid'); }
}
const empty = await MikroORM.init({ ...options, dbName: 'empty', entities: [Post], extensions: [Migrator],
  migrations: { emit: 'js', migrationsList: [{ name: 'Extension', class: Extension }] } });
await empty.migrator.up();
const { code, diff } = await empty.migrator.createMigration();
await empty.em.execute(diff.up.join(';'));
check(/"id" objectid not null default gen_objectid\(\), "parent_id" objectid null/.test(code)
  && await empty.schema.getUpdateSchemaSQL() === '', 'a migration');
await empty.close();
