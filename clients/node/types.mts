// The types of the adapters, and the TypeScript of docs/clients-javascript.md, for tsc; see t/client_node_package.pl.
import { ObjectId } from 'bson';
import { between, eq, gt, lt } from 'drizzle-orm';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { type Generated, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { objectid as column } from 'pg-objectid/drizzle';
import { register } from 'pg-objectid/node-postgres';
import { register as registerAll } from 'pg-objectid/postgres.js';
import { objectids as fields } from 'pg-objectid/prisma';
import { objectid, objectids, register as registerType } from 'pg-objectid/typeorm';
import postgres from 'postgres';
import { Column, DataSource, Entity, EntitySchema, PrimaryColumn } from 'typeorm';

/** true if two types are the same; any is not the same as ObjectId */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
const id = new ObjectId();

// node-postgres and Kysely
const dialect = new PostgresDialect({ pool: new pg.Pool({ onConnect: register }) });
// @ts-expect-error
await register(5);

interface Database {
  event: { id: Generated<ObjectId>; what: string | null };
}
const db = new Kysely<Database>({ dialect });

const date = sql<ObjectId>`${new Date('2025-01-01')}::timestamptz`;
const since = await db.selectFrom('event').selectAll().where('id', '>', date).execute();

const kysely: Same<(typeof since)[0]['id'], ObjectId> = true;

// postgres.js
const typed = await registerAll(postgres({ types: { bigint: postgres.BigInt } }));
await typed`SELECT ${id}, ${[id]}::objectid[], ${1n}`;
// @ts-expect-error: without the adapter an ObjectId is not a parameter
await postgres()`SELECT ${id}`;

// Drizzle
const event = pgTable('event', { id: column().primaryKey(), what: text() });
const remark = pgTable('remark', { post: column('post_id').references(() => event.id), all: column().array() });
const key: Same<typeof event.$inferSelect.id, ObjectId> = true;
const nullable: Same<typeof remark.$inferSelect.post, ObjectId | null> = true;
const array: Same<typeof remark.$inferSelect.all, ObjectId[] | null> = true;
eq(event.id, id);
lt(remark.post, new Date());
between(event.id, id, id);
between(event.id, new Date('2025-01-01'), new Date());
// @ts-expect-error
eq(event.id, 5);
// @ts-expect-error: only columns of ids accept a date
gt(event.what, new Date());

// TypeORM
@Entity('event')
class Event {
  @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' })
  id!: ObjectId;

  @Column({ type: 'text', nullable: true })
  what!: string | null;
}

class List {
  @Column({ ...objectids, nullable: true })
  ids!: (ObjectId | null)[] | null;
}
new EntitySchema<Event>({ name: 'event', columns: { id: { ...objectid, primary: true, default: () => 'gen_objectid()' }, what: { type: 'text' } } });
registerType(new DataSource({ type: 'postgres', entities: [Event] }));
// @ts-expect-error
registerType(new List());

// Prisma
const { result } = fields({ event: ['id'], remark: ['postId?'] });
const required: Same<ReturnType<typeof result.event.id.compute>, ObjectId> = true;
const optional: Same<ReturnType<typeof result.remark.postId.compute>, ObjectId | null> = true;
