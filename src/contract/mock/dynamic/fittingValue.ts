import type { Operation } from '../../contract.js';
import { jsonContentOf, type Schema } from '../../document.js';
import { withoutRefusedFields } from '../../dialects/direction.js';
import { boundRecursion } from '../boundedSchema.js';
import { smallestSchema } from '../smallestSchema.js';
import { responseFor } from '../../responses.js';
import type { FitsReply } from '../../runtime/validators.js';
import { combineSeeds, loadValueGenerator } from './values.js';

/** Rules that hold together but exclude each other by chance, such as `not`, may need several attempts. */
const attempts = 20;

/**
 * Makes a body of the schema of a status, one that is wanted if there is such.
 * `undefined` if there is no schema, or no value was found that fits.
 */
type GenerateFittingValue = (
  operation: Operation,
  status: number,
  seed: readonly (string | number)[],
  isWanted?: (value: unknown) => boolean,
) => { readonly value: unknown } | undefined;

/** The first value that fits, of those that the seed makes. */
export const loadFittingValue = async (fitsReply: FitsReply): Promise<GenerateFittingValue> => {
  const generate = await loadValueGenerator();
  const bounds = new WeakMap<Schema, Schema>();
  /** The same each time, because what is made of it is kept. */
  const boundOf = (schema: Schema): Schema => {
    const bounded = bounds.get(schema) ?? withoutRefusedFields(boundRecursion(schema, 'nothing'));
    bounds.set(schema, bounded);
    return bounded;
  };
  return (operation, status, seed, isWanted = () => true) => {
    const { content } = responseFor(operation.definition.responses, status) ?? {};
    const written = jsonContentOf(content)?.described.schema;
    const schema = written && boundOf(written);
    let other: { readonly value: unknown } | undefined;
    for (let attempt = 0; schema && attempt < attempts; attempt += 1) {
      const value = generate(schema, combineSeeds(...seed, attempt));
      if (!fitsReply(operation, status, value)) continue;
      if (isWanted(value)) return { value };
      other ??= { value };
    }
    if (other) return other;
    // It ends deep inside, where more than a value needs would be too much.
    const smallest = written && smallestSchema(written);
    const value =
      smallest && generate(withoutRefusedFields(smallest), combineSeeds(...seed), { isDeep: true });
    return value !== undefined && fitsReply(operation, status, value) ? { value } : undefined;
  };
};
