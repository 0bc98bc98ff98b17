import type { ClientBase } from 'pg';

/** Makes the client return ObjectIds for columns of type objectid. */
export function register(client: ClientBase, typeName?: string): Promise<void>;
