// The examples of docs/clients-javascript.md, for tsc; see t/client_node_modules.pl.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import postgres from 'postgres';
import { withObjectId } from './objectid.mjs';

const sql = postgres(await withObjectId());
const id = new ObjectId();
await sql`INSERT INTO event (id, what) VALUES (${id}, 'log in')`;
const [found] = await sql`SELECT id FROM event WHERE id = ${id}`;
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = await sql`SELECT * FROM event WHERE id > ${new Date('2025-01-01')}`;

const url = 'postgres://localhost/';
const more = postgres(url, await withObjectId({ max: 5, types: { bigint: postgres.BigInt } }, url, 'extensions.objectid'));
await more`SELECT ${[id]}::objectid[], ${since.length}, ${1n}`;
// @ts-expect-error
await withObjectId(5);
// @ts-expect-error: without the adapter an ObjectId is not a parameter
await postgres()`SELECT ${id}`;
