// Functions that the programs of clients/node/*/ share; see clients/t/ClientTest.pm.
import { isDeepStrictEqual as same } from 'node:util';
import { ObjectId } from 'bson';

export const plan = (count) => console.log(`1..${count}`);
let done = 0;
export const check = (condition, what) => console.log(`${condition ? 'ok' : 'not ok'} ${++done} - ${what}`);

// true if the promise is rejected with the right error
export const fails = (promise, right = () => true) => promise.then(() => false, right);

// the digits of ids; null remains null
const digits = (ids) => ids && ids.map((id) => (id ? id.toString() : id));
export const equal = (a, b) => same(digits(a), digits(b));

// the seconds of each id
const vectors = new Map(process.env.VECTORS.trim().split('\n').map((line) => line.split(' ')));

// 1,000 ids and the vectors, sorted: the counter of the library may wrap
const newIds = () => [...Array(1000), ...vectors.keys()].map((digits) => new ObjectId(digits))
  .sort((a, b) => Buffer.compare(a.id, b.id));

// whether a client returns this for an id
const isId = ({ strings }) => (id) => (strings ? typeof id === 'string' && ObjectId.isValid(id) : id instanceof ObjectId);

const date = new Date('2025-02-20T05:00:00Z');
const hours = [9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999];

// Elements of an array that are not ids: an error, or the id that is in the text.  "echo" writes an array in this row, and
// reads it.
const checkElements = async (echo) => {
  const [id, one] = [new ObjectId(), new ObjectId()];
  const accepted = [];
  const elements = [`${one},${id}`, 'NULL', 'null', '', '{}', '{', '"', '\\', `"${one}"`, `{${one}}`, `${one}}`, ' a', 5];
  for (const [n, element] of elements.entries()) {
    const ids = await echo([id, element], 10 + n).catch(() => null);
    if (ids && !(equal(ids, [id, one]) && String(element).includes(one))) accepted.push(element);
  }
  check(same(accepted, []), `elements of arrays that are no ids: ${accepted}`);
};

// The checks of every client.  It has these functions:
//   insert(rows)             inserts rows of "made"
//   made()                   the ids of these rows, in order
//   count(operator, value)   the number of these rows of "made" by "id = value", or IN
//   later(date)              the rows of "dated" with id > date, by n
//   nothing()                a NULL; missing if emptyDatabase() has one
//   lists(arrays)            inserts these arrays into "list", returns them in order; missing if the client has no arrays
// and "strings" if ids are strings of digits.
export async function checks(how, client) {
  const write = client.strings ? String : (id) => id;
  const ids = newIds();
  await client.insert(ids.map((id) => ({ how, id: write(id), hex: id.toHexString() })));
  const made = await client.made();
  check(made.every(isId(client)) && equal(made, ids), `${how}: 1,000 ids come back equal`);

  const read = made.map((id) => new ObjectId(id)).filter((id) => vectors.has(id.toHexString()));
  const counts = await Promise.all(read.map((id) => client.count('=', write(id))));
  check(same(read.map((id) => [Buffer.from(id.id).toString('hex'), String(id.getTimestamp() / 1000)]).sort(), [...vectors].sort())
    && counts.every((count) => Number(count) === 1), `${how}: vectors`);

  if (client.nothing) {
    check(await client.nothing() === null, `${how}: NULL`);
  }

  check(Number(await client.count('=', write(ids[500]))) === 1
    && Number(await client.count('in', ids.slice(0, 10).map(write))) === 10
    && await fails((async () => client.count('=', 'zzz'))()), `${how}: WHERE with an ObjectId`);

  check(same((await client.later(date)).map((row) => row.n), hours), `${how}: id > a date`);

  if (client.lists) {
    const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
    const lists = await client.lists(arrays.map((array, n) => ({ n, ids: array })));
    check(lists.length === 4 && arrays.every((array, n) => equal(array, lists[n])), `${how}: arrays`);
    await checkElements(async (ids, n) => (await client.lists([{ n, ids }])).at(-1));
  }
}

// In the database "empty", without the extension, the same pool runs a migration, uses its tables, reverts it, and
// runs it again, now with a different OID of the type.  use() returns the id of a row, or of an ORM [that of a row, that
// of the same row as another one refers to it, the NULL of one that refers to none].
export async function emptyDatabase({ migrate, use, revert, strings }) {
  for (let round = 0; round < 2; round++) {
    await migrate();
    const used = await use();
    await revert();
    const [id, reference, none] = [used].flat();
    const right = isId({ strings });
    check(right(id), 'the first migration, and again');
    if (Array.isArray(used)) {
      check(right(reference) && equal([id], [reference]), 'a relation');
      check(none === null, 'text: NULL');
    }
  }
}

export const migration = {
  up: ['CREATE EXTENSION objectid', 'CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY)'],
  down: ['DROP TABLE event', 'DROP EXTENSION objectid'],
};

// a table of the type's name, whose rows have a composite type of this name; "read" runs a statement
export const checkTable = async (read, again) => {
  await read('CREATE SCHEMA a CREATE TABLE objectid (n int)');
  await again();
  check(same(await read('SELECT row(1)::a.objectid'), ['(1)']), 'a table "objectid"');
  await read('DROP SCHEMA a CASCADE');
};
