import { checkExample } from '../checks.js';

// the example of README.md
import knex from 'knex';
import { Model, raw } from 'objection';
const db = knex({ client: 'pg', connection: {} });

class Event extends Model {
  static tableName = 'event';
}
Model.knex(db);

const { id } = await Event.query().insert({ what: 'log in' });
const since = await Event.query().where('id', '>', raw('?::timestamptz', [new Date('2025-01-01')]));

const same = await Event.query().findByIds([id]);
await checkExample(2, typeof id === 'string' && same.length === 1 && since[0].id === id, (date) =>
  Event.query().from('dated').where('id', '>', raw('?::timestamptz', [date])).orderBy('n'));
await db.destroy();
