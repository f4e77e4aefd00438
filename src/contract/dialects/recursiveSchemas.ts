import { makeCursor } from '../cursor.js';
import { isOpenApi31, linkRecursion, type ContractDocument, type Schema } from '../document.js';
import { checkSchema } from '../schemaChecks.js';
import type { Path, Refuse } from '../source.js';
import { directedName, directions, directSchema } from './direction.js';
import type { Adaptation } from './foreign.js';
import { normalizeSchema } from './jsonSchema.js';
import { isEndless } from './recursion.js';

interface RecursiveSchemasDeps {
  readonly adaptation: Pick<Adaptation, 'recursive'>;
  readonly refuse: Refuse;
  readonly isChecked: boolean;
}

/** The schemas of a contract that lead back to themselves. */
export const makeRecursiveSchemas = ({ adaptation, refuse, isChecked }: RecursiveSchemasDeps) => {
  /** As they were resolved last, and where they stand. */
  const recursions = new Map<string, { readonly schema: unknown; readonly pointer: Path }>();
  /** As they are written, for the checks. */
  const written: Record<string, Schema> = {};

  const formsOf = (resolved: ContractDocument, name: string, schema: unknown): [string, Schema][] => {
    const is31 = isOpenApi31(resolved);
    return Object.entries(adaptation.recursive(name, schema, is31)).flatMap(
      ([key, one]): [string, Schema][] => {
        const normalized = is31 ? normalizeSchema(one) : (one as Schema);
        return resolved['x-directed']
          ? directions.map((direction) => [directedName(key, direction), directSchema(normalized, direction)])
          : [[key, normalized]];
      },
    );
  };

  /** Adds them to the contract as `x-recursive`, in the form that operations have. */
  const add = (resolved: ContractDocument): void => {
    const fresh: Schema[] = [];
    try {
      for (const [name, { schema, pointer }] of recursions) {
        recursions.delete(name);
        const recursive = (resolved['x-recursive'] ??= {});
        // Of operations only what refers to it is checked.
        if (isChecked)
          checkSchema(makeCursor(schema, refuse, pointer), {
            here: String(pointer.at(-1)),
            is31: isOpenApi31(resolved),
            mocked: false,
          });
        written[name] = schema as Schema;
        const added = formsOf(resolved, name, schema).filter(([key]) => !Object.hasOwn(recursive, key));
        Object.assign(recursive, Object.fromEntries(added));
        if (added.some(([key]) => isEndless(key, recursive))) {
          for (const [key] of added) Reflect.deleteProperty(recursive, key);
          refuse(pointer, `${String(pointer.at(-1))} leads back to itself before any field or item`);
        }
        fresh.push(...added.map(([, one]) => one));
      }
    } finally {
      if (fresh.length > 0) linkRecursion(fresh, resolved['x-recursive'] ?? {});
    }
  };

  return {
    written,
    note: (name: string, schema: unknown, pointer: Path): void => {
      recursions.set(name, { schema, pointer });
    },
    add,
  };
};
