// The examples of docs/clients-javascript.md, for tsc; see t/client_node_modules.pl.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import { between, eq, gt, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { objectid } from './objectid.mjs';
import type { Same } from '../types.d.ts';

const db = drizzle(process.env.DATABASE_URL!);
const event = pgTable('event', { id: objectid().primaryKey().default(sql`gen_objectid()`), what: text() });
const [{ id }] = await db.insert(event).values({ what: 'log in' }).returning();
const [found] = await db.select().from(event).where(eq(event.id, id));
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = await db.select().from(event).where(gt(event.id, new Date('2025-01-01')));

const column: Same<typeof event.$inferSelect.id, ObjectId> = true;
const result: Same<(typeof since)[0]['id'], ObjectId> = true;
const reference = pgTable('remark', { post: objectid('post_id').references(() => event.id), all: objectid().array() });
const nullable: Same<typeof reference.$inferSelect.post, ObjectId | null> = true;
const array: Same<typeof reference.$inferSelect.all, ObjectId[] | null> = true;
lt(reference.post, new Date());
between(event.id, id, id);
between(event.id, new Date('2025-01-01'), new Date());
// @ts-expect-error
eq(event.id, 5);
// @ts-expect-error: only columns of ids accept a date
gt(event.what, new Date());
// @ts-expect-error
between(event.what, new Date(), new Date());
// @ts-expect-error
db.insert(event).values({ id: new Date() });
