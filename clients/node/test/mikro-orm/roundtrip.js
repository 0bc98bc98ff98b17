import { Migration, Migrator } from '@mikro-orm/migrations';
import { check, checkExample, equal } from '../checks.js';

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
const ids = { type: 'string[]', columnType: 'objectid[]', nullable: true };
const List = entity('List', { n: { type: 'integer', primary: true }, ids });
const Dated = entity('Dated', { n: { type: 'integer' }, id: key });
const Post = entity('Post', {
  id: key,
  parent: { kind: 'm:1', entity: 'Post', nullable: true },
  children: { kind: '1:m', entity: 'Post', mappedBy: 'parent' },
  likes: { type: 'string[]', columnType: 'objectid[]', default: [] },
});
orm.discoverEntity([List, Dated]);
const { id } = event;
await checkExample(4, typeof id === 'string' && await em.count(Event, { id: [id] }) === 1 && since[0] === event, (date) =>
  em.find(Dated, { id: { $gt: raw('?::timestamptz', [date]) } }, { orderBy: { n: 'asc' } }));
const arrays = [[id, id], [id, null], [], null];
await em.insertMany(List, arrays.map((ids, n) => ({ n, ids })));
const lists = await em.fork().find(List, {}, { orderBy: { n: 'asc' } });
check(equal(lists.map((row) => row.ids), arrays), 'arrays');
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
