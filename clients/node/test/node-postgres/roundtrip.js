import { bySql, check, checkRegister, checks, equal, fails } from '../checks.js';

import pg from 'pg';
// the example of README.md
import { ObjectId, register } from 'pg-objectid/node-postgres';
const types = new pg.TypeOverrides();
const pool = new pg.Pool({ types });
await register(pool, types);
const id = new ObjectId();
await pool.query('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in']);
const { rows: [found] } = await pool.query('SELECT id FROM event WHERE id = $1', [id]);
const { rows } = await pool.query('SELECT * FROM event WHERE id > $1::timestamptz', [new Date('2025-01-01')]);

const reader = (db) => async (text, values, options) =>
  (await db.query({ text, values, rowMode: 'array', ...options })).rows.map((row) => row[0]);
const read = reader(pool);
await checks(14, { example: found.id instanceof ObjectId && equal([rows[0].id, found.id], [id, id]), ...bySql(read) });
check(equal(await read('SELECT ARRAY[$1::text, ($2::text[])[1]]', [id, [id]]), [[id, id]]), 'columns of type text');
const refused = (error) => error.message.includes('binary: true');
check(await fails(read('SELECT $1::objectid', [id], { binary: true }), refused)
  && await fails(read('SELECT $1::objectid[]', [[id]], { binary: true }), refused), 'results in binary are an error');
await pool.end();

const client = new pg.Client();
await client.connect();
const readId = async () => (await reader(client)('SELECT $1::objectid', [id]))[0];
check(await readId() === id.toHexString(), 'no set-up: ObjectId in, string out');
await register(client);
check(equal(await readId(), id) && await readId() instanceof ObjectId, 'register(client)');
await client.end();

const own = new pg.TypeOverrides();
const empty = new pg.Pool({ database: 'empty', types: own });
await checkRegister(reader(empty), () => register(empty, own));
await empty.end();
