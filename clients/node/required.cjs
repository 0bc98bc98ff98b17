// The adapters by require(): each reads an id, and finds the row by an ObjectId of the bson that require() loads; see
// t/client_node_package.pl.
const { deserialize, ObjectId, serialize } = require('bson');
const { eq } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/node-postgres');
const { pgTable } = require('drizzle-orm/pg-core');
const pg = require('pg');
const { objectid } = require('pg-objectid/drizzle');
const { ObjectId: ours, register } = require('pg-objectid/node-postgres');
const postgres = require('pg-objectid/postgres.js');
const { objectids } = require('pg-objectid/prisma');
const typeorm = require('pg-objectid/typeorm');
const { DataSource, EntitySchema } = require('typeorm');

/** @type {(how: string, id: any, found: any) => void} */
const same = (how, id, found) => console.log(`${id instanceof ours && id.equals(found) ? 'ok' : 'not ok'} - ${how}`);

(async () => {
  const pool = new pg.Pool({ onConnect: register });
  const { rows: [{ id }] } = await pool.query('SELECT id FROM event');
  const theirs = new ObjectId(id.toHexString());
  same('node-postgres', id, (await pool.query('SELECT id FROM event WHERE id = $1', [theirs])).rows[0].id);
  same('bson', id, deserialize(serialize({ id })).id);

  const sql = await postgres.register(require('postgres')());
  same('postgres.js', id, (await sql`SELECT id FROM event WHERE id = ${theirs}`)[0].id);
  await sql.end();

  const event = pgTable('event', { id: objectid().primaryKey() });
  same('drizzle', id, (await drizzle(pool).select().from(event).where(eq(event.id, theirs)))[0].id);
  await pool.end();

  const Event = new EntitySchema({ name: 'event', columns: { id: { ...typeorm.objectid, primary: true } } });
  const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env;
  const dataSource = typeorm.register(new DataSource({ type: 'postgres', host, port: Number(port), username, database, entities: [Event] }));
  const { manager } = await dataSource.initialize();
  same('typeorm', id, (await manager.findOneByOrFail(Event, { id: theirs })).id);
  await dataSource.destroy();

  // needs no generated client
  same('prisma', id, objectids({ event: ['id'] }).result.event.id.compute({ id: id.toHexString() }));
})();
