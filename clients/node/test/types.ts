// The types of the adapters, and the example for TypeORM of README.md; see t/node.pl.
import { between, eq, gt, lt, sql as drizzleSql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text } from 'drizzle-orm/pg-core';
import { Kysely, PostgresDialect, sql, type Generated } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import pg from 'pg';
import { objectid as drizzleObjectid } from 'pg-objectid/drizzle';
import { ObjectId, register as registerTypes } from 'pg-objectid/node-postgres';
import { register as registerAll } from 'pg-objectid/postgres.js';
import postgres from 'postgres';

// true if two types are the same; any is not the same as ObjectId
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;

// the example of README.md
import { objectid, objectids, register } from 'pg-objectid/typeorm';
import { Column, DataSource, Entity, PrimaryColumn, Raw } from 'typeorm';

@Entity('event')
class Event {
  @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' }) id!: string;
  @Column({ type: 'text', nullable: true }) what!: string | null;
}

const dataSource = register(new DataSource({ type: 'postgres', entities: [Event] }));

export class List {
  @Column(objectid) userId!: string;
  @Column({ ...objectids, nullable: true }) ids!: (string | null)[] | null;
}
// @ts-expect-error
register(new List());

const event = pgTable('event', { id: drizzleObjectid().primaryKey().default(drizzleSql`gen_objectid()`), what: text() });
const remark = pgTable('remark', {
  post: drizzleObjectid('post_id').references(() => event.id),
  tenant: drizzleObjectid().default('507f1f77bcf86cd799439011').notNull(),
  all: drizzleObjectid().array(),
});
const date = new Date();
lt(remark.post, date);
between(event.id, date, date);
between(event.id, '507f1f77bcf86cd799439011', '507f1f77bcf86cd799439011');
// @ts-expect-error
eq(event.id, 5);
// @ts-expect-error: only columns of ids accept a date
gt(event.what, date);
// @ts-expect-error: an object would be a default without quotes
drizzleObjectid().default(date);

export async function results(id: ObjectId) {
  const types = new pg.TypeOverrides();
  const pool = new pg.Pool({ types });
  await registerTypes(pool, types);
  await registerTypes(new pg.Client());
  // @ts-expect-error: the types of a pool are an argument
  await registerTypes(pool);

  const kysely = new Kysely<{ event: { id: Generated<ObjectId> } }>({ dialect: new PostgresDialect({ pool }) });
  const events = kysely.selectFrom('event');
  const [since] = await events.selectAll().where('id', '>', sql<ObjectId>`${date}::timestamptz`).execute();
  const inJson = events.select(sql<string>`id::text`.as('id'));
  const [json] = await events.select(jsonArrayFrom(inJson).as('ids')).execute();

  const registered = await registerAll(postgres({ types: { bigint: postgres.BigInt } }));
  await registered`SELECT ${id}, ${[id]}::objectid[], ${1n}`;
  // @ts-expect-error: without the adapter an ObjectId is not a parameter
  await postgres()`SELECT ${id}`;

  const [row] = await drizzle(pool).select().from(remark);
  const same: [
    Same<typeof since.id, ObjectId>,
    Same<(typeof json.ids)[0]['id'], string>,
    Same<typeof row, { post: string | null; tenant: string; all: string[] | null }>,
  ] = [true, true, true];
  return same;
}
