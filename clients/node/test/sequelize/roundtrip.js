// See clients/t/ClientTest.pm.
import assert from 'node:assert';
import { check, checks, emptyDatabase, plan } from '../checks.js';

plan(8);

const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env;
const define = { timestamps: false, freezeTableName: true };
const options = { dialect: 'postgres', host, port, username, database, define, logging: false };

// the example of README.md
import { DataTypes, Op, Sequelize } from 'sequelize';
const sequelize = new Sequelize(options);
const key = { type: 'objectid', primaryKey: true, defaultValue: Sequelize.literal('gen_objectid()') };
const Event = sequelize.define('event', { id: key, what: DataTypes.TEXT });

const { id } = await Event.create({ what: 'log in' });
const found = await Event.findByPk(id);
const since = await Event.findAll({ where: { id: { [Op.gt]: Sequelize.cast(new Date('2025-01-01'), 'timestamptz') } } });
assert(found.id === id && since.length === 1);

const Made = sequelize.define('made',
  { how: { type: DataTypes.TEXT, primaryKey: true }, id: { type: 'objectid', primaryKey: true }, hex: DataTypes.TEXT });
const Dated = sequelize.define('dated', { n: DataTypes.INTEGER, id: key });
const List = sequelize.define('list', { n: { type: DataTypes.INTEGER, primaryKey: true }, ids: 'objectid[]' });

await checks({
  strings: true,
  insert: (rows) => Made.bulkCreate(rows),
  made: async () => (await Made.findAll({ order: ['id'] })).map((row) => row.id),
  count: (operator, value) => Made.count({ where: { id: { [{ '=': Op.eq, in: Op.in }[operator]]: value } } }),
  later: (date) => Dated.findAll({ where: { id: { [Op.gt]: Sequelize.cast(date, 'timestamptz') } }, order: ['n'] }),
});

// arrays are text in both directions
await List.create({ n: 1, ids: `{${id},NULL}` });
check((await List.findByPk(1)).ids === `{${id},NULL}`, 'an array is a string');
await sequelize.close();

const empty = new Sequelize({ ...options, database: 'empty' });
const Post = empty.define('post', { id: key });
const Remark = empty.define('remark', { id: key });
Post.hasMany(Remark, { foreignKey: 'post_id' });
Remark.belongsTo(Post, { foreignKey: 'post_id' });
await emptyDatabase({
  strings: true,
  migrate: async () => {
    await empty.query('CREATE EXTENSION objectid');
    await empty.sync();
  },
  use: async () => {
    const post = await Post.create({});
    await Remark.create({ post_id: post.id });
    await Remark.create({});
    const { remarks } = await Post.findByPk(post.id, { include: Remark });
    return [post.id, remarks[0].post_id, (await Remark.findOne({ where: { post_id: null } })).post_id];
  },
  revert: async () => {
    await empty.drop();
    await empty.query('DROP EXTENSION objectid');
  },
});
await empty.close();
