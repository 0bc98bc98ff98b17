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
    // without the bounds of an array such as [0:1]={...}
    from: (array: any): (string | null)[] | null => (typeof array === 'string'
      ? (array.match(/[0-9a-f]{24}|NULL/g) ?? []).map((id) => (id === 'NULL' ? null : id))
      : array),
  },
};

/** TypeORM has a fixed list of types: adds this one.  Call it before dataSource.initialize(). */
export function register(dataSource: DataSource): DataSource {
  const { driver } = dataSource;
  driver.supportedDataTypes.push(objectid.type);
  // TypeORM puts what RETURNING returns into entities without their transformers
  const { createGeneratedMap } = driver;
  driver.createGeneratedMap = (metadata, row, ...index) => {
    const columns = metadata.columns.filter((column) => column.transformer === objectids.transformer);
    const parsed = columns.filter(({ databaseName }) => row?.[databaseName])
      .map(({ databaseName }) => [databaseName, objectids.transformer.from(row[databaseName])]);
    return createGeneratedMap.call(driver, metadata, row && { ...row, ...Object.fromEntries(parsed) }, ...index);
  };
  return dataSource;
}
