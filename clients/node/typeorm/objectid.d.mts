import { ObjectId } from 'bson';
import type { ColumnType, DataSource } from 'typeorm';

export { ObjectId };

/** Options of a column of type objectid. */
export const objectid: {
  type: ColumnType;
  transformer: {
    to(id: ObjectId | null | undefined): string | null | undefined;
    from(id: string | null): ObjectId | null;
  };
};

/** Options of a column of type objectid[]. */
export const objectids: {
  type: ColumnType;
  array: true;
  transformer: {
    to(ids: (ObjectId | null)[] | null | undefined): (string | null)[] | null | undefined;
    from(array: string | null): (ObjectId | null)[] | null;
  };
};

/** Adds the type to TypeORM's list; call it before dataSource.initialize(). */
export function register(dataSource: DataSource): DataSource;
