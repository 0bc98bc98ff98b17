import pg from 'pg';
import { ObjectId, register } from 'pg-objectid/node-postgres';
import { check, checkExample, equal } from '../checks.js';

const types = new pg.TypeOverrides();

// the example of README.md
import pgPromise from 'pg-promise';
const pgp = pgPromise();
const db = pgp({ types });
await register({ query: (text) => db.result(text) }, types);

const { id } = await db.one('INSERT INTO event (what) VALUES ($1) RETURNING id', ['log in']);
const found = await db.one('SELECT * FROM event WHERE id = ANY ($<ids>::objectid[])', { ids: [id] });
const since = await db.any('SELECT * FROM event WHERE id > $1::timestamptz', [new Date('2025-01-01')]);

await checkExample(3, found.id instanceof ObjectId && equal([found.id, since[0].id], [id, id]), (date) =>
  db.any('SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', [date]));
const columns = new pgp.helpers.ColumnSet([{ name: 'id', cnd: true, cast: 'objectid' }, 'what'], { table: 'event' });
await db.none(`${pgp.helpers.update([{ id, what: 'log out' }], columns)} WHERE v.id = t.id`);
check((await db.one('SELECT what FROM event')).what === 'log out', 'helpers.update');
pgp.end();
