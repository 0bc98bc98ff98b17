// Prisma: bson's ObjectId from columns of type objectid.
//
//     const prisma = new PrismaClient({ adapter }).$extends(objectids({ event: ['id'], remark: ['id', 'postId?'] }));
//
// A String over the column needs no set-up: 24 digits in and out.  This makes ObjectIds
// of the fields that are named for each model, with a question mark as the schema has
// it, also where they are of related rows.  Arguments stay strings, id.toHexString():
// Prisma takes them by the schema's type.
const { ObjectId } = require('bson');

function objectids(models) {
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

module.exports = { objectids };
