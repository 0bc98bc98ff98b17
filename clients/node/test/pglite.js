// plain/objectid.sql in PGlite, with the statements that docs/managed.md shows; see t/node.pl.
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

process.chdir(process.env.OBJECTID_SOURCES);
const [, example, arrays] = readFileSync('docs/managed.md', 'utf8')
  .match(/`(await db\.exec\(.*?\))`[^]*?`(await db\.refreshArrayTypes\(\))`/);
const db = await PGlite.create();
const run = (code) => new (async () => {}).constructor('db', 'readFileSync', code)(db, readFileSync);

await run(example);
await db.exec(`CREATE TABLE event (id objectid DEFAULT gen_objectid() PRIMARY KEY, what text);
  INSERT INTO event (what) VALUES ('log in');
  INSERT INTO event VALUES ('507f1f77bcf86cd799439011', 'from MongoDB')`);
const { rows } = await db.query('SELECT what FROM event WHERE id > $1::timestamptz', [new Date('2024-01-01')]);
assert.deepStrictEqual(rows, [{ what: 'log in' }]);

await run(arrays);
const ids = ['507f1f77bcf86cd799439011'];
assert.deepStrictEqual((await db.query('SELECT array_agg(id) AS ids FROM event WHERE id = ANY($1)', [ids])).rows, [{ ids }]);
await assert.rejects(db.query("INSERT INTO event VALUES ('no id')"), { code: '23514' });
