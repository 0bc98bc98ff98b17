// TypeORM: columns of type objectid.  An id is a string of 24 lower-case digits.
//
//     @PrimaryColumn({ ...objectid, default: () => 'gen_objectid()' })
//     id!: string;
//
// Use objectids for objectid[].  TypeORM compares ids by ===, and takes an object in the column of a
// foreign key for the related entity, so an ObjectId in an entity is lost.
import type { ColumnType, DataSource } from 'typeorm';

/** Options of a column of type objectid. */
export const objectid = { type: 'objectid' as ColumnType };

/** Options of a column of type objectid[], whose text the driver returns. */
export const objectids = {
  ...objectid,
  array: true as const,
  transformer: {
    to: (ids?: (string | null)[] | null) => ids,
    from: (array: string | null) => array && (array.match(/\w+/g) ?? []).map((id) => (id === 'NULL' ? null : id)),
  },
};

/** TypeORM has a fixed list of types: adds this one.  Call it before dataSource.initialize(). */
export function register(dataSource: DataSource): DataSource {
  dataSource.driver.supportedDataTypes.push(objectid.type);
  return dataSource;
}
