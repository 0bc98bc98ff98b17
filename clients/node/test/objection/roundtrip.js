import { checks } from '../checks.js';

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

await checks(6, {
  example: since.length === 1 && since[0].id === id,
  strings: true,
  insert: (rows) => Event.query().into('made').insert(rows),
  made: async () => (await Event.query().from('made').orderBy('id')).map((row) => row.id),
  count: (operator, value) => Event.query().from('made').where('id', operator, value).resultSize(),
  later: (date) => Event.query().from('dated').where('id', '>', raw('?::timestamptz', [date])).orderBy('n'),
  nothing: async () => (await db.raw('SELECT ?::objectid AS id', [null])).rows[0].id,
});
await db.destroy();
