// Functions that the programs of clients/node/*/ share; see t/ClientTest.pm.
import { isDeepStrictEqual } from 'node:util';
import { deserialize, ObjectId, serialize } from 'bson';

export const check = (condition, what) => console.log(`${condition ? 'ok' : 'not ok'} - ${what}`);

// the digits of ids; null remains null
export const digits = (ids) => ids && ids.map((id) => (id ? id.toString() : id));
export const equal = (a, b) => isDeepStrictEqual(digits(a), digits(b));

// 1,000 ids, sorted: the counter of the library may wrap
export const newIds = () => Array.from({ length: 1000 }, () => new ObjectId()).sort((a, b) => Buffer.compare(a.id, b.id));

// the date of the condition on "dated", and a check of the rows that it returns
export const date = new Date('2025-02-20T05:00:00Z');
export const from = (first, rows) => isDeepStrictEqual(rows.map((row) => row.n), Array.from({ length: 10000 - first }, (_, i) => first + i));

// The row of "document": the id serializes to the stored BSON, and the BSON deserializes to the id.
export const sameBson = ({ id, bson }) => id instanceof ObjectId && Buffer.from(bson).equals(serialize({ _id: id })) && id.equals(deserialize(bson)._id);
export const idOf = ({ bson }) => deserialize(bson)._id;
