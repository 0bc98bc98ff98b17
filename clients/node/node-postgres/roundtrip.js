// See t/ClientTest.pm.
import assert from 'node:assert';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { register } from './objectid.js';

const check = (condition, what) => console.log(`${condition ? 'ok' : 'not ok'} - ${what}`);
const digits = (ids) => ids && ids.map((id) => (id ? id.toHexString() : id));
const equal = (a, b) => isDeepStrictEqual(digits(a), digits(b));

// 1,000, in order even where the library's counter wraps
const newIds = () => Array.from({ length: 1000 }, () => new ObjectId()).sort((a, b) => Buffer.compare(a.id, b.id));

const client = new pg.Client();
await client.connect();
const read = async (text, values) =>
  (await client.query({ text, values, rowMode: 'array' })).rows.map((row) => row[0]);

// no set-up
const one = new ObjectId();
check(isDeepStrictEqual(await read('SELECT $1::objectid', [one]), [one.toHexString()]), 'no set-up: ObjectId in, string out');
check(isDeepStrictEqual(await read('SELECT $1::objectid', [one.id]), [one.toHexString()]), 'no set-up: id.id as a binary parameter');
check((await read('SELECT $1 = ANY($2::objectid[])', [one, [one]]))[0], 'no set-up: an array of ObjectIds');

// the example of docs/clients.md
await register(client);
const id = new ObjectId();
await client.query('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in']);
const { rows: [found] } = await client.query('SELECT id FROM event WHERE id = $1', [id]);
assert(found.id instanceof ObjectId && found.id.equals(id));

// the protocol's two forms of a parameter; results are text
for (const binary of [false, true]) {
  const how = binary ? 'binary' : 'text';
  const value = (oid) => (binary ? oid.id : oid);

  const ids = newIds();
  for (const oid of ids) {
    await client.query('INSERT INTO made VALUES ($1, $2, $3)', [how, value(oid), oid.toHexString()]);
  }
  check(equal(await read('SELECT id FROM made WHERE how = $1 ORDER BY id', [how]), ids), `${how}: 1,000 ids come back equal`);

  const { rows } = await client.query('SELECT id, seconds FROM generated');
  check(rows.length === 1004 && rows.every((row) => row.id.getTimestamp().getTime() === 1000 * Number(row.seconds)),
    `${how}: generated ids have the time of objectid_time()`);

  check(isDeepStrictEqual(await read('SELECT $1::objectid', [null]), [null]), `${how}: NULL`);

  check(equal(await read('SELECT id FROM made WHERE id = $1', [value(ids[500])]), [ids[500]])
    && (await read('SELECT count(*)::integer FROM made WHERE how = $1 AND id < $2', [how, value(ids[500])]))[0] === 500
    && (await read('SELECT count(*)::integer FROM made WHERE id = ANY($1)', [ids.slice(0, 10)]))[0] === 10,
  `${how}: WHERE with an ObjectId`);
}

const some = newIds();
const arrays = [some.slice(0, 3), [some[0], null], [], null];
for (const [n, array] of arrays.entries()) {
  await client.query('INSERT INTO list VALUES ($1, $2)', [n, array]);
}
const back = await read('SELECT ids FROM list ORDER BY n');
check(back.length === 4 && arrays.every((array, n) => equal(array, back[n])), 'text: arrays');

// binary COPY is for the caller to format: lengths, and the 12 bytes
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
await client.end();

// a pool, whose clients register themselves
const pool = new pg.Pool({ onConnect: (connection) => register(connection) });
const { rows: [pooled] } = await pool.query('SELECT id FROM made WHERE id = $1', [copied[0]]);
check(copied[0].equals(pooled.id), 'a pool gives ObjectIds');
await pool.end();
