// The example for Drizzle of README.md, and the types of the adapter; see clients/t/node.pl.
import { between, lt } from 'drizzle-orm';
import type { Same } from './same.js';

// the example
import { eq, gt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { objectid } from 'pg-objectid/drizzle';
const event = pgTable('event', { id: objectid().primaryKey().default(sql`gen_objectid()`), what: text() });
const pool = new Pool();
const db = drizzle(pool);

export async function example() {
  const [{ id }] = await db.insert(event).values({ what: 'log in' }).returning();
  const [found] = await db.select().from(event).where(eq(event.id, id));
  const since = await db.select().from(event).where(gt(event.id, new Date('2025-01-01')));
  const key: Same<(typeof since)[0]['id'], string> = true;
  return key && found;
}

const remark = pgTable('remark', {
  post: objectid('post_id').references(() => event.id),
  tenant: objectid().default('507f1f77bcf86cd799439011').notNull(),
  all: objectid().array(),
});
export const nullable: Same<typeof remark.$inferSelect.post, string | null> = true;
export const array: Same<typeof remark.$inferSelect.all, string[] | null> = true;
lt(remark.post, new Date());
between(event.id, '507f1f77bcf86cd799439011', '507f1f77bcf86cd799439011');
between(event.id, new Date('2025-01-01'), new Date());
// @ts-expect-error
eq(event.id, 5);
// @ts-expect-error: only columns of ids accept a date
gt(event.what, new Date());
// @ts-expect-error: an object would be a default without quotes
objectid().default(new Date());
