// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { check, checks, emptyDatabase, fails, plan } from '../checks.js';

plan(8);

// the example of README.md
import knex from 'knex';
import { Model, raw } from 'objection';
const db = knex({ client: 'pg', connection: {} });

class Event extends Model {
  static tableName = 'event';
}
Event.knex(db);

const { id } = await Event.query().insert({ what: 'log in' });
const found = await Event.query().findById(id);
const since = await Event.query().where('id', '>', raw('?::timestamptz', [new Date('2025-01-01')]));
assert(found.id === id && since.length === 1);

class Made extends Model {
  static tableName = 'made';
  static idColumn = ['how', 'id'];
}
class Dated extends Model {
  static tableName = 'dated';
}
Made.knex(db);
Dated.knex(db);
await checks({
  strings: true,
  insert: (rows) => Made.query().insert(rows),
  made: async () => (await Made.query().orderBy('id')).map((row) => row.id),
  count: (operator, value) => Made.query().where('id', operator, value).resultSize(),
  later: (date) => Dated.query().where('id', '>', raw('?::timestamptz', [date])).orderBy('n'),
});
await db.destroy();

const empty = knex({ client: 'pg', connection: { database: 'empty' } });
class Post extends Model {
  static tableName = 'post';
  static relationMappings = () => ({
    remarks: { relation: Model.HasManyRelation, modelClass: Remark, join: { from: 'post.id', to: 'remark.post_id' } },
  });
}
class Remark extends Model {
  static tableName = 'remark';
  static relationMappings = () => ({
    post: { relation: Model.BelongsToOneRelation, modelClass: Post, join: { from: 'remark.post_id', to: 'post.id' } },
  });
}
Post.knex(empty);
Remark.knex(empty);
const key = (table) => table.specificType('id', 'objectid').defaultTo(empty.raw('gen_objectid()')).primary();
await emptyDatabase({
  strings: true,
  migrate: async () => {
    await empty.raw('CREATE EXTENSION objectid');
    await empty.schema.createTable('post', key);
    await empty.schema.createTable('remark', (table) => {
      key(table);
      table.specificType('post_id', 'objectid').references('post.id');
    });
  },
  use: async () => {
    const { id: post } = await Post.query().insertGraph({ remarks: [{}] });
    await Remark.query().insert({});
    const { remarks: [first] } = await Post.query().findById(post).withGraphFetched('remarks');
    const { remarks } = await Post.fromJson({ id: post.toUpperCase() }).$fetchGraph('remarks');
    check(!remarks.length && await fails(Post.query().upsertGraph({ id: post, remarks: [{ id: first.id.toUpperCase() }] }))
      && await Remark.query().resultSize() === 2, '$fetchGraph() and upsertGraph() take lower-case digits');
    return [post, first.post_id, (await Remark.query().whereNull('post_id').first()).post_id];
  },
  revert: () => empty.raw('DROP TABLE remark, post; DROP EXTENSION objectid'),
});
await empty.destroy();
