// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check, checks, emptyDatabase, plan } from '../checks.js';

plan(15);

// Prisma's program; schema-engine.mjs avoids a download
Object.assign(process.env, { PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('schema-engine.mjs'), CHECKPOINT_DISABLE: '1' });
const run = (...args) => execFileSync(process.execPath, ['../node_modules/prisma/build/index.js', ...args],
  { encoding: 'utf8', stdio: 'pipe' });
run('generate');
const { default: { PrismaClient } } = await import('./generated/index.js');

// the example in docs/clients-javascript.md
import { PrismaPg } from '@prisma/adapter-pg';
import { ObjectId, objectids } from 'pg-objectid/prisma';
const adapter = new PrismaPg({});
const prisma = new PrismaClient({ adapter }).$extends(objectids({ event: ['id'], post: ['id'], remark: ['id', 'postId?'] }));

const { id } = await prisma.event.create({ data: { what: 'log in' } });
const found = await prisma.event.findUniqueOrThrow({ where: { id: id.toHexString() } });
const since = ObjectId.createFromTime(Date.parse('2025-01-01') / 1000);
const later = await prisma.event.findMany({ where: { id: { gte: since.toHexString() } } });
assert(found.id instanceof ObjectId && found.id.equals(id) && later.length === 1);

const given = await prisma.event.create({ data: { id: new ObjectId() } });
check((await prisma.event.findUnique({ where: { id } })).id.equals(id)
  && await prisma.event.count({ where: { id: { in: [id, given.id] } } }) === 2
  && (await prisma.event.delete({ where: { id: given.id } })).id.equals(given.id), 'arguments accept ObjectIds');

const plain = new PrismaClient({ adapter });
const all = prisma.$extends(objectids({ made: ['id'] }));

await checks('text', {
  insert: (rows) => prisma.made.createMany({ data: rows.map((row) => ({ ...row, id: row.id.toHexString() })) }),
  made: async () => (await all.made.findMany({ orderBy: { id: 'asc' } })).map((row) => row.id),
  count: (operator, value) => prisma.made.count({ where: { id: {
    [{ '=': 'equals', in: 'in' }[operator]]: operator === 'in' ? value.map(String) : value.toString(),
  } } }),
  later: (date) => prisma.$queryRaw`SELECT n FROM dated WHERE id > ${date.toISOString()}::timestamptz ORDER BY n`,
});

check(typeof (await plain.made.findFirst()).id === 'string', 'no set-up: string in, string out');
await plain.$disconnect();

// an existing table, as docs/clients-javascript.md says
check(run('db', 'pull', '--print').includes(`model Event {
  id   Unsupported("objectid") @id @default(dbgenerated("gen_objectid()"))
  what String?

  @@map("event")
  @@ignore
}
`), 'prisma db pull');

// the first migration creates the extension; the second is generated from two schema files, and its types replaced
writeFileSync('before.prisma', readFileSync('schema.prisma', 'utf8').replace(/^model (Post|Remark) [^]*?^}$/gm, ''));
const generated = run('migrate', 'diff', '--script', '--from-schema', 'before.prisma', '--to-schema', 'schema.prisma');
const migrations = ['CREATE EXTENSION IF NOT EXISTS objectid', generated.replace(/(id" )TEXT/g, '$1objectid')];
for (const [n, migration] of migrations.entries()) {
  mkdirSync(`migrations/${n}`, { recursive: true });
  writeFileSync(`migrations/${n}/migration.sql`, migration);
}

process.env.PGDATABASE = 'empty';
const empty = new PrismaClient({ adapter: new PrismaPg({ database: 'empty' }) })
  .$extends(objectids({ post: ['id'], remark: ['postId?'] }));
await emptyDatabase({
  migrate: async () => {
    run('migrate', 'deploy');
    const columns = await empty.$queryRaw`SELECT FROM pg_attribute WHERE atttypid = 'objectid'::regtype
      AND attrelid IN ('post'::regclass, 'remark'::regclass)`;
    check(columns.length === 3 && run('migrate', 'status').includes('up to date'), 'a migration');
  },
  use: async () => {
    const { id: news } = await empty.post.create({ data: { remarks: { create: [{}] } } });
    await empty.remark.create({ data: {} });
    const { remarks: [first] } = await empty.post.findUnique({ where: { id: news.toHexString() }, include: { remarks: true } });
    const none = await empty.remark.findFirst({ where: { post: null } });
    return [news, first.postId, none.postId];
  },
  revert: async () => {
    await empty.$executeRaw`DROP TABLE remark, post, _prisma_migrations`;
    await empty.$executeRaw`DROP EXTENSION objectid`;
  },
});
await empty.$disconnect();
