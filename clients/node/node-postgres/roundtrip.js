// See t/ClientTest.pm.
import assert from 'node:assert';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { check, date, equal, from, idOf, newIds, sameBson } from '../checks.js';
import { register } from './objectid.mjs';

const client = new pg.Client();
await client.connect();
const readWith = async (connection, query) =>
  (await connection.query({ rowMode: 'array', ...query })).rows.map((row) => row[0]);
const read = (text, values) => readWith(client, { text, values });

// no set-up
const one = new ObjectId();
check(isDeepStrictEqual(await read('SELECT $1::objectid', [one]), [one.toHexString()]), 'no set-up: ObjectId in, string out');
check(isDeepStrictEqual(await read('SELECT $1::objectid', [one.id]), [one.toHexString()]), 'no set-up: id.id as a binary parameter');
check((await read('SELECT $1 = ANY($2::objectid[])', [one, [one]]))[0], 'no set-up: an array of ObjectIds');

// the example in docs/clients-javascript.md
await register(client);
const id = new ObjectId();
await client.query('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in']);
const { rows: [found] } = await client.query('SELECT id FROM event WHERE id = $1', [id]);
assert(found.id instanceof ObjectId && found.id.equals(id));

const { rows } = await client.query('SELECT * FROM event WHERE id > $1::timestamptz', [new Date('2025-01-01')]);
assert(rows.length === 1);

const { rows: dated } = await client.query('SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', [date]);
const { rows: swapped } = await client.query('SELECT n FROM dated WHERE $1::timestamptz <= id ORDER BY n', [date]);

// text and binary parameters; results are text
for (const binary of [false, true]) {
  const how = binary ? 'binary' : 'text';
  const value = (oid) => (binary ? oid.id : oid);

  const ids = newIds();
  for (const oid of ids) {
    await client.query('INSERT INTO made VALUES ($1, $2, $3)', [how, value(oid), oid.toHexString()]);
  }
  check(equal(await read('SELECT id FROM made WHERE how = $1 ORDER BY id', [how]), ids), `${how}: 1,000 ids come back equal`);

  const { rows: generated } = await client.query('SELECT id, seconds FROM generated');
  check(generated.length === 1004 && generated.every((row) => row.id.getTimestamp().getTime() === 1000 * Number(row.seconds)),
    `${how}: generated ids have the time of objectid_time()`);

  check(isDeepStrictEqual(await read('SELECT $1::objectid', [null]), [null]), `${how}: NULL`);

  check(equal(await read('SELECT id FROM made WHERE id = $1', [value(ids[500])]), [ids[500]])
    && (await read('SELECT count(*)::integer FROM made WHERE how = $1 AND id < $2', [how, value(ids[500])]))[0] === 500
    && (await read('SELECT count(*)::integer FROM made WHERE id = ANY($1)', [ids.slice(0, 10)]))[0] === 10,
  `${how}: WHERE with an ObjectId`);

  check(from(9990, dated) && from(9989, swapped), `${how}: id > a date`);

  const { rows: [stored] } = await client.query('SELECT id, bson FROM document');
  check(sameBson(stored) && (await read('SELECT count(*)::integer FROM document WHERE id = $1', [value(idOf(stored))]))[0] === 1,
    `${how}: BSON`);
}

const some = newIds();
const arrays = [some.slice(0, 3), [some[0], null], [], null];
for (const [n, array] of arrays.entries()) {
  await client.query('INSERT INTO list VALUES ($1, $2)', [n, array]);
}
const back = await read('SELECT ids FROM list ORDER BY n');
const [nested] = await read('SELECT ARRAY[$1::objectid[], $1]', [arrays[1]]);
check(back.length === 4 && arrays.every((array, n) => equal(array, back[n]))
  && nested.length === 2 && nested.every((array) => equal(array, arrays[1])), 'text: arrays');

// the caller formats the rows of binary COPY: lengths, and the 12 bytes
const field = (bytes) => [Buffer.from([0, 0, 0, bytes.length]), bytes];
const copied = newIds();
await pipeline(
  [
    Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1'),
    ...copied.map((oid) => Buffer.concat([
      Buffer.from([0, 3]), ...field(Buffer.from('copy')), ...field(oid.id), ...field(Buffer.from(oid.toHexString()))])),
    Buffer.from([0xff, 0xff]),
  ],
  client.query(copyFrom('COPY made FROM STDIN WITH (FORMAT binary)')),
);
check(equal(await read("SELECT id FROM made WHERE how = 'copy' ORDER BY id"), copied), 'binary COPY: 1,000 ids come back equal');

await client.query('SELECT $1::objectid', ['507f1f77bcf86cd79943901']).then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);

const named = { name: 'by id', text: 'SELECT id FROM event WHERE id = $1', values: [id] };
check(equal(await readWith(client, named), [id]) && equal(await readWith(client, named), [id]), 'a prepared statement');

const refused = (error) => error.message.includes('binary: true');
check(await readWith(client, { text: 'SELECT $1::objectid', values: [id], binary: true }).then(() => false, refused)
  && await readWith(client, { text: 'SELECT $1::objectid[]', values: [[id]], binary: true }).then(() => false, refused)
  && equal(await read('SELECT $1::objectid', [id]), [id]), 'results in binary are an error');
await client.end();

// a pool, whose clients register themselves
const pool = new pg.Pool({ onConnect: (client) => register(client) });
const { rows: [pooled] } = await pool.query('SELECT id FROM made WHERE id = $1', [copied[0]]);
check(copied[0].equals(pooled.id), 'a pool returns ObjectIds');
await pool.end();

// a client with its own type parsers, and without the type on its search path
const types = { getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format)) };
const other = new pg.Client({ types, options: '-c search_path=' });
await other.connect();
await register(other, 'public.objectid');
check(isDeepStrictEqual(await readWith(other, { text: 'SELECT 1::bigint' }), [1n])
  && equal(await readWith(other, { text: 'SELECT id FROM public.event' }), [id]), "a client keeps its type parsers");
check(equal((await readWith(other, { text: 'SELECT array_agg(id) FROM public.event' }))[0], [id]), 'a type off the search path');
await other.end();
