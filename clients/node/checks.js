// Functions that the programs of clients/node/*/ share; see t/ClientTest.pm.
import { isDeepStrictEqual as same } from 'node:util';
import { deserialize, ObjectId, serialize } from 'bson';

export const check = (condition, what) => console.log(`${condition ? 'ok' : 'not ok'} - ${what}`);

// the digits of ids; null remains null
const digits = (ids) => ids && ids.map((id) => (id ? id.toString() : id));
export const equal = (a, b) => same(digits(a), digits(b));

// 1,000 ids, sorted: the counter of the library may wrap
export const newIds = () => Array.from({ length: 1000 }, () => new ObjectId()).sort((a, b) => Buffer.compare(a.id, b.id));

const date = new Date('2025-02-20T05:00:00Z');
const from = (first, rows) => same(rows.map((row) => row.n), Array.from({ length: 10000 - first }, (_, i) => first + i));

// The checks of every client.  It has these functions:
//   insert(rows)             inserts rows of "made"
//   made()                   the ids of these rows, in order
//   generated(), document()  the rows of "generated", the row of "document"
//   count(operator, value)   the number of these rows of "made" by "id = value", <, or IN
//   find(id)                 the rows of "document" with this id
//   later(date, since)       the rows of "dated" with id > date and, in since, those with date <= id, by n
//   nothing()                a NULL
//   invalid(digits)          a query with these digits, which is rejected with an error that has the SQLSTATE code(error)
//   lists(arrays)            inserts these arrays into "list", returns them in order; missing if the client has no arrays
// and "strings" if ids are strings of digits.
export async function checks(how, client) {
  const write = client.strings ? String : (id) => id;
  const right = (id) => (client.strings ? typeof id === 'string' : id instanceof ObjectId);
  const ids = newIds();
  await client.insert(ids.map((id) => ({ how, id: write(id), hex: id.toHexString() })));
  const made = await client.made();
  check(made.every(right) && equal(made, ids), `${how}: 1,000 ids come back equal`);

  const generated = await client.generated();
  check(generated.length === 1004
    && generated.every(({ id, seconds }) => ObjectId.createFromHexString(id.toString()).getTimestamp().getTime() === 1000 * Number(seconds)),
  `${how}: generated ids have the time of objectid_time()`);

  check(await client.nothing() === null, `${how}: NULL`);

  check(Number(await client.count('=', write(ids[500]))) === 1
    && Number(await client.count('<', write(ids[500]))) === 500
    && Number(await client.count('in', ids.slice(0, 10).map(write))) === 10, `${how}: WHERE with an ObjectId`);

  const { later, since } = await client.later(date);
  check(from(9990, later) && from(9989, since), `${how}: id > a date`);

  // the id serializes to the stored BSON, and the BSON deserializes to the id
  const { id, bson } = await client.document();
  const { _id } = deserialize(bson);
  check(right(id) && Buffer.from(bson).equals(serialize({ _id: ObjectId.createFromHexString(id.toString()) }))
    && _id.toString() === id.toString() && (await client.find(write(_id))).length === 1, `${how}: BSON`);

  if (client.lists) {
    const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
    const lists = await client.lists(arrays.map((array, n) => ({ n, ids: array })));
    check(lists.length === 4 && arrays.every((array, n) => equal(array, lists[n])), `${how}: arrays`);
  }

  await client.invalid('507f1f77bcf86cd79943901').then(
    () => check(false, 'an invalid id is SQLSTATE 22P02'),
    (error) => check((client.code ?? (({ code }) => code))(error) === '22P02', 'an invalid id is SQLSTATE 22P02'),
  );
}

// In the database "empty", without the extension, the same pool runs a migration, uses its table, reverts it, and
// runs it again, now with a different OID of the type.  use() returns an id that it has read.
export async function emptyDatabase({ migrate, use, revert, strings }) {
  const ids = [];
  for (let round = 0; round < 2; round++) {
    await migrate();
    ids.push(await use());
    await revert();
  }
  check(ids.every((id) => (strings ? ObjectId.isValid(id) && typeof id === 'string' : id instanceof ObjectId)),
    'an empty database: migrate, use, revert, migrate again');
}

export const migration = {
  up: ['CREATE EXTENSION objectid', 'CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY)'],
  down: ['DROP TABLE event', 'DROP EXTENSION objectid'],
};
