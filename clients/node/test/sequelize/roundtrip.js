import { check, checkExample } from '../checks.js';

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

const Dated = sequelize.define('dated', { n: DataTypes.INTEGER, id: key });
const same = await Event.findAll({ where: { id: [id] } });
await checkExample(4, typeof id === 'string' && same.length === 1 && since[0].id === id, (date) =>
  Dated.findAll({ where: { id: { [Op.gt]: Sequelize.cast(date, 'timestamptz') } }, order: ['n'] }));

const List = sequelize.define('list', { n: { type: DataTypes.INTEGER, primaryKey: true }, ids: 'objectid[]', none: 'objectid' });
await List.sync({ force: true });
const { ids, none } = await (await List.create({ n: 1, ids: `{${id},NULL}` })).reload();
check(ids === `{${id},NULL}`, 'an array is a string');
check(none === null, 'NULL');
await sequelize.close();
