// Prisma: bson's ObjectId from columns of type objectid.
//
//     const prisma = new PrismaClient({ adapter }).$extends(objectids({ event: ['id'], remark: ['id', 'postId?'] }));
//
// Results have ObjectIds in these fields, also in related rows.  Write a question mark where the
// schema has one.  Arguments remain strings, id.toHexString(), because the schema says String.
import { ObjectId } from 'bson';

export { ObjectId };

export function objectids(models) {
  const field = (name) => [name, {
    needs: { [name]: true },
    compute: (row) => row[name] && ObjectId.createFromHexString(row[name]),
  }];
  const fields = (names) => Object.fromEntries(names.map((name) => field(name.replace('?', ''))));
  return {
    name: 'objectid',
    result: Object.fromEntries(Object.entries(models).map(([model, names]) => [model, fields(names)])),
  };
}
