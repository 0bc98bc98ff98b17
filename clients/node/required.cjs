// The adapters as CommonJS: each reads an id as an ObjectId of the bson that require() loads,
// and finds the row by it; see t/client_node_modules.pl.
const { ObjectId } = require('bson');
const { eq, sql: drizzleSql } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/node-postgres');
const { pgTable } = require('drizzle-orm/pg-core');
const pg = require('pg');
const postgres = require('postgres');
const { DataSource, EntitySchema } = require('typeorm');
const { objectid } = require('./drizzle/objectid.cjs');
const { register } = require('./node-postgres/objectid.cjs');
const { withObjectId } = require('./postgres.js/objectid.cjs');
const { objectids } = require('./prisma/objectid.cjs');
const typeorm = require('./typeorm/objectid.cjs');

const same = (how, id, found) => console.log(`${id instanceof ObjectId && id.equals(found) ? 'ok' : 'not ok'} - ${how}`);

(async () => {
  const pool = new pg.Pool({ onConnect: (client) => register(client) });
  const { rows: [{ id }] } = await pool.query('SELECT id FROM event');
  same('node-postgres', id, (await pool.query('SELECT id FROM event WHERE id = $1', [id])).rows[0].id);

  const sql = postgres(await withObjectId());
  const [row] = await sql`SELECT id FROM event`;
  same('postgres.js', row.id, (await sql`SELECT id FROM event WHERE id = ${row.id}`)[0].id);
  await sql.end();

  const db = drizzle(pool);
  const event = pgTable('event', { id: objectid().primaryKey().default(drizzleSql`gen_objectid()`) });
  const [drizzled] = await db.select().from(event);
  same('drizzle', drizzled.id, (await db.select().from(event).where(eq(event.id, drizzled.id)))[0].id);
  await pool.end();

  const Event = new EntitySchema({ name: 'event', columns: { id: { ...typeorm.objectid, primary: true } } });
  const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env;
  const dataSource = typeorm.register(new DataSource({ type: 'postgres', host, port, username, database, entities: [Event] }));
  const { manager } = await dataSource.initialize();
  const [entity] = await manager.find(Event);
  same('typeorm', entity.id, (await manager.findOneByOrFail(Event, { id: entity.id })).id);
  await dataSource.destroy();

  // needs no generated client
  const { id: field } = objectids({ event: ['id'] }).result.event;
  same('prisma', field.compute({ id: id.toHexString() }), id);
})();
