import type { SwaggerPlugin } from './swaggerUi.ts';

/** An object of the contract. */
type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutExample = ({ example: _example, examples: _examples, ...rest }: Node): Node => rest;

const isOptionalHeader = (node: Node): boolean => node['in'] === 'header' && node['required'] !== true;

/** The contract, or a part of it, without the examples of optional headers. */
const withoutHeaderExamples = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutHeaderExamples);
  if (!isNode(value)) return value;
  const { schema } = value;
  const shown = isOptionalHeader(value)
    ? { ...withoutExample(value), schema: withoutExample(isNode(schema) ? schema : {}) }
    : value;
  return Object.fromEntries(Object.entries(shown).map(([name, part]) => [name, withoutHeaderExamples(part)]));
};

/**
 * An optional header is the reader's to send: filled in from its example, an Idempotency-Key would be that of the last
 * try, and an ETag that of nothing.
 */
export const emptyHeaders: SwaggerPlugin = {
  statePlugins: {
    spec: {
      wrapActions: { updateJsonSpec: (update) => (contract) => update(withoutHeaderExamples(contract)) },
    },
  },
};
