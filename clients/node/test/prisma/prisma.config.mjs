// The database for `prisma migrate`; the client gets its database from the adapter.
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: 'postgresql://' },
});
