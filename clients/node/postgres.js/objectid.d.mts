import { ObjectId } from 'bson';
import type { Sql } from 'postgres';

export { ObjectId };

/** Makes all connections return ObjectIds for columns of type objectid. */
export function register<Types extends Record<string, unknown>>(sql: Sql<Types>): Promise<Sql<Types & { objectid: ObjectId }>>;
