// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { check, checks, emptyDatabase, migration, plan } from '../checks.js';

plan(9);

// the example of README.md
import pg from 'pg';
import pgPromise from 'pg-promise';
import { ObjectId, register } from 'pg-objectid/node-postgres';
const pgp = pgPromise();
const types = new pg.TypeOverrides();
const db = pgp({ types });
await register({ query: (text) => db.result(text) }, types);

const { id } = await db.one('INSERT INTO event (what) VALUES ($1) RETURNING id', ['log in']);
const found = await db.one('SELECT * FROM event WHERE id = ANY ($<ids>::objectid[])', { ids: [id] });
const since = await db.any('SELECT * FROM event WHERE id > $1::timestamptz', [new Date('2025-01-01')]);
assert(found.id instanceof ObjectId && found.id.equals(id) && since.length === 1);

await checks({
  insert: (rows) => db.none(pgp.helpers.insert(rows, ['how', 'id', 'hex'], 'made')),
  made: () => db.map('SELECT id FROM made ORDER BY id', [], (row) => row.id),
  nothing: async () => (await db.one('SELECT $1::objectid AS id', [null])).id,
  count: async (operator, value) =>
    (await db.one(`SELECT count(*) FROM made WHERE id ${operator} (${operator === 'in' ? '$1:csv' : '$1'})`, [value])).count,
  later: (date) => db.any('SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', [date]),
  lists: async (rows) => {
    for (const { n, ids } of rows) await db.none('INSERT INTO list VALUES ($1, $2::objectid[])', [n, ids]);
    return db.map('SELECT ids FROM list ORDER BY n', [], (row) => row.ids);
  },
});
check((await db.one('SELECT $1::text AS id', [id])).id === id.toHexString(), 'a column of type text');

const own = new pg.TypeOverrides();
const empty = pgp({ database: 'empty', types: own });
await emptyDatabase({
  migrate: async () => {
    await empty.none(migration.up.join(';'));
    await register({ query: (text) => empty.result(text) }, own);
  },
  use: async () => (await empty.one('INSERT INTO event DEFAULT VALUES RETURNING id')).id,
  revert: () => empty.none(migration.down.join(';')),
});
pgp.end();
