// What the programs of this directory share; see t/ClientTest.pm.
import { isDeepStrictEqual as same } from 'node:util';
import { ObjectId } from 'bson';

let done = 0;
export const check = (condition, what) => console.log(`${condition ? 'ok' : 'not ok'} ${++done} - ${what}`);

// true if the promise is rejected with the right error
export const fails = (promise, right = () => true) => promise.then(() => false, right);

// The values: the vectors, with the seconds of each, and what is no id
const vectors = new Map(process.env.VECTORS.trim().split('\n').map((line) => line.split(' ')));
const refused = ['zzz', '', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', ' 507f1f77bcf86cd799439011', 5];
export const date = new Date('2025-02-20T05:00:00Z');
const hours = [9990, 9991, 9992, 9993, 9994, 9995, 9996, 9997, 9998, 9999];

// 1,000 ids and the vectors, sorted: the counter of the library may wrap
const ids = [...Array(1000), ...vectors.keys()].map((digits) => new ObjectId(digits)).sort((a, b) => Buffer.compare(a.id, b.id));

// whether these are the same ids, or arrays of ids
const digits = (ids) => (Array.isArray(ids) ? ids.map(digits) : ids && ids.toString());
export const equal = (a, b) => same(digits(a), digits(b));

const isObjectId = (id) => id instanceof ObjectId;
const isString = (id) => typeof id === 'string' && /^[0-9a-f]{24}$/.test(id);

// The plan, and the checks of every client.  It has these functions:
//   insert(rows)             inserts rows of "made"
//   made()                   the ids of these rows, in order
//   count(operator, value)   the number of these rows of "made" by "id = value", or IN
//   later(date)              the rows of "dated" with id > date, by n
//   nothing()                a NULL; missing if checkRelation() has one
//   lists(arrays)            inserts these arrays into "list", returns them in order; missing if the client has no arrays
// and "strings" if ids are strings of digits, and whether the example has the right results.
export async function checks(plan, { example = true, strings, insert, made, count, later, nothing, lists }) {
  console.log(`1..${plan}`);
  check(example, 'the example');
  const [write, isId] = strings ? [String, isString] : [(id) => id, isObjectId];
  await insert(ids.map((id) => ({ how: 'text', id: write(id), hex: id.toHexString() })));
  const found = await made();
  check(found.every(isId) && equal(found, ids), 'text: 1,000 ids come back equal');

  const read = found.map((id) => new ObjectId(id)).filter((id) => vectors.has(id.toHexString()));
  const counts = await Promise.all(read.flatMap((id) => [write(id), `${id}`.toUpperCase()]).map((id) => count('=', id)));
  check(same(read.map((id) => [Buffer.from(id.id).toString('hex'), String(id.getTimestamp() / 1000)]).sort(), [...vectors].sort())
    && counts.every((count) => Number(count) === 1), 'text: vectors');

  if (nothing) check(await nothing() === null, 'text: NULL');

  const rejected = await Promise.all(refused.map((value) => fails((async () => count('=', value))())));
  check(Number(await count('=', write(ids[500]))) === 1 && Number(await count('in', ids.slice(0, 10).map(write))) === 10
    && rejected.every(Boolean), 'text: WHERE with an ObjectId');

  check(same((await later(date)).map((row) => row.n), hours), 'text: id > a date');

  if (lists) {
    const [a, b] = ids.map(write);
    const arrays = [[a, b], [a, null], [], null, ...(strings ? [] : [[[a, null], [b, a]]])];
    const back = await lists(arrays.map((ids, n) => ({ n, ids })));
    check(back[0].every(isId) && equal(back, arrays), 'text: arrays');
  }
}

// The plan, and the checks of a client whose ids are those of a driver, or strings: the example, and later() as in checks()
export async function checkExample(plan, example, later) {
  console.log(`1..${plan}`);
  check(example, 'the example');
  check(same((await later(date)).map((row) => row.n), hours), 'id > a date');
}

// The functions of a client for which read(text, values) runs SQL, and returns the first column
export const bySql = (read) => ({
  insert: async (rows) => {
    for (const { id, hex } of rows) await read("INSERT INTO made VALUES ('text', $1, $2)", [id, hex]);
  },
  made: () => read('SELECT id FROM made ORDER BY id'),
  count: async (operator, value) =>
    (await read(`SELECT count(*) FROM made WHERE id = ${operator === 'in' ? 'ANY ($1::objectid[])' : '$1'}`, [value]))[0],
  later: async (date) => (await read('SELECT n FROM dated WHERE id > $1::timestamptz ORDER BY n', [date])).map((n) => ({ n })),
  nothing: async () => (await read('SELECT $1::objectid', [null]))[0],
  lists: async (rows) => {
    for (const { n, ids } of rows) await read('INSERT INTO list VALUES ($1, $2::objectid[])', [n, ids]);
    return read('SELECT ids FROM list ORDER BY n');
  },
});

// In the database "empty", two open connections of a pool do without the extension, have it, and have it again, with a
// different OID of the type.  A table of the type's name has a composite type of this name.
export async function checkRegister(read, register) {
  await Promise.all([read('CREATE SCHEMA a CREATE TABLE objectid (n int)'), read('SELECT 1')]);
  check(await fails(register(), ({ message }) => message.includes('CREATE EXTENSION')), 'register() without the type');
  await read('DROP SCHEMA a CASCADE');
  for (const id of ids.slice(0, 2)) {
    await read('CREATE EXTENSION objectid');
    await register();
    const bounds = "SELECT array_fill(($1::objectid[])[1], '{2}', '{0}')";
    const [[found], [list]] = await Promise.all([read('SELECT $1::objectid', [id]), read(bounds, [[id]])]);
    check(isObjectId(found) && equal([found, list], [id, [id, id]]), 'a migration');
    await read('DROP EXTENSION objectid');
  }
}

// the id of a row that an ORM of strings has read, the reference of another row to it, and a reference that is NULL
export function checkRelation(id, reference, none) {
  check(isString(id) && reference === id, 'a relation');
  check(none === null, 'text: NULL');
}
