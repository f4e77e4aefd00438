import fc, { type Arbitrary } from 'fast-check';
import { isJson, type OperationModel } from '../document/operations.js';
import { jsonFields } from '../json.js';
import { paddedBody } from '../target/formBody.js';
import { isMultipart, malformedMultipart } from '../target/multipartBody.js';
import type { Sample, Substitutions } from '../target/sample.js';
import { canHave, insertionPoints, withField, type InsertionPoint } from './insertionPoints.js';
import { judgeSample } from './oracle/oracle.js';
import { valueAt } from './values/arbitrary.js';
import { hostileNames } from './values/hostile.js';
import { everyValue, type Candidate, type ChooseValues } from './valueChoice.js';
import { oddValues, withExtra } from './values/odd.js';

/** The odd values of one point, all else as in the example; the first leaves the point out. */
export const samplesOf = (
  operation: OperationModel,
  good: Sample,
  point: InsertionPoint,
  mark?: NameMark,
  choose: ChooseValues = everyValue,
): Sample[] =>
  [
    ...choose(
      point,
      [undefined, ...oddValues(point.schema, point.in)]
        .filter((value) => canHave(point, value))
        .map((value) => ({ value, kind: point.name === 'body' ? kindOfBody(value) : value })),
    ).map((value) => point.set(good, value)),
    ...(point.in === 'query' ? choose(point, repeated(good, point)) : []),
    ...(point.name === 'body'
      ? choose(point, strangeBodies(operation, point.example)).map((body) => ({ ...good, body }))
      : []),
  ].map((sample) => markedSample(operation, sample, mark));

/** The fields of bodies differ; what is done with them does not: one alone, one missing, one that nobody knows. */
const kindOfBody = (body: string | undefined): string | undefined => {
  if (body === undefined || !/^\{./.test(body) || body === '{}') return body;
  const extra = hostileNames.find((name) => body.endsWith(withExtra('{}', name).slice(1)));
  if (extra !== undefined) return `with ${extra}`;
  return Object.keys(jsonFields(JSON.parse(body))).length === 1 ? 'one field' : 'some fields';
};

/** What the names of things begin with that the run makes in a service of somebody else. */
export interface NameMark {
  readonly text: string;
  /** The field of the body that has the name. */
  readonly field: string;
}

const markedSample = (operation: OperationModel, sample: Sample, mark: NameMark | undefined): Sample => {
  if (!mark) return sample;
  const { text, field } = mark;
  const verdict = judgeSample(operation, sample);
  if (verdict.kind !== 'accepted') return sample;
  const name = String(jsonFields(verdict.input.body)[field]);
  if (name.startsWith(text)) return sample;
  const { maxLength } = operation.requestBody?.schema?.properties?.[field] ?? {};
  const marked = Array.from(`${text} ${name}`).slice(0, maxLength).join('');
  return { ...sample, body: withField(sample.body ?? '{}', [field], JSON.stringify(marked)) };
};

/** The same parameter twice, and as PHP writes lists. */
const repeated = (good: Sample, { name, example, set }: InsertionPoint): Candidate<Sample>[] => {
  const parameter = name.replace(/^query /, '');
  const without = set(good, undefined);
  const given = (...names: readonly string[]): Sample => ({
    ...without,
    query: [...without.query, ...names.map((one) => [one, example] as const)],
  });
  return [
    { kind: 'twice', value: given(parameter, parameter) },
    { kind: 'as a list', value: given(`${parameter}[]`) },
    { kind: 'as an element', value: given(`${parameter}[0]`) },
    { kind: 'in capitals', value: given(parameter.toUpperCase()) },
    ...hostileNames.map((extra) => ({ kind: `beside ${extra}`, value: given(parameter, extra) })),
  ];
};

const nestedDeep = ['['.repeat(5_000), `${'{"x":'.repeat(5_000)}1${'}'.repeat(5_000)}`];

/** What is no JSON, nearly some, or as large as it may be and one byte larger. */
const strangeBodies = (operation: OperationModel, example: string): Candidate<string>[] => {
  const limit = operation.requestBody?.maxBytes;
  const itself = (value: string): Candidate<string> => ({ kind: value, value });
  return [
    ...['', ' ', '{', '}', 'null', '[]', 'undefined', "{'x':1}", 'x=1&y=2', '<x/>', 'NaN', '\u0001'].map(
      itself,
    ),
    { kind: 'cut off', value: example.slice(0, -1) },
    { kind: 'twice', value: `${example}${example}` },
    { kind: 'with a comma', value: `${example},` },
    { kind: 'in a list', value: `[${example}]` },
    { kind: 'as a text', value: JSON.stringify(example) },
    ...(operation.requestBody && isJson(operation.requestBody) ? nestedDeep.map(itself) : []),
    ...(operation.requestBody && isMultipart(operation.requestBody)
      ? malformedMultipart(operation.requestBody.schema?.required?.[0] ?? 'x').map(itself)
      : []),
    ...(limit === undefined
      ? []
      : [
          { kind: 'as large as allowed', value: paddedBody(operation, { body: example }, limit) },
          { kind: 'too large', value: paddedBody(operation, { body: example }, limit + 1) },
          { kind: 'much too large', value: ' '.repeat(2 * limit) },
        ]),
  ];
};

/** Requests of every kind: the example with other values at some points, or with a malformed body. */
export const anySample = (
  operation: OperationModel,
  good: Sample,
  substitutions: Substitutions,
  mark?: NameMark,
): Arbitrary<Sample> => {
  const points = insertionPoints(operation, substitutions);
  const isGiven = ({ name, in: place }: InsertionPoint): boolean =>
    place === 'path' || [...good.query, ...good.headers].some(([given]) => name.endsWith(` ${given}`));
  const isRequired = ({ name }: InsertionPoint): boolean =>
    (operation.requestBody?.schema?.required ?? []).some((field) => name === `body ${field}`);
  const changeAt = (point: InsertionPoint): Arbitrary<(sample: Sample) => Sample> =>
    fc
      .option(valueAt(point), { nil: undefined, freq: isGiven(point) || isRequired(point) ? 15 : 2 })
      .filter((value) => canHave(point, value))
      .map((value) => (sample: Sample) => point.set(sample, value));
  const parts = points.filter(({ name }) => name !== 'body');
  const usual = [...new Set([undefined, ...parts.map(({ variant }) => variant)])].map((chosen) => {
    const own = parts.filter(({ variant }) => variant === undefined || variant === chosen);
    const first = own.find(({ variant }) => variant !== undefined);
    const start = first ? first.set(good, first.example) : good;
    return fc
      .tuple(...own.map(changeAt))
      .map((changes) => changes.reduce<Sample>((sample, change) => change(sample), start));
  });
  const other = bodiesOf(operation, points).map((body) => ({ ...good, body }));
  return fc
    .oneof({ withCrossShrink: true }, ...usual.map((arbitrary) => ({ weight: 10, arbitrary })), {
      weight: 1,
      arbitrary: other,
    })
    .map((sample) => markedSample(operation, sample, mark));
};

/** Bodies as a whole. One that an operation does not read must not matter. */
const bodiesOf = (
  operation: OperationModel,
  points: readonly InsertionPoint[],
): Arbitrary<string | undefined> => {
  const whole = points.find(({ name }) => name === 'body');
  if (!whole) return fc.json();
  return fc.oneof(
    fc.json(),
    valueAt(whole),
    fc.constantFrom(undefined, ...strangeBodies(operation, whole.example).map(({ value }) => value)),
  );
};
