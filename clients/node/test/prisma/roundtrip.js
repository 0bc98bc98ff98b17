// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { check, checks, emptyDatabase, equal, plan } from '../checks.js';

plan(11);

// Prisma's program; schema-engine.mjs avoids a download
Object.assign(process.env, { PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('schema-engine.mjs'), CHECKPOINT_DISABLE: '1' });
const run = (...args) => execFileSync(process.execPath, ['../node_modules/prisma/build/index.js', ...args],
  { encoding: 'utf8', stdio: 'pipe' });
run('generate');
const { default: { PrismaClient } } = await import('./generated/index.js');

// the example of README.md
import { PrismaPg } from '@prisma/adapter-pg';
import { ObjectId } from 'bson';
const prisma = new PrismaClient({ adapter: new PrismaPg({}) });

const { id } = await prisma.event.create({ data: { what: 'log in' } });
const found = await prisma.event.findUniqueOrThrow({ where: { id } });
const since = ObjectId.createFromTime(Date.parse('2025-01-01') / 1000).toHexString();
const later = await prisma.event.findMany({ where: { id: { gte: since } } });
assert(found.id === id && later.length === 1);

// two in one tick are one query, whose rows the client tells apart by comparing strings
const { id: other } = await prisma.event.create({ data: {} });
const both = async (method, of, ...ids) =>
  (await Promise.all(ids.map((id) => of.event[method]({ where: { id } }).catch(() => null)))).map((row) => row?.id);
const upper = [id, other].map((digits) => digits.toUpperCase());
const lower = ({ args, query }) => query({ ...args, where: { ...args.where, id: args.where.id?.toLowerCase() } });
const lowerCase = prisma.$extends({ query: { event: { findUnique: lower, findUniqueOrThrow: lower } } });
for (const method of ['findUnique', 'findUniqueOrThrow']) {
  check(equal(await both(method, prisma, ...upper), [undefined, undefined])
    && equal(await both(method, lowerCase, ...upper), [id, other]), `two ${method}() of upper-case digits need the extension`);
}
await prisma.event.delete({ where: { id: upper[1] } });

await checks({
  strings: true,
  insert: (rows) => prisma.made.createMany({ data: rows }),
  made: async () => (await prisma.made.findMany({ orderBy: { id: 'asc' } })).map((row) => row.id),
  count: (operator, value) => prisma.made.count({ where: { id: { [{ '=': 'equals', in: 'in' }[operator]]: value } } }),
  later: (date) => prisma.$queryRaw`SELECT n FROM dated WHERE id > ${date.toISOString()}::timestamptz ORDER BY n`,
});

// an existing table, as README.md says
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
const empty = new PrismaClient({ adapter: new PrismaPg({ database: 'empty' }) });
await emptyDatabase({
  strings: true,
  migrate: async () => {
    run('migrate', 'deploy');
    const columns = await empty.$queryRaw`SELECT FROM pg_attribute WHERE atttypid = 'objectid'::regtype
      AND attrelid IN ('post'::regclass, 'remark'::regclass)`;
    check(columns.length === 3 && run('migrate', 'status').includes('up to date'), 'a migration');
  },
  use: async () => {
    const { id: post } = await empty.post.create({ data: { remarks: { create: [{}] } } });
    await empty.remark.create({ data: {} });
    const { remarks: [first] } = await empty.post.findUnique({ where: { id: post }, include: { remarks: true } });
    return [post, first.postId, (await empty.remark.findFirst({ where: { post: null } })).postId];
  },
  revert: async () => {
    await empty.$executeRaw`DROP TABLE remark, post, _prisma_migrations`;
    await empty.$executeRaw`DROP EXTENSION objectid`;
  },
});
await empty.$disconnect();
await prisma.$disconnect();
