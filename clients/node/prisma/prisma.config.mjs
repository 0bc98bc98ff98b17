// Where the database is, for `prisma migrate`; the client is told by its adapter.
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  datasource: { url: 'postgresql://' },
});
