// With an adapter Prisma takes the schema engine that is in its npm package. It is enough
// for `prisma migrate` diff, deploy, resolve and status. Of the adapter it is version 7, for
// that of 6 does not know the types of the catalogs.
import { PrismaPg } from 'prisma-adapter-pg-7';
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'schema.prisma',
  experimental: { adapter: true },
  engine: 'js',
  adapter: async () => new PrismaPg({ allowExitOnIdle: true }),
});
