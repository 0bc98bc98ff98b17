// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { between, count, inArray, isNull, lt } from 'drizzle-orm';
import { drizzle as driven } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { integer, primaryKey } from 'drizzle-orm/pg-core';
import { createInsertSchema } from 'drizzle-zod';
import postgres from 'postgres';
import { z } from 'zod';
import { check, checks, emptyDatabase, equal, plan } from '../checks.js';
import * as schema from './schema.js';

plan(14);

// the example of README.md
import { eq, gt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { objectid } from 'pg-objectid/drizzle';
const event = pgTable('event', { id: objectid().primaryKey().default(sql`gen_objectid()`), what: text() });
const pool = new Pool();
const db = drizzle(pool);
const [{ id }] = await db.insert(event).values({ what: 'log in' }).returning();
const [found] = await db.select().from(event).where(eq(event.id, id));
const since = await db.select().from(event).where(gt(event.id, new Date('2025-01-01')));
assert(found.id === id && since.length === 1);

const { post, remark, tenant } = schema;
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
check(files().length === 2, 'nothing is left to generate');
const empty = drizzle(new Pool({ database: 'empty' }), { schema });
await emptyDatabase({
  strings: true,
  migrate: () => migrate(empty, { migrationsFolder: 'drizzle' }),
  use: async () => {
    const [{ id: news, tenantId, tenantIds }] = await empty.insert(post).values({}).returning();
    check(equal([tenantId, ...tenantIds], [tenant, tenant]), 'a default');
    const [{ id: first }] = await empty.insert(remark).values([{ postId: news }, {}]).returning();
    const withPost = await empty.query.remark.findFirst(
      { where: eq(remark.id, first), with: { post: { with: { remarks: true } } } });
    return [news, withPost.post.remarks[0].postId,
      (await empty.select().from(remark).where(isNull(remark.postId)))[0].postId];
  },
  revert: () => empty.execute('DROP TABLE remark, post; DROP SCHEMA drizzle CASCADE; DROP EXTENSION objectid'),
});
await empty.$client.end();

// an existing table, as README.md says: nothing to generate
const pull = (table, directory) => {
  kit('pull', `--url=postgres://localhost/${process.env.PGDATABASE}?host=${process.env.PGHOST}&port=${process.env.PGPORT}`,
    `--tablesFilter=${table}`, `--out=./${directory}`);
  return readFileSync(`${directory}/schema.ts`, 'utf8');
};
const pulled = pull('event', 'pulled');
writeFileSync('pulled/schema.ts', `import { objectid } from 'pg-objectid/drizzle';\n${
  pulled.replace('unknown("id")', 'objectid("id").default(sql`gen_objectid()`)')}`);
kit('generate', '--schema=./pulled/schema.ts', '--out=./pulled');
await pool.query('CREATE DOMAIN key AS objectid; CREATE TABLE keyed (id key)');
check(/database type 'objectid'\n\s*id: unknown\("id"\)\.primaryKey\(\)/.test(pulled) && files('pulled').length === 1
  && /database type 'key'\n\s*id: unknown\("id"\)/.test(pull('keyed', 'keyed')), 'drizzle-kit pull, also of a domain');

const later = (of, date) => of.select().from(dated).where(gt(dated.id, date)).orderBy(dated.n);
await checks({
  strings: true,
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
const from = new Date('2025-02-20T05:00:00Z');
const conditions = [between(dated.id, from, new Date()), lt(dated.id, new Date('-000002-01-01')),
  gt(dated.id, new Date('+012025-01-01'))];
check(equal(await Promise.all(conditions.map((condition) => db.$count(dated, condition))), [11, 0, 0]),
  'between dates; dates before 0 and after 9999');
await pool.end();

// drizzle-zod, as README.md says
const digits = z.string().regex(/^[0-9a-f]{24}$/i).toLowerCase();
const insertable = createInsertSchema(event, { id: digits.optional() });
check(createInsertSchema(event).safeParse({ id: 5 }).success
  && insertable.parse({ id: id.toUpperCase() }).id === id && insertable.safeParse({}).success
  && [5, 'zzz', null, `${id}0`].every((value) => !insertable.safeParse({ id: value }).success), 'drizzle-zod');

// postgres.js, with a prepared statement
const client = postgres();
const other = driven(client);
const prepared = other.select().from(event).where(eq(event.id, sql.placeholder('id'))).prepare('by_id');
check((await prepared.execute({ id }))[0].id === id && (await later(other, from)).length === 10
  && equal((await other.select().from(list).where(eq(list.n, 1)))[0].ids.slice(1), [null]), 'postgres.js');
await client.end();
