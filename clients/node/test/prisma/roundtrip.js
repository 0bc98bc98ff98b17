import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import * as bindings from '../node_modules/@prisma/schema-engine-wasm/schema_engine_bg.js';
import { check, checkExample, checkRelation, equal, fails } from '../checks.js';

// any program in place of the schema engine, which the command does not run, but would download
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: '1' };
execFileSync(process.execPath, ['../node_modules/prisma/build/index.js', 'generate'], { env, stdio: 'pipe' });
const { default: { PrismaClient } } = await import('./generated/index.js');

// the example of README.md
import { PrismaPg } from '@prisma/adapter-pg';
import { ObjectId } from 'bson';
const prisma = new PrismaClient({ adapter: new PrismaPg({}) });

const { id } = await prisma.event.create({ data: { what: 'log in' } });
const since = ObjectId.createFromTime(Date.parse('2025-01-01') / 1000).toHexString();
const later = await prisma.event.findMany({ where: { id: { gte: since } } });

const same = await prisma.event.findMany({ where: { id: { in: [id, since] } } });
await checkExample(8, later.length === 1 && later[0].id === id && same.length === 1, (date) =>
  prisma.$queryRaw`SELECT n FROM dated WHERE id > ${date.toISOString()}::timestamptz ORDER BY n`);

// two in one tick are one query, whose rows the client tells apart by comparing strings
const { id: other } = await prisma.event.create({ data: {} });
const upper = [id, other].map((digits) => digits.toUpperCase());
check(equal(await Promise.all(upper.map((id) => prisma.event.findUnique({ where: { id } }))), [null, null]),
  'two findUnique() of upper-case digits');
await prisma.event.delete({ where: { id: upper[1] } });

// the engine that `prisma migrate` downloads, in the form that npm has
const wasm = readFileSync('../node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm');
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
bindings.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();
const engine = await bindings.SchemaEngine.new({}, () => {}, bindMigrationAwareSqlAdapterFactory(new PrismaPg({})));
const files = [{ path: 'schema.prisma', content: readFileSync('schema.prisma', 'utf8') }];

// what `prisma migrate diff` generates, with its types replaced
const { stdout } = await engine.diff({ from: { tag: 'empty' }, to: { tag: 'schemaDatamodel', files }, script: true,
  filters: { externalTables: [], externalEnums: [] } });
const pool = new pg.Pool({ database: 'empty' });
await pool.query(`CREATE EXTENSION IF NOT EXISTS objectid; ${stdout.replace(/((?:id|ids)" )TEXT/g, '$1objectid')}`);

// arrays, as README.md says, beside one of an enum
const { rows: [{ typarray }] } = await pool.query("SELECT typarray FROM pg_type WHERE oid = 'objectid'::regtype");
const parse = pg.types.getTypeParser(1009); // of text[]
const userDefinedTypeParser = (oid, value) => (oid === typarray && value ? parse(value) : value);
const client = new PrismaClient({ adapter: new PrismaPg(pool, { userDefinedTypeParser }) });

const { post } = client;
const { id: parent } = await post.create({ data: { children: { create: [{}] } } });
const { children: [child], parentId } = await post.findUnique({ where: { id: parent }, include: { children: true } });
checkRelation(parent, child.parentId, parentId);
check((await pool.query("SELECT FROM pg_attribute WHERE attrelid = 'post'::regclass AND atttypid = 'objectid'::regtype"))
  .rowCount === 2, 'a migration');

const moods = ['good', 'bad'];
const list = await post.create({ data: { ids: [parent], moods } });
const pushed = await post.update({ where: { id: list.id }, data: { ids: { push: child.id } } });
const ids = [parent, child.id];
const conditions = [{ has: child.id }, { hasSome: ids }, { equals: ids }];
const found = await Promise.all(conditions.map((ids) => post.count({ where: { ids } })));
check(equal([list.ids, list.moods, pushed.ids, pushed.moods, found], [[parent], moods, ids, moods, [1, 1, 1]]), 'text: arrays');
const [{ all }] = await client.$queryRaw`SELECT array_agg(parent_id ORDER BY id) AS all FROM post WHERE ids IS NULL`;
await pool.query('UPDATE post SET ids = ids || NULL::objectid');
check(equal(all, [null, parent]) && await fails(post.findMany(), ({ code }) => code === 'P2023'), 'text: arrays with NULL');
await pool.end();
await prisma.$disconnect();
