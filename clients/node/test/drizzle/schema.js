// drizzle-kit generates a migration from this schema.
import { relations, sql } from 'drizzle-orm';
import { pgTable } from 'drizzle-orm/pg-core';
import { objectid } from 'pg-objectid/drizzle';

export const tenant = '507f1f77bcf86cd799439011';
export const post = pgTable('post', {
  id: objectid().primaryKey().default(sql`gen_objectid()`),
  parentId: objectid('parent_id').references(() => post.id),
  tenantId: objectid('tenant_id').default(tenant),
  tenantIds: objectid('tenant_ids').array().default([tenant]),
});
export const postRelations = relations(post, ({ one }) => ({
  parent: one(post, { fields: [post.parentId], references: [post.id] }),
}));
