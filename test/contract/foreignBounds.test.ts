import { expect, test } from '@jest/globals';
import { parseContract } from '../../src/contract/contract.js';
import { validatorsOf } from '../../src/contract/runtime/validators.js';
import { loadValueGenerator } from '../../src/contract/mock/dynamic/values.js';

/** A contract of another service whose only parameter has these bounds. */
const contractWith = (bounds: string) =>
  parseContract(
    `openapi: 3.0.3
info: { title: T, version: 1.0.0 }
components: {}
paths:
  /a:
    get:
      parameters: [{ name: n, in: query, schema: { type: integer, ${bounds} } }]
      responses: { '204': { description: d } }
`,
    { isForeign: true, onUnsupported: ({ message }) => expect(message).toBe('') },
  );

test.each([
  ['minimum: 2, exclusiveMinimum: true', [3], [2]],
  ['exclusiveMinimum: 2', [3], [2]],
  ['minimum: 5, exclusiveMinimum: 2', [5], [4]],
  ['minimum: 1, exclusiveMinimum: 2', [3], [2]],
  ['maximum: 2, exclusiveMaximum: true', [1], [2]],
  ['maximum: 5, exclusiveMaximum: 2', [1], [2]],
  ['exclusiveMinimum: true', [-5], []],
])('of another service, %s is obeyed in either form', async (bounds, good, bad) => {
  const contract = contractWith(bounds);
  const [operation] = contract.operations.values();
  const errors = (n: number) =>
    validatorsOf(contract).requestErrors(operation!, {
      pathParameters: {},
      query: { n: String(n) },
      headerParameters: {},
      cookies: {},
      body: undefined,
    });
  for (const n of good) expect(errors(n)).toEqual([]);
  for (const n of bad) expect(errors(n)).not.toEqual([]);
  const generate = await loadValueGenerator();
  const { schema } = operation!.definition.parameters![0]!;
  for (let seed = 0; seed < 20; seed += 1) expect(errors(generate(schema, seed) as number)).toEqual([]);
});
