// The examples of docs/clients-javascript.md, for tsc; see t/client_node_modules.pl.
import assert from 'node:assert';
import { PrismaPg } from '@prisma/adapter-pg';
import { ObjectId } from 'bson';
import { PrismaClient } from './generated/index.js';
import { objectids } from './objectid.mjs';
import type { Same } from '../types.d.ts';

const adapter = new PrismaPg({});
const prisma = new PrismaClient({ adapter }).$extends(objectids({ event: ['id'], post: ['id'], remark: ['id', 'postId?'] }));

const { id } = await prisma.event.create({ data: { what: 'log in' } });
const found = await prisma.event.findUniqueOrThrow({ where: { id: id.toHexString() } });
assert(found.id instanceof ObjectId && found.id.equals(id));

const since = ObjectId.createFromTime(Date.parse('2025-01-01') / 1000);
const later = await prisma.event.findMany({ where: { id: { gte: since.toHexString() } } });

const result: Same<(typeof later)[0]['id'], ObjectId> = true;
const [remark] = await prisma.remark.findMany({ include: { post: true } });
const nullable: Same<typeof remark.postId, ObjectId | null> = true;
const related: Same<NonNullable<typeof remark.post>['id'], ObjectId> = true;
const plain: Same<typeof remark.body, string | null> = true;
// @ts-expect-error: a condition has the type of the schema
await prisma.event.findMany({ where: { id } });
