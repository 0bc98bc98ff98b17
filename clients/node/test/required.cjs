// The adapters by require(): each returns and accepts the ObjectId that require('bson') loads; see clients/t/node.pl.
const assert = require('node:assert');
const { ObjectId } = require('bson');
const pg = require('pg');
const { objectid } = require('pg-objectid/drizzle');
const { register } = require('pg-objectid/node-postgres');
const postgres = require('pg-objectid/postgres.js');
const typeorm = require('pg-objectid/typeorm');

const same = (id, given) => assert(id instanceof ObjectId && id.equals(given));
(async () => {
  const given = new ObjectId();
  const types = new pg.TypeOverrides();
  const pool = new pg.Pool({ types });
  await register(pool, types);
  same((await pool.query('INSERT INTO event VALUES ($1) RETURNING id', [given])).rows[0].id, given);
  await pool.end();

  const sql = await postgres.register(require('postgres')());
  same((await sql`SELECT id FROM event WHERE id = ${given}`)[0].id, given);
  await sql.end();

  assert(objectid('id') && typeorm.objectid.type === 'objectid');
})();
