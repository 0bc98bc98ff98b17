// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { between, count, inArray, isNull, lt } from 'drizzle-orm';
import { drizzle as driven } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { integer, primaryKey } from 'drizzle-orm/pg-core';
import { createInsertSchema } from 'drizzle-zod';
import { register } from 'pg-objectid/postgres.js';
import postgres from 'postgres';
import { z } from 'zod';
import { check, checks, emptyDatabase, equal, fails, plan } from '../checks.js';
import * as schema from './schema.js';

plan(22);

// the example in docs/clients-javascript.md
import { eq, gt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { ObjectId, objectid } from 'pg-objectid/drizzle';
const event = pgTable('event', { id: objectid().primaryKey().default(sql`gen_objectid()`), what: text() });
const pool = new Pool();
const db = drizzle(pool);
const [{ id }] = await db.insert(event).values({ what: 'log in' }).returning();
const [found] = await db.select().from(event).where(eq(event.id, id));
const since = await db.select().from(event).where(gt(event.id, new Date('2025-01-01')));
assert(found.id instanceof ObjectId && found.id.equals(id) && since.length === 1);

const { post, remark } = schema;
const made = pgTable('made', { how: text(), id: objectid(), hex: text().notNull() },
  (table) => [primaryKey({ columns: [table.how, table.id] })]);
const dated = pgTable('dated', { n: integer(), id: objectid().primaryKey() });
const list = pgTable('list', { n: integer().primaryKey(), ids: objectid().array() });

// migrations: one of your own for the extension, one that is generated from the schema; then nothing is left to generate
const kit = (...args) => execFileSync(process.execPath, ['../node_modules/drizzle-kit/bin.cjs', ...args,
  '--dialect=postgresql'], { stdio: 'pipe' });
const generate = (...args) => kit('generate', '--schema=./schema.js', '--out=./drizzle', ...args);
const files = (directory = 'drizzle') => readdirSync(directory).filter((name) => name.endsWith('.sql')).sort();
generate('--custom', '--name=objectid');
writeFileSync(`drizzle/${files()[0]}`, 'CREATE EXTENSION IF NOT EXISTS objectid;');
generate();
generate();
check(files().length === 2 && readFileSync(`drizzle/${files()[1]}`, 'utf8').match(/" "objectid"/g).length === 3, 'a migration');
const empty = drizzle(new Pool({ database: 'empty' }), { schema });
await emptyDatabase({
  migrate: () => migrate(empty, { migrationsFolder: 'drizzle' }),
  use: async () => {
    const [{ id: news }] = await empty.insert(post).values({}).returning();
    await empty.insert(remark).values([{ id: new ObjectId(), postId: news }, {}]);
    const { remarks: [first] } = await empty.query.post.findFirst({ where: eq(post.id, news), with: { remarks: true } });
    const withPost = await empty.query.remark.findFirst({ where: eq(remark.id, first.id), with: { post: true } });
    return [news, withPost.post.id, (await empty.select().from(remark).where(isNull(remark.postId)))[0].postId];
  },
  revert: () => empty.execute('DROP TABLE remark, post; DROP SCHEMA drizzle CASCADE; DROP EXTENSION objectid'),
});
await empty.$client.end();

// an existing table, as docs/clients-javascript.md says: nothing to generate
const pull = (table, directory) => {
  kit('pull', `--url=postgres://localhost/${process.env.PGDATABASE}?host=${process.env.PGHOST}&port=${process.env.PGPORT}`,
    `--tablesFilter=${table}`, `--out=./${directory}`);
  return readFileSync(`${directory}/schema.ts`, 'utf8');
};
const pulled = pull('event', 'pulled');
writeFileSync('pulled/schema.ts', `import { objectid } from 'pg-objectid/drizzle';\n${
  pulled.replace('unknown("id")', 'objectid("id").default(sql`gen_objectid()`)')}`);
kit('generate', '--schema=./pulled/schema.ts', '--out=./pulled');
check(/database type 'objectid'\n\s*id: unknown\("id"\)\.primaryKey\(\)/.test(pulled) && files('pulled').length === 1,
  'drizzle-kit pull');
await pool.query('CREATE DOMAIN key AS objectid; CREATE TABLE keyed (id key)');
check(/database type 'key'\n\s*id: unknown\("id"\)/.test(pull('keyed', 'keyed')), 'drizzle-kit pull of a domain');

const later = (of, date) => of.select().from(dated).where(gt(dated.id, date)).orderBy(dated.n);
await checks('text', {
  insert: (rows) => db.insert(made).values(rows),
  made: async () => (await db.select().from(made).orderBy(made.id)).map((row) => row.id),
  count: async (operator, value) => (await db.select({ n: count() }).from(made)
    .where({ '=': eq, in: inArray }[operator](made.id, value)))[0].n,
  later: (date) => later(db, date),
  lists: async (rows) => {
    await db.insert(list).values(rows);
    return (await db.select().from(list).orderBy(list.n)).map((row) => row.ids);
  },
});
const [from, to] = [new Date('2025-02-20T05:00:00Z'), new Date()];
check((await db.select().from(dated).where(between(dated.id, from, to))).length === 11, 'between dates');
const far = [lt(dated.id, new Date('-000002-01-01')), gt(dated.id, new Date('+012025-01-01'))];
check((await Promise.all(far.map((condition) => db.select().from(dated).where(condition)))).flat().length === 0,
  'dates before 0 and after 9999');

const refused = [undefined, 5, '507f1f77bcf86cd79943901']
  .map((value) => fails((async () => db.select().from(made).where(eq(made.id, value)))()));
check((await Promise.all(refused)).every(Boolean), 'invalid values are rejected');
await pool.end();

// drizzle-zod, as docs/clients-javascript.md says
const digits = z.string().regex(/^[0-9a-f]{24}$/i).transform((id) => new ObjectId(id));
const insertable = createInsertSchema(event, { id: digits.optional() });
check(createInsertSchema(event).safeParse({ id: 5 }).success, 'drizzle-zod takes anything for an id');
check(insertable.parse({ id: String(id) }).id.equals(id) && insertable.safeParse({}).success
  && [5, 'zzz', null, `${id}0`].every((value) => !insertable.safeParse({ id: value }).success), 'drizzle-zod with digits');

// postgres.js, with a prepared statement, without and with its adapter
for (const client of [postgres(), await register(postgres())]) {
  const other = driven(client);
  const prepared = other.select().from(event).where(eq(event.id, sql.placeholder('id'))).prepare('by_id');
  const returned = (await client`SELECT id FROM event`)[0].id;
  check(equal((await prepared.execute({ id })).map((row) => row.id), [id]) && (await later(other, from)).length === 10
    && equal((await other.select().from(list).where(eq(list.n, 1)))[0].ids.slice(1), [null]),
  `postgres.js ${returned instanceof ObjectId ? 'with its adapter' : 'without its adapter'}`);
  await client.end();
}
