// See t/ClientTest.pm.
import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from 'bson';
import { DataTypes, Op, Sequelize } from 'sequelize';
import { check, date, digits, from, idOf, newIds, sameBson } from '../checks.js';

const sequelize = new Sequelize({
  dialect: 'postgres',
  host: process.env.PGHOST,
  port: process.env.PGPORT,
  username: process.env.PGUSER,
  database: process.env.PGDATABASE,
  define: { timestamps: false, freezeTableName: true },
  logging: false,
});

// the example in docs/clients-javascript.md
const key = { type: 'objectid', primaryKey: true, defaultValue: Sequelize.literal('gen_objectid()') };
const Event = sequelize.define('event', { id: key, what: DataTypes.TEXT });

const { id } = await Event.create({ what: 'log in' });
const found = await Event.findByPk(id);
assert(found.id === id && ObjectId.isValid(id));

{
  const date = Sequelize.cast(new Date('2025-01-01'), 'timestamptz');
  const since = await Event.findAll({ where: { id: { [Op.gt]: date } } });
  assert(since.length === 1);
}

const Made = sequelize.define('made', { how: { type: DataTypes.TEXT, primaryKey: true }, id: { type: 'objectid', primaryKey: true }, hex: DataTypes.TEXT });
const Generated = sequelize.define('generated', { id: { type: 'objectid', primaryKey: true }, seconds: DataTypes.BIGINT });
const Dated = sequelize.define('dated', { n: DataTypes.INTEGER, id: key });
const Document = sequelize.define('document', { id: key, bson: DataTypes.BLOB });

const Post = sequelize.define('post', { id: key });
const Remark = sequelize.define('remark', { id: key });
Post.hasMany(Remark, { foreignKey: 'post_id' });
Remark.belongsTo(Post, { foreignKey: 'post_id' });
await Post.sync();
await Remark.sync();
const post = await Post.create({});
const remark = await Remark.create({ post_id: post.id });
const orphan = await Remark.create({});
const joined = await Post.findByPk(post.id, { include: Remark });
check(joined.remarks.length === 1 && joined.remarks[0].id === remark.id && joined.remarks[0].post_id === post.id, 'a relation');

const ofNone = await Remark.findAll({ where: { post_id: null } });
check(ofNone.length === 1 && ofNone[0].id === orphan.id && ofNone[0].post_id === null, 'text: NULL');

const ids = newIds();
await Made.bulkCreate(ids.map((oid) => ({ how: 'text', id: oid.toHexString(), hex: oid.toHexString() })));
check(isDeepStrictEqual((await Made.findAll({ order: ['id'] })).map((row) => row.id), digits(ids)), 'text: 1,000 ids come back equal');

const rows = await Generated.findAll();
check(rows.length === 1004 && rows.every((row) => ObjectId.createFromHexString(row.id).getTimestamp().getTime() === 1000 * Number(row.seconds)),
  'text: generated ids have the time of objectid_time()');

check(await Made.count({ where: { id: ids[500].toHexString() } }) === 1
  && await Made.count({ where: { id: { [Op.lt]: ids[500].toHexString() } } }) === 500
  && await Made.count({ where: { id: digits(ids.slice(0, 10)) } }) === 10, 'text: WHERE with an ObjectId');

const timestamptz = Sequelize.cast(date, 'timestamptz');
check(from(9990, await Dated.findAll({ where: { id: { [Op.gt]: timestamptz } }, order: ['n'] }))
  && from(9989, await Dated.findAll({ where: Sequelize.where(timestamptz, Op.lte, Sequelize.col('id')), order: ['n'] })), 'text: id > a date');

const stored = await Document.findOne();
check(sameBson({ id: ObjectId.createFromHexString(stored.id), bson: stored.bson })
  && await Document.count({ where: { id: idOf(stored).toHexString() } }) === 1, 'text: BSON');

// an ObjectId is accepted as a value of a row, but not in a condition
const [given] = newIds();
check((await Post.create({ id: given })).id === given.toHexString()
  && await Post.findOne({ where: { id: given } }).then(() => false, (error) => error.message.startsWith('Invalid value')),
'create() accepts an ObjectId, where does not');

await Event.findByPk('507f1f77bcf86cd79943901').then(
  () => check(false, 'an invalid id is SQLSTATE 22P02'),
  (error) => check(error.parent.code === '22P02', 'an invalid id is SQLSTATE 22P02'),
);
await sequelize.close();
