// Tools that README.md has a line for; see t/node.pl.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { ObjectId } from 'bson';
import kanel from 'kanel';
import * as loopback from 'loopback-connector-postgresql';
import { DataSource } from 'loopback-datasource-juggler';
import { DataType, newDb } from 'pg-mem';

const { PGDATABASE: database, PGHOST: host, PGPORT: port, PGUSER: user } = process.env;
const connection = { host, port: Number(port), user, database };

await kanel.processDatabase({ connection, outputPath: 'kanel', customTypeMap: { 'pg_catalog.objectid': 'string' } });
assert.match(readFileSync('kanel/public/Event.ts', 'utf8'), /EventId = string/);
assert.match(readFileSync('kanel/public/List.ts', 'utf8'), /ids: string\[\] \| null/);

writeFileSync('pgtyped.sql', '/* @name find */\nSELECT event.id, ids FROM event, list WHERE event.id = :id;\n');
writeFileSync('pgtyped.json', JSON.stringify({
  srcDir: '.', transforms: [{ mode: 'sql', include: 'pgtyped.sql', emitTemplate: 'pgtyped.ts' }],
  typesOverrides: { objectid: 'string', _objectid: 'string[]' }, db: { host, port: Number(port), user, dbName: database } }));
execFileSync(process.execPath, ['node_modules/@pgtyped/cli/lib/index.js', '-c', 'pgtyped.json'], { stdio: 'pipe' });
assert.match(readFileSync('pgtyped.ts', 'utf8'), /id\?: string [^]*id: string;\n\s*ids: stringArray /);

const source = new DataSource({ connector: loopback, ...connection });
const id = { type: 'string', id: true, generated: true, useDefaultIdType: false, postgresql: { dataType: 'objectid' } };
const Event = source.define('event', { id, what: 'string' }, { postgresql: { schema: 'public', table: 'event' } });
const made = await Event.create({ what: 'log in' });
const { what } = await Event.findById(made.id);
const { count } = await Event.updateAll({ id: { inq: [made.id] } }, { what: 'log out' });
await Event.destroyById(made.id);
assert.deepStrictEqual([ObjectId.isValid(made.id), what, count, await Event.count()], [true, 'log in', 1, 0]);
await source.disconnect();

const { public: memory } = newDb();
memory.registerEquivalentType({ name: 'objectid', equivalentTo: DataType.text, isValid: ObjectId.isValid });
memory.registerFunction({
  name: 'gen_objectid', returns: DataType.text, impure: true, implementation: () => new ObjectId().toHexString() });
memory.none('CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text)');
const [row] = memory.many("INSERT INTO event (what) VALUES ('log in') RETURNING *");
assert.deepStrictEqual(memory.many(`SELECT * FROM event WHERE id = '${row.id}'`), [row]);
