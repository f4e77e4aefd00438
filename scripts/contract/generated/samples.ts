import fc, { type Arbitrary } from 'fast-check';
import { isObject } from '../document/json.js';
import type { Operation } from '../document/types.js';
import { exampleBody, paddedTo, type Sample, type Substitutions } from '../world/sample.js';
import { bodyLimitOf } from './oracle/oracle.js';
import { placesOf, type Place } from './places.js';
import { objectOf, valueOf } from './values/arbitrary.js';
import { hostileNames } from './values/hostile.js';
import { oddValues } from './values/odd.js';

/** Every odd value of one place, all else as in the example; the first leaves the place out. */
export const samplesOf = (operation: Operation, good: Sample, place: Place): Sample[] => [
  place.set(good, undefined),
  ...oddValues(place.schema, place.in).map((value) => place.set(good, value)),
  ...(place.in === 'query' ? repeated(good, place) : []),
  ...(place.name === 'body'
    ? strangeBodies(operation, place.example).map((body) => ({ ...good, body }))
    : []),
];

/** The same parameter twice, and as PHP writes lists. */
const repeated = (good: Sample, { name, example, set }: Place): Sample[] => {
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
const strangeBodies = (operation: Operation, example: string): string[] => {
  const limit = bodyLimitOf(operation);
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

/** Requests of every kind, most of which are good but for a few places. */
export const anySample = (
  operation: Operation,
  good: Sample,
  substitutions: Substitutions,
): Arbitrary<Sample> => {
  const places = placesOf(operation, substitutions);
  const parameters = places.filter(({ kind }) => kind === 'parameter');
  const isGiven = ({ name }: Place): boolean =>
    [...good.query, ...good.headers].some(([given]) => name.endsWith(` ${given}`)) ||
    name.startsWith('path ');
  const changes = parameters.map((place) =>
    fc
      .option(valueOf(place.schema, place.example, place.in), {
        nil: undefined,
        freq: isGiven(place) ? 15 : 2,
      })
      .map((value) => (sample: Sample) => place.set(sample, value)),
  );
  return fc
    .tuple(bodyOf(operation, substitutions), fc.tuple(...changes))
    .map(([body, chosen]) => chosen.reduce<Sample>((sample, change) => change(sample), { ...good, body }));
};

const bodyOf = (operation: Operation, substitutions: Substitutions): Arbitrary<string | undefined> => {
  const { schema } = operation.requestBody ?? {};
  // A body that an operation does not read must not matter.
  if (!schema) return fc.option(fc.json(), { nil: undefined, freq: 10 });
  const example = exampleBody(operation, substitutions);
  if (schema.type !== 'object' || !isObject(example)) return valueOf(schema, JSON.stringify(example), 'body');
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
