// TypeORM: bson's ObjectId for columns of type objectid.
//
//     @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' })
//     id!: ObjectId;
//
// Use objectids for objectid[].  Ids are sent as 24 digits, so the driver needs no set-up, but
// TypeORM has a fixed list of types.  register() adds this one.
import { ObjectId } from 'bson';
import pg from 'pg';

export { ObjectId };

function write(id) {
  if (id instanceof Date) {
    throw new TypeError('to compare an objectid with a Date, use Raw((id) => `${id} > :date::timestamptz`, { date })');
  }
  // not new ObjectId(id), which accepts a number
  return id && ObjectId.createFromHexString(id.toString()).toHexString();
}

// the driver may return ObjectIds
const read = (id) => id && ObjectId.createFromHexString(id.toString());

export const objectid = {
  type: 'objectid',
  transformer: { to: write, from: read },
};

export const objectids = {
  type: 'objectid',
  array: true,
  transformer: {
    to: (ids) => ids && ids.map(write),
    from: (array) => (typeof array === 'string' ? pg.types.arrayParser.create(array, read).parse() : array),
  },
};

// call this before dataSource.initialize()
export function register(dataSource) {
  dataSource.driver.supportedDataTypes.push('objectid');
  return dataSource;
}
