// TypeORM: bson's ObjectId for columns of type objectid.
//
//     @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' })
//     id!: ObjectId;
//
// Use objectids for objectid[].  Ids are sent as 24 digits, so the driver needs no set-up, but
// TypeORM has a fixed list of types.  register() adds this one.
import { ObjectId } from 'bson';
import pg from 'pg';
import type { ColumnType, DataSource } from 'typeorm';

export { ObjectId };

type Nullable<T> = T | null | undefined;

function write(id: Nullable<ObjectId>): Nullable<string> {
  if (id instanceof Date) {
    throw new TypeError('to compare an objectid with a Date, use Raw((id) => `${id} > :date::timestamptz`, { date })');
  }
  // not new ObjectId(id), which accepts a number
  return id && ObjectId.createFromHexString(id.toString()).toHexString();
}

// the driver may return ObjectIds
const read = (id: string | ObjectId | null) => (id ? ObjectId.createFromHexString(id.toString()) : null);

const { arrayParser } = pg.types as any; // whose declaration lacks create()

/** Options of a column of type objectid. */
export const objectid = {
  type: 'objectid' as ColumnType,
  transformer: { to: write, from: read },
};

/** Options of a column of type objectid[]. */
export const objectids = {
  type: objectid.type,
  array: true as const,
  transformer: {
    to: (ids: Nullable<(ObjectId | null)[]>) => ids && ids.map(write),
    from: (array: string | (ObjectId | null)[] | null): (ObjectId | null)[] | null =>
      (typeof array === 'string' ? arrayParser.create(array, read).parse() : array),
  },
};

/** Adds the type to TypeORM's list, and ObjectIds to what an INSERT returns; call it before dataSource.initialize(). */
export function register(dataSource: DataSource): DataSource {
  const { driver } = dataSource;
  driver.supportedDataTypes.push(objectid.type);
  const generate = driver.createGeneratedMap.bind(driver);
  driver.createGeneratedMap = (metadata, ...row) => {
    const map = generate(metadata, ...row);
    for (const column of map ? metadata.columns.filter(({ type }) => type === objectid.type) : []) {
      const value = column.getEntityValue(map!);
      if (value) column.setEntityValue(map!, driver.prepareHydratedValue(value, column));
    }
    return map;
  };
  return dataSource;
}
