// See t/ClientTest.pm.
import assert from 'node:assert';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import postgres from 'postgres';
import { check, date, equal, from, idOf, newIds, sameBson } from '../checks.js';
import { withObjectId } from './objectid.mjs';

const column = (rows) => rows.map((row) => Object.values(row)[0]);

// no set-up
const plain = postgres();
const one = new ObjectId();
check(isDeepStrictEqual(column(await plain`SELECT ${one}::objectid`), [one.toHexString()]), 'no set-up: ObjectId in, string out');
check(isDeepStrictEqual(column(await plain`SELECT ${[one]}::objectid[]`), [[one.toHexString()]]), 'no set-up: arrays');
check(from(9990, await plain`SELECT n FROM dated WHERE id > ${date} ORDER BY n`), 'no set-up: id > a date');
await plain.end();

// the example in docs/clients-javascript.md
const sql = postgres(await withObjectId());
const id = new ObjectId();
await sql`INSERT INTO event (id, what) VALUES (${id}, 'log in')`;
const [found] = await sql`SELECT id FROM event WHERE id = ${id}`;
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = await sql`SELECT * FROM event WHERE id > ${new Date('2025-01-01')}`;
assert(since.length === 1);

const ids = newIds();
for (const oid of ids) {
  await sql`INSERT INTO made VALUES ('text', ${oid}, ${oid.toHexString()})`;
}
check(equal(column(await sql`SELECT id FROM made ORDER BY id`), ids), 'text: 1,000 ids come back equal');

const rows = await sql`SELECT id, seconds FROM generated`;
check(rows.length === 1004 && rows.every((row) => row.id.getTimestamp().getTime() === 1000 * Number(row.seconds)),
  'text: generated ids have the time of objectid_time()');

check(isDeepStrictEqual(column(await sql`SELECT ${null}::objectid`), [null]), 'text: NULL');

const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
for (const [n, array] of arrays.entries()) {
  await sql`INSERT INTO list VALUES (${n}, ${array})`;
}
const back = column(await sql`SELECT ids FROM list ORDER BY n`);
check(back.length === 4 && arrays.every((array, n) => equal(array, back[n])), 'text: arrays');

check(equal(column(await sql`SELECT id FROM made WHERE id = ${ids[500]}`), [ids[500]])
  && column(await sql`SELECT count(*)::integer FROM made WHERE id < ${ids[500]}`)[0] === 500
  && column(await sql`SELECT count(*)::integer FROM made WHERE id = ANY(${ids.slice(0, 10)})`)[0] === 10
  && column(await sql`SELECT count(*)::integer FROM made WHERE id IN ${sql(ids.slice(0, 10))}`)[0] === 10,
'text: WHERE with an ObjectId');

check(from(9990, await sql`SELECT n FROM dated WHERE id > ${date} ORDER BY n`)
  && from(9989, await sql`SELECT n FROM dated WHERE ${date} <= id ORDER BY n`), 'text: id > a date');

const [stored] = await sql`SELECT id, bson FROM document`;
check(sameBson(stored) && column(await sql`SELECT count(*)::integer FROM document WHERE id = ${idOf(stored)}`)[0] === 1, 'text: BSON');

// the caller formats the rows of COPY: text, or lengths and the 12 bytes
const copied = newIds();
await pipeline(Readable.from(copied.map((oid) => `text COPY\t${oid}\t${oid}\n`)), await sql`COPY made FROM STDIN`.writable());
const field = (bytes) => [Buffer.from([0, 0, 0, bytes.length]), bytes];
await pipeline(
  Readable.from([
    Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1'),
    ...copied.map((oid) => Buffer.concat([
      Buffer.from([0, 3]), ...field(Buffer.from('binary COPY')), ...field(oid.id), ...field(Buffer.from(oid.toHexString()))])),
    Buffer.from([0xff, 0xff]),
  ]),
  await sql`COPY made FROM STDIN WITH (FORMAT binary)`.writable(),
);
for (const how of ['text COPY', 'binary COPY']) {
  check(equal(column(await sql`SELECT id FROM made WHERE how = ${how} ORDER BY id`), copied), `${how}: 1,000 ids come back equal`);
}

await sql`SELECT ${'507f1f77bcf86cd79943901'}::objectid`.then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);
await sql.end();

// without prepared statements, as for pgbouncer, and without the type on the search path
const options = { prepare: false, connection: { search_path: 'pg_catalog' } };
const off = postgres(await withObjectId(options, undefined, 'public.objectid'));
const [{ one: single, all }] = await off`SELECT id AS one, ARRAY[id, NULL] AS all FROM public.event WHERE id OPERATOR(public.=) ${id}`;
check(equal([single, ...all], [id, id, null]), 'a type off the search path');
await off.end();

// a URL of the database, with options
const database = process.env.PGDATABASE;
process.env.PGDATABASE = 'there_is_none';
const url = `postgres:///${database}`;
const byUrl = postgres(url, await withObjectId({ transform: { undefined: null }, types: { bigint: postgres.BigInt } }, url));
const [row] = await byUrl`SELECT id, ${undefined}::text AS nothing, 1::bigint AS one FROM event`;
check(id.equals(row.id) && row.nothing === null && row.one === 1n, 'a URL and options');
await byUrl.end();
