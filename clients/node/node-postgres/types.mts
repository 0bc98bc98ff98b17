// The examples of docs/clients-javascript.md, for tsc; see t/client_node_modules.pl.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import pg from 'pg';
import { register } from './objectid.mjs';

const client = new pg.Client();
await client.connect();
await register(client);
const id = new ObjectId();
await client.query('INSERT INTO event (id, what) VALUES ($1, $2)', [id, 'log in']);
const { rows: [found] } = await client.query('SELECT id FROM event WHERE id = $1', [id]);
assert(found.id instanceof ObjectId && found.id.equals(id));

const { rows } = await client.query('SELECT * FROM event WHERE id > $1::timestamptz', [new Date('2025-01-01')]);

const pool = new pg.Pool({ onConnect: (client) => register(client) });
await register(client, 'extensions.objectid');
// @ts-expect-error
await register(rows.length);
