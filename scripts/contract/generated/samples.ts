import fc, { type Arbitrary } from 'fast-check';
import { isJson } from '../document/json.js';
import type { OperationModel } from '../document/types.js';
import { exampleBody, paddedTo, type Sample, type Substitutions } from '../target/sample.js';
import { canHave, insertionPoints, type InsertionPoint } from './insertionPoints.js';
import { objectOf, valueOf } from './values/arbitrary.js';
import { hostileNames } from './values/hostile.js';
import { oddValues } from './values/odd.js';

/** Every odd value of one point, all else as in the example; the first leaves the point out. */
export const samplesOf = (operation: OperationModel, good: Sample, point: InsertionPoint): Sample[] => [
  ...[undefined, ...oddValues(point.schema, point.in)]
    .filter((value) => canHave(point, value))
    .map((value) => point.set(good, value)),
  ...(point.in === 'query' ? repeated(good, point) : []),
  ...(point.name === 'body'
    ? strangeBodies(operation, point.example).map((body) => ({ ...good, body }))
    : []),
];

/** The same parameter twice, and as PHP writes lists. */
const repeated = (good: Sample, { name, example, set }: InsertionPoint): Sample[] => {
  const parameter = name.replace(/^query /, '');
  const without = set(good, undefined);
  const given = (...names: readonly string[]): Sample => ({
    ...without,
    query: [...without.query, ...names.map((one) => [one, example] as const)],
  });
  return [
    given(parameter, parameter),
    given(`${parameter}[]`),
    given(`${parameter}[0]`),
    given(parameter.toUpperCase()),
    ...hostileNames.map((extra) => given(parameter, extra)),
  ];
};

/** What is no JSON, nearly some, or as large as it may be and one byte larger. */
const strangeBodies = (operation: OperationModel, example: string): string[] => {
  const limit = operation.requestBody?.maxBytes;
  return [
    ...['', ' ', '{', '}', 'null', '[]', 'undefined', "{'x':1}", 'x=1&y=2', '<x/>', 'NaN', '\u0001'],
    example.slice(0, -1),
    `${example}${example}`,
    `${example},`,
    `[${example}]`,
    JSON.stringify(example),
    '['.repeat(5_000),
    `${'{"x":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    ...(limit === undefined
      ? []
      : [paddedTo(limit, example), paddedTo(limit + 1, example), paddedTo(2 * limit, '')]),
  ];
};

/** Requests of every kind, most of which are good but for a few points. */
export const anySample = (
  operation: OperationModel,
  good: Sample,
  substitutions: Substitutions,
): Arbitrary<Sample> => {
  const points = insertionPoints(operation, substitutions);
  const parameters = points.filter(({ kind }) => kind === 'parameter');
  const isGiven = ({ name }: InsertionPoint): boolean =>
    [...good.query, ...good.headers].some(([given]) => name.endsWith(` ${given}`)) ||
    name.startsWith('path ');
  const changes = parameters.map((point) =>
    fc
      .option(valueOf(point.schema, point.example, point.in), {
        nil: undefined,
        freq: isGiven(point) ? 15 : 2,
      })
      .filter((value) => canHave(point, value))
      .map((value) => (sample: Sample) => point.set(sample, value)),
  );
  return fc
    .tuple(bodyOf(operation, substitutions), fc.tuple(...changes))
    .map(([body, chosen]) => chosen.reduce<Sample>((sample, change) => change(sample), { ...good, body }));
};

const bodyOf = (operation: OperationModel, substitutions: Substitutions): Arbitrary<string | undefined> => {
  const { schema } = operation.requestBody ?? {};
  // A body that an operation does not read must not matter.
  if (!schema) return fc.option(fc.json(), { nil: undefined, freq: 10 });
  const example = exampleBody(operation, substitutions);
  if (schema.type !== 'object' || !isJson(example)) return valueOf(schema, JSON.stringify(example), 'body');
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 20, arbitrary: objectOf(schema, example) },
    { weight: 1, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(undefined, ...strangeBodies(operation, JSON.stringify(example))),
    },
  );
};
