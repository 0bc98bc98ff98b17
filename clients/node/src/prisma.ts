// Prisma: bson's ObjectId from columns of type objectid.
//
//     const prisma = new PrismaClient({ adapter }).$extends(objectids({ event: ['id'], remark: ['id', 'postId?'] }));
//
// Results have ObjectIds in these fields, also in related rows.  Write a question mark where the
// schema has one.  The types of arguments remain strings, id.toHexString(), because the schema
// says String.  JavaScript may pass ObjectIds.
import { ObjectId } from 'bson';

export { ObjectId };

type Name<Field> = Field extends `${infer Optional}?` ? Optional : Field & string;

/** An extension of the client that returns these fields as ObjectIds: "id", or "id?" for a field that may be null. */
export function objectids<const Models extends Record<string, readonly string[]>>(models: Models): {
  name: string;
  result: {
    [Model in keyof Models]: {
      [Field in Models[Model][number] as Name<Field>]: {
        needs: Record<Name<Field>, true>;
        compute(row: Record<Name<Field>, string | null>): ObjectId | (Field extends `${string}?` ? null : never);
      };
    };
  };
} {
  const field = (name: string) => [name, {
    needs: { [name]: true },
    compute: (row: Record<string, string | null>) => row[name] && ObjectId.createFromHexString(row[name]),
  }];
  const fields = (names: readonly string[]) => Object.fromEntries(names.map((name) => field(name.replace('?', ''))));
  return {
    name: 'objectid',
    result: Object.fromEntries(Object.entries(models).map(([model, names]) => [model, fields(names)])) as any,
  };
}
