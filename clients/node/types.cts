// The types of the CommonJS adapters; see t/client_node_modules.pl.
import { ObjectId } from 'bson';
import { eq, gt } from 'drizzle-orm';
import { pgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import postgres from 'postgres';
import { Column, DataSource } from 'typeorm';
import { objectid } from './drizzle/objectid.cjs';
import { register } from './node-postgres/objectid.cjs';
import { withObjectId } from './postgres.js/objectid.cjs';
import { objectids } from './prisma/objectid.cjs';
import * as typeorm from './typeorm/objectid.cjs';
import type { Same } from './types.d.ts';

const event = pgTable('event', { id: objectid().primaryKey() });
const column: Same<typeof event.$inferSelect.id, ObjectId> = true;
eq(event.id, new ObjectId());
gt(event.id, new Date());

const pool = new pg.Pool({ onConnect: (client) => register(client) });
withObjectId().then((options) => postgres(options)).then((sql) => sql`SELECT ${new ObjectId()}`);

class Event {
  @Column({ ...typeorm.objectid, primary: true })
  id!: ObjectId;
}
typeorm.register(new DataSource({ type: 'postgres', entities: [Event] }));

const { compute } = objectids({ remark: ['postId?'] }).result.remark.postId;
const nullable: Same<ReturnType<typeof compute>, ObjectId | null> = true;
