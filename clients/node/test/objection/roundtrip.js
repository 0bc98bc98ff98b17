import { check, checkRelation, checks, fails } from '../checks.js';

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

class Post extends Model {
  static tableName = 'post';
  static relationMappings = {
    children: { relation: Model.HasManyRelation, modelClass: Post, join: { from: 'post.id', to: 'post.parent' } },
  };
}
await checks(8, {
  example: since.length === 1 && since[0].id === id,
  strings: true,
  insert: (rows) => Event.query().into('made').insert(rows),
  made: async () => (await Event.query().from('made').orderBy('id')).map((row) => row.id),
  count: (operator, value) => Event.query().from('made').where('id', operator, value).resultSize(),
  later: (date) => Event.query().from('dated').where('id', '>', raw('?::timestamptz', [date])).orderBy('n'),
});

await db.schema.createTable('post', (table) => {
  table.specificType('id', 'objectid').defaultTo(db.raw('gen_objectid()')).primary();
  table.specificType('parent', 'objectid').references('post.id');
});
const { id: post } = await Post.query().insertGraph({ children: [{}] });
const { parent, children: [child] } = await Post.query().findById(post).withGraphFetched('children');
checkRelation(post, child.parent, parent);
const { children } = await Post.fromJson({ id: post.toUpperCase() }).$fetchGraph('children');
check(!children.length && await fails(Post.query().upsertGraph({ id: post, children: [{ id: child.id.toUpperCase() }] })),
  '$fetchGraph() and upsertGraph() take lower-case digits');
await db.destroy();
