// The adapters by require(), in Jest with its default configuration: each returns and accepts the ObjectId that
// require('bson') loads; see clients/t/node.pl.
const { ObjectId } = require('bson');
const { drizzle } = require('drizzle-orm/node-postgres');
const { pgTable } = require('drizzle-orm/pg-core');
const pg = require('pg');
const { objectid } = require('pg-objectid/drizzle');
const { register } = require('pg-objectid/node-postgres');
const postgres = require('pg-objectid/postgres.js');
const { objectids } = require('pg-objectid/prisma');
const typeorm = require('pg-objectid/typeorm');

const types = new pg.TypeOverrides();
const pool = new pg.Pool({ types });
const given = new ObjectId();
beforeAll(() => pool.query('INSERT INTO event VALUES ($1)', [given]));
afterAll(() => pool.end());

const same = (id) => expect(id instanceof ObjectId && id.equals(given)).toBe(true);

test('node-postgres', async () => {
  await register(pool, types);
  same((await pool.query('SELECT id FROM event WHERE id = $1', [given])).rows[0].id);
});

test('postgres.js', async () => {
  const sql = await postgres.register(require('postgres')());
  same((await sql`SELECT id FROM event WHERE id = ${given}`)[0].id);
  await sql.end();
});

test('drizzle', async () => {
  same((await drizzle(pool).select().from(pgTable('event', { id: objectid() })))[0].id);
});

test('typeorm, prisma', () => {
  same(typeorm.objectid.transformer.from(typeorm.objectid.transformer.to(given)));
  same(objectids({ event: ['id'] }).result.event.id.compute({ id: given.toHexString() }));
});
