// TypeORM: bson's ObjectId for columns of type objectid.
//
//     id: { ...objectid, primary: true, default: () => 'gen_objectid()' }
//
// Spread it in the columns of an EntitySchema, or in @Column({ ...objectid }).  Keys to
// such a column are of the type, too.  objectids is for objectid[].  Ids travel as their
// 24 digits, so the driver needs no set-up; but TypeORM has a list of the types there
// are, to which register() adds this one.
import { ObjectId } from 'bson';
import pg from 'pg';

// not new ObjectId(id), which makes an id of a number
const write = (id) => id && ObjectId.createFromHexString(id.toString()).toHexString();
const read = (digits) => digits && ObjectId.createFromHexString(digits);

export const objectid = {
  type: 'objectid',
  transformer: { to: write, from: read },
};

export const objectids = {
  type: 'objectid',
  array: true,
  transformer: {
    to: (ids) => ids && ids.map(write),
    from: (array) => array && pg.types.arrayParser.create(array, read).parse(),
  },
};

// before dataSource.initialize()
export function register(dataSource) {
  dataSource.driver.supportedDataTypes.push('objectid');
  return dataSource;
}
