import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { between, eq, inArray, lt } from 'drizzle-orm';
import { drizzle as driven } from 'drizzle-orm/postgres-js';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { integer, primaryKey } from 'drizzle-orm/pg-core';
import { createInsertSchema } from 'drizzle-zod';
import { Pool } from 'pg';
import { register } from 'pg-objectid/postgres.js';
import postgres from 'postgres';
import { z } from 'zod';
import { check, checkRelation, checks, date, equal } from '../checks.js';
import * as schema from './schema.js';

const pool = new Pool();

// the example of README.md
import { gt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { objectid } from 'pg-objectid/drizzle';
const event = pgTable('event', { id: objectid().primaryKey().default(sql`gen_objectid()`), what: text() });
const db = drizzle(pool);
const [{ id }] = await db.insert(event).values({ what: 'log in' }).returning();
const since = await db.select().from(event).where(gt(event.id, new Date('2025-01-01')));

const made = pgTable('made', { how: text(), id: objectid(), hex: text().notNull() },
  (table) => [primaryKey({ columns: [table.how, table.id] })]);
const dated = pgTable('dated', { n: integer(), id: objectid().primaryKey() });
const list = pgTable('list', { n: integer().primaryKey(), ids: objectid().array() });
await checks(14, {
  example: since.length === 1 && since[0].id === id,
  strings: true,
  insert: (rows) => db.insert(made).values(rows),
  made: async () => (await db.select().from(made).orderBy(made.id)).map((row) => row.id),
  count: (operator, value) => db.$count(made, { '=': eq, in: inArray }[operator](made.id, value)),
  later: (date) => db.select().from(dated).where(gt(dated.id, date)).orderBy(dated.n),
  lists: async (rows) => {
    await db.insert(list).values(rows);
    return (await db.select().from(list).orderBy(list.n)).map((row) => row.ids);
  },
});
const conditions = [between(dated.id, date, new Date()), lt(dated.id, new Date('-000002-01-01')),
  gt(dated.id, new Date('+012025-01-01'))];
check(equal(await Promise.all(conditions.map((condition) => db.$count(dated, condition))), [11, 0, 0]),
  'between dates; dates before 0 and after 9999');

// migrations: one of your own for the extension, one that is generated from the schema; then nothing is left to generate
const kit = (...args) => execFileSync(process.execPath, ['../node_modules/drizzle-kit/bin.cjs', ...args,
  '--dialect=postgresql'], { stdio: 'pipe' }).toString();
const { PGDATABASE, PGHOST, PGPORT } = process.env;
const url = (database) => `--url=postgres://localhost/${database}?host=${PGHOST}&port=${PGPORT}`;
const changes = (...args) => kit('push', ...args).match(/No changes detected/) === null;
const generate = (...args) => kit('generate', '--schema=./schema.js', ...args);
const files = (directory = 'drizzle') => readdirSync(directory).filter((name) => name.endsWith('.sql')).sort();
generate('--custom');
writeFileSync(`drizzle/${files()[0]}`, 'CREATE EXTENSION IF NOT EXISTS objectid;');
generate();
generate();
const empty = drizzle(new Pool({ database: 'empty' }), { schema });
await migrate(empty, { migrationsFolder: 'drizzle' });
check(files().length === 2 && !changes('--schema=./schema.js', url('empty')), 'nothing is left to generate, or to push');
const { post, tenant } = schema;
const [{ id: news, parentId, tenantId, tenantIds }] = await empty.insert(post).values({}).returning();
await empty.insert(post).values({ parentId: news });
const { parent } = await empty.query.post.findFirst({ where: eq(post.parentId, news), with: { parent: true } });
checkRelation(news, parent.id, parentId);
check(equal([tenantId, ...tenantIds], [tenant, tenant]), 'a default');
await empty.$client.end();

// an existing table, as README.md says: nothing to push
await pool.query("ALTER TABLE event ADD tenant objectid DEFAULT '507f1f77bcf86cd799439011'");
kit('pull', url(PGDATABASE), '--tablesFilter=event', '--out=./pulled');
const pulled = readFileSync('pulled/schema.ts', 'utf8');
writeFileSync('pulled/schema.ts', `import { objectid } from 'pg-objectid/drizzle';\n${
  pulled.replace('unknown("id")', 'objectid("id").default(sql`gen_objectid()`)')
    .replace('unknown("tenant")', 'objectid("tenant").default("507f1f77bcf86cd799439011")')}`);
check(/database type 'objectid'\n\s*id: unknown\("id"\)\.primaryKey\(\)/.test(pulled)
  && !changes('--schema=./pulled/schema.ts', url(PGDATABASE), '--tablesFilter=event'), 'drizzle-kit pull, and push');
await pool.end();

// drizzle-zod, as README.md says
const digits = z.string().regex(/^[0-9a-f]{24}$/i).toLowerCase();
const insertable = createInsertSchema(event, { id: digits.optional() });
check(createInsertSchema(event).safeParse({ id: 5 }).success
  && insertable.parse({ id: id.toUpperCase() }).id === id && insertable.safeParse({}).success
  && [5, 'zzz', null, `${id}0`].every((value) => !insertable.safeParse({ id: value }).success), 'drizzle-zod');

// a driver that returns ObjectIds
const client = postgres();
await register(client);
const other = driven(client);
const [{ ids }] = await other.select().from(list).where(eq(list.n, 1));
check((await other.select().from(dated).where(gt(dated.id, date))).length === 10
  && typeof ids[0] === 'string' && ids[1] === null, 'postgres.js');
await client.end();
