// The examples of docs/clients-javascript.md, for tsc; see t/client_node_modules.pl.
import assert from 'node:assert';
import { ObjectId } from 'bson';
import { Column, DataSource, Entity, EntitySchema, PrimaryColumn, Raw } from 'typeorm';
import { objectid, objectids, register } from './objectid.mjs';
import type { Same } from '../types.d.ts';

@Entity('event')
class Event {
  @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' })
  id!: ObjectId;

  @Column({ type: 'text', nullable: true })
  what!: string | null;
}

const { manager } = await register(new DataSource({ type: 'postgres', entities: [Event] })).initialize();

const { id } = await manager.save(Event, { what: 'log in' });
const found = await manager.findOneByOrFail(Event, { id });
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = { date: new Date('2025-01-01') };
const later = await manager.findBy(Event, { id: Raw((column) => `${column} > :date::timestamptz`, since) });

const result: Same<(typeof later)[0]['id'], ObjectId> = true;
new EntitySchema<Event>({ name: 'event', columns: { id: { ...objectid, primary: true, default: () => 'gen_objectid()' }, what: { type: 'text' } } });

class List {
  @Column({ ...objectid, nullable: true })
  id!: ObjectId | null;

  @Column({ ...objectids, nullable: true })
  ids!: (ObjectId | null)[] | null;
}
// @ts-expect-error
register(new List());
