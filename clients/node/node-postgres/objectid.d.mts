import { ObjectId } from 'bson';
import type { ClientBase } from 'pg';

export { ObjectId };

/** Makes the client return ObjectIds for columns of type objectid, also if the type is created later. */
export function register(client: ClientBase): Promise<void>;
