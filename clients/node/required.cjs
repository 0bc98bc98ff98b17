// The adapters by require(): each reads an id, and writes an ObjectId of the bson that require() loads; see
// t/client_node_package.pl.
const { deserialize, ObjectId, serialize } = require('bson');
const { pgTable } = require('drizzle-orm/pg-core');
const pg = require('pg');
const { objectid } = require('pg-objectid/drizzle');
const { ObjectId: ours, register } = require('pg-objectid/node-postgres');
const postgres = require('pg-objectid/postgres.js');
const { objectids } = require('pg-objectid/prisma');
const typeorm = require('pg-objectid/typeorm');

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
  await pool.end();

  // these have the driver's strings
  const { id: column } = pgTable('event', { id: objectid() });
  same('drizzle', column.mapFromDriverValue(String(column.mapToDriverValue(theirs))), id);
  same('typeorm', typeorm.objectid.transformer.from(typeorm.objectid.transformer.to(theirs) ?? null), id);
  same('prisma', objectids({ event: ['id'] }).result.event.id.compute({ id: theirs.toHexString() }), id);
})();
