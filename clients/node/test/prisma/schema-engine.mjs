#!/usr/bin/env node
// For the test. `prisma migrate` calls the schema engine, a program that Prisma downloads from its own host. This runs
// the WebAssembly form of it, which npm has: JSON-RPC, one message a line.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import * as bindings from '../node_modules/@prisma/schema-engine-wasm/schema_engine_bg.js';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const wasm = readFileSync(new URL('../node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm', import.meta.url));
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
bindings.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

// The engine reads columns of type "char", which the adapter refuses; as text, but not of 18's constraints for NOT NULL
const pool = new pg.Pool();
pool.query = async (...args) => {
  const result = await pg.Pool.prototype.query.apply(pool, args);
  result.rows = result.fields.some((field) => field.name === 'constraint_type') ? [] : result.rows;
  result.fields.filter((field) => field.dataTypeID === 18).forEach((field) => Object.assign(field, { dataTypeID: 25 }));
  return result;
};
const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
const engine = await bindings.SchemaEngine.new({}, () => {}, adapter);

// "cli can-connect-to-database" is answered by now
for await (const line of process.argv.includes('can-connect-to-database') ? [] : createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (method) {
    try {
      const result = await engine[method](params);
      if (result?.stdout) {
        send({ id: 0, method: 'print', params: { content: result.stdout } });
      }
      send({ id, result: result ?? null });
    } catch (error) {
      send({ id, error: { code: 1, message: error.message, data: { message: error.message } } });
    }
  }
}
process.exit();
