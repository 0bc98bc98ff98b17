// See t/ClientTest.pm.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import { asc, between, count, eq, gt, inArray, isNull, lt, lte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as driven } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { bigint, customType, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import pg from 'pg';
import postgres from 'postgres';
import { check, date, equal, from, idOf, newIds, sameBson } from '../checks.js';
import { withObjectId } from '../postgres.js/objectid.mjs';
import { objectid } from './objectid.mjs';
import * as schema from './schema.js';

const { post, remark } = schema;
const made = pgTable('made', { how: text(), id: objectid(), hex: text().notNull() },
  (table) => [primaryKey({ columns: [table.how, table.id] })]);
const generated = pgTable('generated', { id: objectid(), seconds: bigint({ mode: 'number' }) });
const dated = pgTable('dated', { n: integer(), id: objectid().primaryKey() });
const bytea = customType({ dataType: () => 'bytea' });
const document = pgTable('document', { id: objectid().primaryKey(), bson: bytea() });
const list = pgTable('list', { n: integer().primaryKey(), ids: objectid().array() });

const pool = new pg.Pool();
const db = drizzle(pool, { schema });

// a migration is generated from the schema, and run; then nothing is left to migrate
const out = mkdtempSync(path.join(tmpdir(), 'drizzle-'));
try {
  const generate = () => execFileSync(process.execPath, ['../node_modules/drizzle-kit/bin.cjs', 'generate',
    '--dialect=postgresql', '--schema=./schema.js', `--out=${path.relative('.', out)}`], { stdio: 'pipe' });
  const files = () => readdirSync(out).filter((name) => name.endsWith('.sql')).length;
  generate();
  await migrate(db, { migrationsFolder: out });
  generate();
  const { rows } = await pool.query(`SELECT attname FROM pg_attribute
    WHERE attrelid IN ('post'::regclass, 'remark'::regclass) AND atttypid = 'objectid'::regtype ORDER BY attname`);
  check(files() === 1 && isDeepStrictEqual(rows.map((row) => row.attname), ['id', 'id', 'post_id']), 'a migration');
} finally {
  rmSync(out, { recursive: true });
}

// the example in docs/clients-javascript.md
const event = pgTable('event', { id: objectid().primaryKey().default(sql`gen_objectid()`), what: text() });
const [{ id }] = await db.insert(event).values({ what: 'log in' }).returning();
const [found] = await db.select().from(event).where(eq(event.id, id));
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = await db.select().from(event).where(gt(event.id, new Date('2025-01-01')));
assert(since.length === 1);

const [news] = await db.insert(post).values({ title: 'news' }).returning();
const [first, second, orphan] = await db.insert(remark).values([
  { id: new ObjectId(), postId: news.id, body: 'first' },
  { id: new ObjectId(), postId: news.id, body: 'second' },
  { body: 'of none' },
]).returning();
const withRemarks = await db.query.post.findFirst({ where: eq(post.id, news.id), with: { remarks: { orderBy: asc(remark.body) } } });
const withPost = await db.query.remark.findFirst({ where: eq(remark.id, second.id), with: { post: true } });
const joined = await db.select().from(post).innerJoin(remark, eq(remark.postId, post.id)).where(eq(remark.id, first.id));
check(equal(withRemarks.remarks.map((row) => row.id), [first.id, second.id]) && withPost.post.id.equals(news.id)
  && joined.length === 1 && joined[0].post.id.equals(news.id), 'a relation');

const ofNone = await db.select().from(remark).where(isNull(remark.postId));
check(ofNone.length === 1 && ofNone[0].postId === null && ofNone[0].id.equals(orphan.id), 'text: NULL');

const ids = newIds();
await db.insert(made).values(ids.map((oid) => ({ how: 'text', id: oid, hex: oid.toHexString() })));
check(equal((await db.select().from(made).orderBy(made.id)).map((row) => row.id), ids), 'text: 1,000 ids come back equal');

const rows = await db.select().from(generated);
check(rows.length === 1004 && rows.every((row) => row.id.getTimestamp().getTime() === 1000 * row.seconds),
  'text: generated ids have the time of objectid_time()');

const number = async (where) => (await db.select({ n: count() }).from(made).where(where))[0].n;
check(equal((await db.select().from(made).where(eq(made.id, ids[500]))).map((row) => row.id), [ids[500]])
  && await number(lt(made.id, ids[500])) === 500
  && await number(inArray(made.id, ids.slice(0, 10))) === 10, 'text: WHERE with an ObjectId');

check(from(9990, await db.select().from(dated).where(gt(dated.id, date)).orderBy(dated.n))
  && from(9989, await db.select().from(dated).where(lte(sql`${date}::timestamptz`, dated.id)).orderBy(dated.n))
  && from(9989, await db.select().from(dated).where(between(dated.id, date, new Date())).orderBy(dated.n)), 'text: id > a date');

const [stored] = await db.select().from(document);
const [again] = await db.select().from(document).where(eq(document.id, idOf(stored)));
check(sameBson(stored) && again.id.equals(stored.id), 'text: BSON');

const arrays = [ids.slice(0, 3), [ids[0], null], [], null];
await db.insert(list).values(arrays.map((array, n) => ({ n, ids: array })));
const back = await db.select().from(list).orderBy(list.n);
check(back.length === 4 && arrays.every((array, n) => equal(array, back[n].ids)), 'text: arrays');

const refuses = (value) => {
  try {
    return !db.select().from(made).where(eq(made.id, value)).toSQL();
  } catch {
    return true;
  }
};
check(refuses(undefined) && refuses(5) && refuses('507f1f77bcf86cd79943901'), 'invalid values are rejected');

await db.execute(sql`SELECT ${'507f1f77bcf86cd79943901'}::objectid`).then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.cause.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);
await pool.end();

// postgres.js, with a prepared statement, without and with its adapter
for (const options of [{}, await withObjectId()]) {
  const client = postgres(options);
  const other = driven(client);
  const prepared = other.select().from(event).where(eq(event.id, sql.placeholder('id'))).prepare('by_id');
  check(((await client`SELECT id FROM event`)[0].id instanceof ObjectId) === 'types' in options
    && equal((await prepared.execute({ id })).map((row) => row.id), [id])
    && from(9990, await other.select().from(dated).where(gt(dated.id, date)).orderBy(dated.n))
    && equal((await other.select().from(list).where(eq(list.n, 1)))[0].ids, arrays[1]), `postgres.js ${'types' in options ? 'with its adapter' : 'without its adapter'}`);
  await client.end();
}
