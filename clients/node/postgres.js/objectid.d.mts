import type { ObjectId } from 'bson';
import type { Options, PostgresType } from 'postgres';

/** The options for postgres(), with the type objectid of their database. */
export function withObjectId<T extends Record<string, PostgresType> = {}>(
  options?: Options<T>,
  url?: string,
  typeName?: string,
): Promise<Options<T & { objectid: PostgresType<ObjectId> }>>;
