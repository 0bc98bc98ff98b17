import { ObjectId } from 'bson';

export { ObjectId };

type Name<Field> = Field extends `${infer Optional}?` ? Optional : Field;

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
};
