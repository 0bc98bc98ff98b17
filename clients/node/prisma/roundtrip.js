// See t/ClientTest.pm.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { ObjectId } from 'bson';
import { objectids } from 'pg-objectid/prisma';
import { check, checks, emptyDatabase, equal } from '../checks.js';

// Prisma's program; schema-engine.mjs avoids a download
const run = (...args) => execFileSync(process.execPath, ['../node_modules/prisma/build/index.js', ...args],
  { encoding: 'utf8', env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('schema-engine.mjs'), CHECKPOINT_DISABLE: '1' }, stdio: 'pipe' });
run('generate');
const { default: { PrismaClient } } = await import('./generated/index.js');

// a migration is generated from the schema, its type replaced, and run; three of the tables exist already
writeFileSync('before.prisma', readFileSync('schema.prisma', 'utf8').replace(/^model (Post|Remark) [^]*?^}$/gm, ''));
const made = run('migrate', 'diff', '--script', '--from-schema', 'before.prisma', '--to-schema', 'schema.prisma');
const kept = readFileSync('migrations/20240101000000_posts/migration.sql', 'utf8');
run('migrate', 'resolve', '--applied', '0_objectid');
run('migrate', 'deploy');
check(made.trim() === kept.replaceAll('objectid NOT NULL', 'TEXT NOT NULL').replaceAll('objectid,', 'TEXT,').trim()
  && run('migrate', 'status').includes('up to date'), 'a migration');

const adapter = new PrismaPg({});
const plain = new PrismaClient({ adapter });

// the example in docs/clients-javascript.md
const prisma = new PrismaClient({ adapter }).$extends(objectids({ event: ['id'], post: ['id'], remark: ['id', 'postId?'] }));

const { id } = await prisma.event.create({ data: { what: 'log in' } });
const found = await prisma.event.findUniqueOrThrow({ where: { id: id.toHexString() } });
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = ObjectId.createFromTime(Date.parse('2025-01-01') / 1000);
const later = await prisma.event.findMany({ where: { id: { gte: since.toHexString() } } });
assert(later.length === 1);

const all = prisma.$extends(objectids({ made: ['id'] }));

const news = await prisma.post.create({
  data: { id: new ObjectId().toHexString(), title: 'news', remarks: { create: [{ id: new ObjectId().toHexString(), body: 'first' }] } },
  include: { remarks: true },
});
const remark = await prisma.remark.findFirst({ where: { post: { id: news.id.toHexString() } }, include: { post: true } });
check(equal(news.remarks.map((row) => row.id), [remark.id]) && remark.post.id.equals(news.id), 'a relation');

await prisma.remark.create({ data: { body: 'of none' } });
await checks('text', {
  insert: (rows) => prisma.made.createMany({ data: rows.map((row) => ({ ...row, id: row.id.toHexString() })) }),
  made: async () => (await all.made.findMany({ orderBy: { id: 'asc' } })).map((row) => row.id),
  nothing: async () => (await prisma.remark.findFirst({ where: { postId: null } })).postId,
  count: (operator, value) => prisma.made.count({ where: { id: {
    [{ '=': 'equals', in: 'in' }[operator]]: operator === 'in' ? value.map(String) : value.toString(),
  } } }),
  later: (date) => prisma.$queryRaw`SELECT n FROM dated WHERE id > ${date.toISOString()}::timestamptz ORDER BY n`,
});

check(typeof (await plain.made.findFirst()).id === 'string', 'no set-up: string in, string out');
await plain.$disconnect();

process.env.PGDATABASE = 'empty';
const empty = new PrismaClient({ adapter: new PrismaPg({ database: 'empty' }) }).$extends(objectids({ post: ['id'] }));
await emptyDatabase({
  migrate: () => run('migrate', 'deploy'),
  use: async () => (await empty.post.create({ data: {} })).id,
  revert: async () => {
    await empty.$executeRaw`DROP TABLE remark, post, _prisma_migrations`;
    await empty.$executeRaw`DROP EXTENSION objectid`;
  },
});
await empty.$disconnect();
