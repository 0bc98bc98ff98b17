import { bySql, check, checkRegister, checks, equal } from '../checks.js';

import postgres from 'postgres';
// the example of README.md
import { ObjectId, register } from 'pg-objectid/postgres.js';
const sql = postgres();
await register(sql);
const id = new ObjectId();
await sql`INSERT INTO event (id, what) VALUES (${id}, 'log in')`;
const [found] = await sql`SELECT id FROM event WHERE id = ${id}`;
const since = await sql`SELECT * FROM event WHERE id > ${new Date('2025-01-01')}`;

const reader = (of) => async (text, values) => (await of.unsafe(text, values)).map((row) => Object.values(row)[0]);
const read = reader(sql);
await checks(12, {
  example: found.id instanceof ObjectId && equal([since[0].id, found.id], [id, id]),
  ...bySql(read),
  // no cast, but a prepared statement
  later: (date) => sql`SELECT n FROM dated WHERE id > ${date} ORDER BY n`,
});

// what is no id within an array: an error, or the id that is in the text
const digits = id.toHexString();
const accepted = [];
for (const wrong of [`${id},${id}`, 'NULL', 'null', '', '{}', '{', '"', '\\', `"${id}"`, `{${id}}`, `${id}}`, ' a', 5]) {
  const [list] = await read('SELECT $1::objectid[]::text[]', [[id, wrong]]).catch(() => []);
  if (list && !(equal(list, [digits, digits]) && String(wrong).includes(digits))) accepted.push(wrong);
}
check(equal(accepted, []), `elements of arrays that are no ids: ${accepted}`);
await sql.end();

const plain = postgres();
check((await reader(plain)('SELECT $1::objectid', [id]))[0] === id.toHexString(), 'no set-up: ObjectId in, string out');
await plain.end();

const empty = postgres({ database: 'empty', max: 2 });
await checkRegister(reader(empty), () => register(empty));
await empty.end();
