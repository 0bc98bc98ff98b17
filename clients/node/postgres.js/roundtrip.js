// See t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual as same } from 'node:util';
import { ObjectId } from 'bson';
import { register } from 'pg-objectid/postgres.js';
import postgres from 'postgres';
import { check, checks, emptyDatabase, equal, migration } from '../checks.js';

const column = (rows) => rows.map((row) => Object.values(row)[0]);

// no set-up
const plain = postgres();
const one = new ObjectId();
check(same(column(await plain`SELECT ${one}::objectid`), [one.toHexString()]), 'no set-up: ObjectId in, string out');
check(same(column(await plain`SELECT ${[one]}::objectid[]`), [[one.toHexString()]]), 'no set-up: arrays');
await plain.end();

// the example in docs/clients-javascript.md
const sql = await register(postgres());
const id = new ObjectId();
await sql`INSERT INTO event (id, what) VALUES (${id}, 'log in')`;
const [found] = await sql`SELECT id FROM event WHERE id = ${id}`;
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = await sql`SELECT * FROM event WHERE id > ${new Date('2025-01-01')}`;
assert(since.length === 1);

await checks('text', {
  insert: async (rows) => {
    for (const row of rows) {
      await sql`INSERT INTO made VALUES ('text', ${row.id}, ${row.hex})`;
    }
  },
  made: async () => column(await sql`SELECT id FROM made ORDER BY id`),
  nothing: async () => column(await sql`SELECT ${null}::objectid`)[0],
  count: async (operator, oid) => (operator === 'in'
    ? column(await sql`SELECT count(*) FROM made WHERE id = ANY(${oid}) AND id IN ${sql(oid)}`)
    : column(await sql`SELECT count(*) FROM made WHERE id = ${oid}`))[0],
  later: (date) => sql`SELECT n FROM dated WHERE id > ${date} ORDER BY n`,
  lists: async (rows) => {
    for (const { n, ids } of rows) {
      await sql`INSERT INTO list VALUES (${n}, ${ids})`;
    }
    return column(await sql`SELECT ids FROM list ORDER BY n`);
  },
});
const [{ nested }] = await sql`SELECT ARRAY[${[id, null]}::objectid[], ${[one, id]}] AS nested`;
const [{ again }] = await sql`SELECT ${nested}::objectid[] AS again`;
check(nested.length === 2 && [nested, again].every(([a, b]) => equal(a, [id, null]) && equal(b, [one, id])), 'nested arrays');

await sql.end();

// without prepared statements, as for pgbouncer, without the type on the search path, and with other options
const off = await register(postgres(`postgres:///${process.env.PGDATABASE}`,
  { prepare: false, connection: { search_path: 'pg_catalog' }, transform: { undefined: null }, types: { bigint: postgres.BigInt } }));
const [row] = await off`SELECT id AS one, ARRAY[id, NULL] AS all, ${undefined}::text AS nothing, 1::bigint AS big
  FROM public.event WHERE id OPERATOR(public.=) ${id}`;
check(equal([row.one, ...row.all], [id, id, null]) && row.nothing === null && row.big === 1n, 'a type off the search path');
await off.end();

// register() needs the type; when the type is new, the first result with an id is an error
const empty = postgres({ database: 'empty' });
const read = async () => {
  await empty.begin((transaction) => transaction`INSERT INTO event DEFAULT VALUES`);
  return (await empty`SELECT id, ARRAY[id] AS ids, 'no id'::citext FROM event`)[0];
};
const message = (promise) => promise.then(() => 'none', (error) => error.message);
check((await message(register(empty))).includes('CREATE EXTENSION'), 'register() says that the type is missing');
let repeated = 0;
await emptyDatabase({
  migrate: async () => {
    await empty.unsafe([...migration.up, 'CREATE EXTENSION citext'].join(';'));
    if (!repeated++) {
      await register(empty);
    } else {
      check((await message(read())).includes('repeat the query'), 'a new type is an error once');
    }
  },
  use: async () => {
    for (let i = 0; i < 100; i++) {
      try {
        const { id: oid, ids } = await read();
        return equal([oid], ids) && oid;
      } catch (error) {
        assert(error.message.includes('repeat the query'));
      }
    }
    return null;
  },
  revert: () => empty.unsafe([...migration.down, 'DROP EXTENSION citext'].join(';')),
});
await empty.end();
