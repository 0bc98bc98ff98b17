// See t/ClientTest.pm.
import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PrismaPg } from '@prisma/adapter-pg';
import { ObjectId } from 'bson';
import pg from 'pg';
import { check, date, digits, equal, from, idOf, newIds, sameBson } from '../checks.js';
import { objectids } from './objectid.mjs';

// Prisma's program; schema-engine.mjs avoids a download
const run = (...args) => execFileSync(process.execPath, ['../node_modules/prisma/build/index.js', ...args],
  { encoding: 'utf8', env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: path.resolve('schema-engine.mjs'), CHECKPOINT_DISABLE: '1' }, stdio: 'pipe' });
run('generate');
const { default: { PrismaClient } } = await import('./generated/index.js');

// a migration is generated from the schema, its type replaced, and run; three of the tables exist already
const out = mkdtempSync(path.join(tmpdir(), 'prisma-'));
try {
  const before = path.join(out, 'before.prisma');
  writeFileSync(before, readFileSync('schema.prisma', 'utf8').replace(/^model (Post|Remark) [^]*?^}$/gm, ''));
  const made = run('migrate', 'diff', '--script', '--from-schema', before, '--to-schema', 'schema.prisma');
  const kept = readFileSync('migrations/20240101000000_posts/migration.sql', 'utf8');
  run('migrate', 'resolve', '--applied', '0_before');
  run('migrate', 'deploy');
  const status = run('migrate', 'status');
  const client = new pg.Client();
  await client.connect();
  const { rows } = await client.query(`SELECT attname FROM pg_attribute
    WHERE attrelid IN ('post'::regclass, 'remark'::regclass) AND atttypid = 'objectid'::regtype ORDER BY attname`);
  await client.end();
  check(made.trim() === kept.replaceAll('objectid NOT NULL', 'TEXT NOT NULL').replaceAll('objectid,', 'TEXT,').trim()
    && status.includes('up to date') && isDeepStrictEqual(rows.map((row) => row.attname), ['id', 'id', 'post_id']), 'a migration');
} finally {
  rmSync(out, { recursive: true });
}

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

const all = prisma.$extends(objectids({ made: ['id'], generated: ['id'], document: ['id'] }));

const news = await prisma.post.create({
  data: { id: new ObjectId().toHexString(), title: 'news', remarks: { create: [{ id: new ObjectId().toHexString(), body: 'first' }, { body: 'second' }] } },
  include: { remarks: { orderBy: { body: 'asc' } } },
});
const ofNews = await prisma.remark.findMany({
  where: { post: { id: news.id.toHexString() } }, orderBy: { body: 'asc' }, include: { post: true },
});
check(isDeepStrictEqual(ofNews.map((remark) => remark.body), ['first', 'second'])
  && equal(ofNews.map((remark) => remark.id), news.remarks.map((remark) => remark.id))
  && ofNews.every((remark) => remark.post.id.equals(news.id)), 'a relation');

const orphan = await prisma.remark.create({ data: { body: 'of none' } });
const ofNone = await prisma.remark.findMany({ where: { postId: null } });
check(ofNone.length === 1 && ofNone[0].postId === null && ofNone[0].id.equals(orphan.id), 'text: NULL');

const ids = newIds();
await prisma.made.createMany({ data: ids.map((oid) => ({ how: 'text', id: oid.toHexString(), hex: oid.toHexString() })) });
check(equal((await all.made.findMany({ orderBy: { id: 'asc' } })).map((row) => row.id), ids), 'text: 1,000 ids come back equal');

const rows = await all.generated.findMany();
check(rows.length === 1004 && rows.every((row) => row.id.getTimestamp().getTime() === 1000 * Number(row.seconds)),
  'text: generated ids have the time of objectid_time()');

check((await prisma.made.findUnique({ where: { how_id: { how: 'text', id: ids[500].toHexString() } } })).hex === ids[500].toHexString()
  && await prisma.made.count({ where: { id: { lt: ids[500].toHexString() } } }) === 500
  && await prisma.made.count({ where: { id: { in: digits(ids.slice(0, 10)) } } }) === 10, 'text: WHERE with an ObjectId');

// "id > date" starts at the next second. A Date in SQL would lose its time zone.
const iso = date.toISOString();
const after = ObjectId.createFromTime(Math.floor(date.getTime() / 1000) + 1);
check(from(9990, await prisma.dated.findMany({ where: { id: { gte: after.toHexString() } }, orderBy: { n: 'asc' } }))
  && from(9990, await prisma.$queryRaw`SELECT n FROM dated WHERE id > ${iso}::timestamptz ORDER BY n`)
  && from(9989, await prisma.$queryRaw`SELECT n FROM dated WHERE ${iso}::timestamptz <= id ORDER BY n`), 'text: id > a date');

const [stored] = await all.document.findMany();
check(sameBson(stored) && await prisma.document.count({ where: { id: idOf(stored).toHexString() } }) === 1, 'text: BSON');

check((await plain.made.findFirst({ where: { id: ids[500].toHexString() } })).id === ids[500].toHexString(), 'no set-up: string in, string out');

await prisma.made.findFirst({ where: { id: '507f1f77bcf86cd79943901' } }).then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(JSON.stringify(error).includes('"22P02"'), 'an invalid id is SQLSTATE 22P02'),
);
await plain.$disconnect();
