// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual as same } from 'node:util';
import { check, checkTable, checks, emptyDatabase, equal, fails, migration, plan } from '../checks.js';

plan(17);

// the example of README.md
import pg from 'pg';
import { ObjectId, register } from 'pg-objectid/node-postgres';
const types = new pg.TypeOverrides();
const pool = new pg.Pool({ types });
await pool.query(`CREATE EXTENSION IF NOT EXISTS objectid;
  CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)`);
await register(pool, types);
const id = new ObjectId();
await pool.query('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in']);
const { rows: [found] } = await pool.query('SELECT id FROM event WHERE id = $1', [id]);
assert(found.id instanceof ObjectId && found.id.equals(id));
const { rows } = await pool.query('SELECT * FROM event WHERE id > $1::timestamptz', [new Date('2025-01-01')]);
assert(rows.length === 1);
await pool.end();

const client = new pg.Client();
await client.connect();
const readWith = async (connection, query) => (await connection.query({ rowMode: 'array', ...query })).rows.map((row) => row[0]);
const read = (text, values) => readWith(client, { text, values });

// no set-up
const one = new ObjectId();
check(same(await read('SELECT $1::objectid', [one]), [one.toHexString()]), 'no set-up: ObjectId in, string out');
check(same(await read('SELECT $1::objectid', [one.id]), [one.toHexString()]), 'no set-up: id.id as a binary parameter');
check((await read('SELECT $1 = ANY($2::objectid[])', [one, [one]]))[0], 'no set-up: an array of ObjectIds');

await register(client);
await checks({
  insert: async (rows) => {
    for (const { id, hex } of rows) await client.query("INSERT INTO made VALUES ('text', $1, $2)", [id, hex]);
  },
  made: () => read('SELECT id FROM made ORDER BY id'),
  nothing: async () => (await read('SELECT $1::objectid', [null]))[0],
  count: async (operator, value) =>
    (await read(`SELECT count(*) FROM made WHERE id ${operator === 'in' ? '= ANY' : '='} ($1)`, [value]))[0],
  later: async (date) => (await client.query('SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', [date])).rows,
  lists: async (rows) => {
    for (const { n, ids } of rows) await client.query('INSERT INTO list VALUES ($1, $2)', [n, ids]);
    return read('SELECT ids FROM list ORDER BY n');
  },
});
const [nested] = await read('SELECT ARRAY[$1::objectid[], $1]', [[id, null]]);
check(nested.length === 2 && nested.every((array) => equal(array, [id, null])), 'nested arrays');

await checkTable((query) => read(query), () => register(client));
check(same(await read('SELECT ARRAY[$1::text, ($2::text[])[1]]', [id, [id]]), [[id.toHexString(), id.toHexString()]]),
  'a column of type text');

const refused = (error) => error.message.includes('binary: true');
check(await fails(readWith(client, { text: 'SELECT $1::objectid', values: [id], binary: true }), refused)
  && await fails(readWith(client, { text: 'SELECT $1::objectid[]', values: [[id]], binary: true }), refused)
  && equal(await read('SELECT $1::objectid', [id]), [id]), 'results in binary are an error');
await client.end();

// a client with its own type parsers
const getTypeParser = (oid, format) => (oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format));
const other = new pg.Client({ types: { getTypeParser } });
await other.connect();
await register(other);
check(same(await readWith(other, { text: 'SELECT 1::bigint' }), [1n])
  && equal((await readWith(other, { text: 'SELECT array_agg(id) FROM event' }))[0], [id]), 'a client keeps its type parsers');
await other.end();

// two open connections of the pool that runs the migrations
const own = new pg.TypeOverrides();
const empty = new pg.Pool({ database: 'empty', types: own });
const open = await Promise.all([empty.connect(), empty.connect()]);
open.forEach((connection) => connection.release());
check(await fails(register(empty, own), (error) => error.message.includes('CREATE EXTENSION')),
  'register() says that the type is missing');
await emptyDatabase({
  migrate: async () => {
    await empty.query(migration.up.join(';'));
    await register(empty, own);
  },
  use: async () => {
    const { rows: [{ id: news }] } = await open[0].query('INSERT INTO event DEFAULT VALUES RETURNING id');
    const { rows: [{ ids }] } = await open[1].query('SELECT array_agg(id) AS ids FROM event');
    return equal(ids, [news]) && ids[0];
  },
  revert: () => empty.query(migration.down.join(';')),
});
await empty.end();
