// The example for TypeORM of README.md, and the types of the adapter; see clients/t/node.pl.
import { EntitySchema } from 'typeorm';

// the example
import { objectid, objectids, register } from 'pg-objectid/typeorm';
import { Column, DataSource, Entity, PrimaryColumn, type MigrationInterface, type QueryRunner } from 'typeorm';

@Entity('event')
class Event {
  @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' }) id!: string;
  @Column({ type: 'text', nullable: true }) what!: string | null;
}

class Objectid1700000000000 implements MigrationInterface {
  up = (runner: QueryRunner) => runner.query('CREATE EXTENSION IF NOT EXISTS objectid');
  down = (runner: QueryRunner) => runner.query('DROP EXTENSION objectid');
}

const dataSource = register(new DataSource({ type: 'postgres', entities: [Event], migrations: [Objectid1700000000000] }));

export class List {
  @Column(objectid) userId!: string;
  @Column({ ...objectids, nullable: true }) ids!: (string | null)[] | null;
}
export const schema = new EntitySchema<Event>({
  name: 'event',
  columns: { id: { ...objectid, primary: true, default: () => 'gen_objectid()' }, what: { type: 'text' } },
});
// @ts-expect-error
register(new List());
export const { isInitialized } = dataSource;
