// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual as same } from 'node:util';
import { check, checkTable, checks, emptyDatabase, equal, fails, migration, plan } from '../checks.js';

plan(14);

// the example of README.md
import { ObjectId, register } from 'pg-objectid/postgres.js';
import postgres from 'postgres';
const sql = postgres({ onnotice: () => {} });
await sql`CREATE EXTENSION IF NOT EXISTS objectid`;
await sql`CREATE TABLE IF NOT EXISTS event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)`;
await register(sql);
const id = new ObjectId();
await sql`INSERT INTO event (id, what) VALUES (${id}, 'log in')`;
const [found] = await sql`SELECT id FROM event WHERE id = ${id}`;
assert(found.id instanceof ObjectId && found.id.equals(id));
const since = await sql`SELECT * FROM event WHERE id > ${new Date('2025-01-01')}`;
assert(since.length === 1);

const column = (rows) => rows.map((row) => Object.values(row)[0]);

// no set-up
const plain = postgres();
const one = new ObjectId();
check(same(column(await plain`SELECT ${one}::objectid`), [one.toHexString()]), 'no set-up: ObjectId in, string out');
check(same(column(await plain`SELECT ${[one]}::objectid[]`), [[one.toHexString()]]), 'no set-up: arrays');
await plain.end();

await checks({
  insert: async (rows) => { for (const row of rows) await sql`INSERT INTO made VALUES ('text', ${row.id}, ${row.hex})`; },
  made: async () => column(await sql`SELECT id FROM made ORDER BY id`),
  nothing: async () => column(await sql`SELECT ${null}::objectid`)[0],
  count: async (operator, oid) => (operator === 'in'
    ? column(await sql`SELECT count(*) FROM made WHERE id = ANY(${oid}) AND id IN ${sql(oid)}`)
    : column(await sql`SELECT count(*) FROM made WHERE id = ${oid}`))[0],
  later: (date) => sql`SELECT n FROM dated WHERE id > ${date} ORDER BY n`,
  lists: async (rows) => {
    for (const { n, ids } of rows) await sql`INSERT INTO list VALUES (${n}, ${ids})`;
    return column(await sql`SELECT ids FROM list ORDER BY n`);
  },
});
const [{ nested }] = await sql`SELECT ARRAY[${[id, null]}::objectid[], ${[one, id]}] AS nested`;
const [{ again }] = await sql`SELECT ${nested}::objectid[] AS again`;
check(nested.length === 2 && [nested, again].every(([a, b]) => equal(a, [id, null]) && equal(b, [one, id])), 'nested arrays');

await checkTable(async (query) => column(await sql.unsafe(query)), () => register(sql));

await sql.end();

// without prepared statements, as for pgbouncer, and with other options
const other = await register(postgres(`postgres:///${process.env.PGDATABASE}`,
  { prepare: false, transform: { undefined: null }, types: { bigint: postgres.BigInt } }));
const [row] = await other`SELECT id AS one, ARRAY[id, NULL] AS all, ${undefined}::text AS nothing, 1::bigint AS big
  FROM event WHERE id = ${id}`;
check(equal([row.one, ...row.all], [id, id, null]) && row.nothing === null && row.big === 1n, 'options of the client');
await other.end();

// two open connections of the pool that runs the migrations
const empty = postgres({ database: 'empty', max: 2 });
const both = (query) => Promise.all([query(), query()]);
const read = async () => (await empty`SELECT id, ARRAY[id, NULL] AS ids FROM event`)[0];
await both(() => empty`SELECT`);
check(await fails(register(empty), (error) => error.message.includes('CREATE EXTENSION')),
  'register() says that the type is missing');
await emptyDatabase({
  migrate: async () => {
    await empty.unsafe(migration.up.join(';'));
    await register(empty);
  },
  use: async () => {
    await empty`INSERT INTO event DEFAULT VALUES`;
    const [row, other] = await both(read);
    // not a prepared statement, which keeps the OID of the type
    await empty.unsafe('SELECT FROM event WHERE id = ANY($1)', [[row.id]]);
    return equal(row.ids, [other.id, null]) && row.id;
  },
  revert: () => empty.unsafe(migration.down.join(';')),
});
await empty.end();
