import { check, checkRelation, checks } from '../checks.js';

const { PGHOST: host, PGPORT: port, PGUSER: username, PGDATABASE: database } = process.env;
const define = { timestamps: false, freezeTableName: true };
const options = { dialect: 'postgres', host, port, username, database, define, logging: false };

// the example of README.md
import { DataTypes, Op, Sequelize } from 'sequelize';
const sequelize = new Sequelize(options);
const key = { type: 'objectid', primaryKey: true, defaultValue: Sequelize.literal('gen_objectid()') };
const Event = sequelize.define('event', { id: key, what: DataTypes.TEXT });

const { id } = await Event.create({ what: 'log in' });
const since = await Event.findAll({ where: { id: { [Op.gt]: Sequelize.cast(new Date('2025-01-01'), 'timestamptz') } } });

const Made = sequelize.define('made',
  { how: { type: DataTypes.TEXT, primaryKey: true }, id: { type: 'objectid', primaryKey: true }, hex: DataTypes.TEXT });
const Dated = sequelize.define('dated', { n: DataTypes.INTEGER, id: key });
await checks(8, {
  example: since.length === 1 && since[0].id === id,
  strings: true,
  insert: (rows) => Made.bulkCreate(rows),
  made: async () => (await Made.findAll({ order: ['id'] })).map((row) => row.id),
  count: (operator, value) => Made.count({ where: { id: { [{ '=': Op.eq, in: Op.in }[operator]]: value } } }),
  later: (date) => Dated.findAll({ where: { id: { [Op.gt]: Sequelize.cast(date, 'timestamptz') } }, order: ['n'] }),
});

const Post = sequelize.define('post', { id: key, ids: 'objectid[]' });
Post.hasMany(Post, { as: 'children', foreignKey: 'parent' });
await Post.sync();
const post = await Post.create({ ids: `{${id},NULL}` });
await Post.create({ parent: post.id });
const { parent, ids, children: [child] } = await Post.findByPk(post.id, { include: 'children' });
checkRelation(post.id, child.parent, parent);
check(ids === `{${id},NULL}`, 'an array is a string');
await sequelize.close();
