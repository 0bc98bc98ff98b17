// Functions that the programs of clients/node/*/ share; see clients/t/ClientTest.pm.
import { isDeepStrictEqual as same } from 'node:util';
import { ObjectId } from 'bson';

export const plan = (count) => console.log(`1..${count}`);
let done = 0;
export const check = (condition, what) => console.log(`${condition ? 'ok' : 'not ok'} ${++done} - ${what}`);

// true if the promise is rejected with the right error
export const fails = (promise, right = () => true) => promise.then(() => false, right);

// The values: the vectors, with the seconds of each; what is no id; and what is no id within an array, where it is an
// error, or the id that is in the text.
const vectors = new Map(process.env.VECTORS.trim().split('\n').map((line) => line.split(' ')));
const refused = ['zzz', '', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', ' 507f1f77bcf86cd799439011', 5];
const one = '507f1f77bcf86cd799439011';
const elements = [`${one},${one}`, 'NULL', 'null', '', '{}', '{', '"', '\\', `"${one}"`, `{${one}}`, `${one}}`, ' a', 5];

// the digits of ids; null remains null
const digits = (ids) => ids && ids.map((id) => (id ? id.toString() : id));
export const equal = (a, b) => same(digits(a), digits(b));

// 1,000 ids and the vectors, sorted: the counter of the library may wrap
const newIds = () => [...Array(1000), ...vectors.keys()].map((digits) => new ObjectId(digits))
  .sort((a, b) => Buffer.compare(a.id, b.id));

// whether a client returns this for an id
const isId = ({ strings }) => (id) => (strings ? /^[0-9a-f]{24}$/.test(id) && typeof id === 'string' : id instanceof ObjectId);

const date = new Date('2025-02-20T05:00:00Z');
const hours = [9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999];

// The checks of every client.  It has these functions:
//   insert(rows)             inserts rows of "made"
//   made()                   the ids of these rows, in order
//   count(operator, value)   the number of these rows of "made" by "id = value", or IN
//   later(date)              the rows of "dated" with id > date, by n
//   nothing()                a NULL; missing if emptyDatabase() has one
//   lists(arrays)            inserts these arrays into "list", returns them in order; missing if the client has no arrays
// and "strings" if ids are strings of digits.
export async function checks(client) {
  const write = client.strings ? String : (id) => id;
  const ids = newIds();
  await client.insert(ids.map((id) => ({ how: 'text', id: write(id), hex: id.toHexString() })));
  const made = await client.made();
  check(made.every(isId(client)) && equal(made, ids), 'text: 1,000 ids come back equal');

  const read = made.map((id) => new ObjectId(id)).filter((id) => vectors.has(id.toHexString()));
  const counts = await Promise.all(read.flatMap((id) => [write(id), `${id}`.toUpperCase()]).map((id) => client.count('=', id)));
  check(same(read.map((id) => [Buffer.from(id.id).toString('hex'), String(id.getTimestamp() / 1000)]).sort(), [...vectors].sort())
    && counts.every((count) => Number(count) === 1), 'text: vectors');

  if (client.nothing) check(await client.nothing() === null, 'text: NULL');

  const rejected = await Promise.all(refused.map((value) => fails((async () => client.count('=', value))())));
  check(Number(await client.count('=', write(ids[500]))) === 1
    && Number(await client.count('in', ids.slice(0, 10).map(write))) === 10
    && rejected.every(Boolean), 'text: WHERE with an ObjectId');

  check(same((await client.later(date)).map((row) => row.n), hours), 'text: id > a date');

  if (client.lists) {
    const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
    const lists = await client.lists(arrays.map((array, n) => ({ n, ids: array && array.map((id) => id && write(id)) })));
    const wrong = [];
    for (const [n, element] of elements.entries()) {
      const back = await client.lists([{ n: 10 + n, ids: [write(one), element] }]).catch(() => null);
      if (back && !(equal(back.at(-1), [one, one]) && String(element).includes(one))) wrong.push(element);
    }
    check(lists.length === 4 && lists[0].every(isId(client)) && arrays.every((array, n) => equal(array, lists[n]))
      && same(wrong, []), `text: arrays ${wrong}`);
  }
}

// In the database "empty", without the extension, the same pool runs a migration, uses its tables, and reverts it.  If ids
// are objects, it does so again, now with a different OID of the type.  use() returns the id of a row.  With relations, it
// returns an array: the id of a row, the reference of another row to it, and a reference that is NULL.
export async function emptyDatabase({ migrate, use, revert, strings }) {
  for (let round = strings ? 1 : 0; round < 2; round++) {
    await migrate();
    const used = await use();
    await revert();
    const [id, reference, none] = [used].flat();
    check(isId({ strings })(id), 'a migration');
    if (Array.isArray(used)) {
      check(isId({ strings })(reference) && equal([id], [reference]), 'a relation');
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
