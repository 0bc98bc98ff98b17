// TypeORM: bson's ObjectId for columns of type objectid.
//
//     @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' })
//     id!: ObjectId;
//
// In an EntitySchema it is { ...objectid, primary: true, ... }.  Foreign keys to such a
// column are of the type, too.  objectids is for objectid[].  Ids travel as their 24
// digits, so the driver needs no set-up; but TypeORM has a list of the types there are,
// to which register() adds this one.
//
// MoreThan(date) cannot say that its parameter is a date, so this takes SQL:
//     { id: Raw((id) => `${id} > :date::timestamptz`, { date }) }
const { ObjectId } = require('bson');
const pg = require('pg');

function write(id) {
  if (id instanceof Date) {
    throw new TypeError('to compare an objectid with a Date, use Raw((id) => `${id} > :date::timestamptz`, { date })');
  }
  // not new ObjectId(id), which makes an id of a number
  return id && ObjectId.createFromHexString(id.toString()).toHexString();
}

// the driver may give ObjectIds already
const read = (id) => id && ObjectId.createFromHexString(id.toString());

const objectid = {
  type: 'objectid',
  transformer: { to: write, from: read },
};

const objectids = {
  type: 'objectid',
  array: true,
  transformer: {
    to: (ids) => ids && ids.map(write),
    from: (array) => (typeof array === 'string' ? pg.types.arrayParser.create(array, read).parse() : array),
  },
};

// before dataSource.initialize()
function register(dataSource) {
  dataSource.driver.supportedDataTypes.push('objectid');
  return dataSource;
}

module.exports = { objectid, objectids, register };
