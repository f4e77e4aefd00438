import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { resolve } from 'node:path';
import type {
  OperationScenarios,
  RequestValues,
  Scenarios,
  ServiceClient,
  StatusScenario,
} from '../../scenarios.js';
import { isObject } from '../../../../src/contract/document.js';
import { takesFields, type OperationModel } from '../document/operations.js';
import { jsonFields } from '../json.js';
import { isSafe } from '../request.js';
import { UsageError } from '../secret.js';
import { isExcuse, withKey, type OwnValues } from '../target/keys.js';
import { requestOf, type Sample } from '../target/sample.js';
import { exchange, goodSample, permittedKey } from '../target/scenarioContext.js';
import type { OperationHints, ScenarioContext, ScenarioPlan } from '../target/target.js';

/** Imports a module with scenarios. Throws `UsageError`. */
export const loadScenarios = async (file: string): Promise<Scenarios> => {
  let module: unknown;
  try {
    module = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new UsageError(`--scenarios: ${file} cannot be loaded: ${reason}`);
  }
  const scenarios = jsonFields(module)['default'];
  if (!isObject(scenarios) || !Object.values(scenarios).every(isObject))
    throw new UsageError(`--scenarios: ${file} has no default export with an object for each operationId`);
  return scenarios as Scenarios;
};

/** Scenarios as hints. Throws `UsageError` for an operation that the contract does not have. */
export const hintsFrom = (
  scenarios: Scenarios,
  operationIds: readonly string[],
): Readonly<Record<string, OperationHints>> =>
  Object.fromEntries(
    Object.entries(scenarios).map(([id, one]) => {
      if (!operationIds.includes(id))
        throw new UsageError(`--scenarios: the contract has no operation "${id}"`);
      return [id, toHints(one)];
    }),
  );

const toHints = ({
  request,
  prepare,
  statuses = {},
  maxSamples,
  hasOtherRules,
  noSequence,
  softDelete,
  shownOtherwise = [],
}: OperationScenarios): OperationHints => ({
  ...(noSequence !== undefined && { noSequence }),
  ...(softDelete && { softDelete }),
  shownAs: Object.fromEntries(shownOtherwise.map((name) => [name, () => undefined])),
  ...(maxSamples !== undefined && { maxSamples }),
  ...(hasOtherRules && { refusedWith: [''] }),
  ...(request && { request: (sample, operation) => withValues(operation, sample, request) }),
  ...(prepare && {
    prepare: async (sample, context) =>
      withValues(
        context.operation,
        sample,
        untested(await prepare(clientOf(context)), sample, goodSample(context)),
      ),
  }),
  scenarios: Object.fromEntries(
    Object.entries(statuses).map(([status, one]) => [status, (context) => planOf(context, one, prepare)]),
  ),
});

/** Without the values that the sample has other than the good one: those are what it tests. */
const untested = (
  { path, query, headers, body }: RequestValues,
  sample: Sample,
  good: Sample,
): RequestValues => {
  const same = <T>(given: Readonly<Record<string, T>> = {}, isTested: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !isTested(name)));
  const differs = (part: 'query' | 'headers') => (name: string) => {
    const valuesIn = (one: Sample) => one[part].filter(([known]) => known === name).map(([, value]) => value);
    return !isDeepStrictEqual(valuesIn(sample), valuesIn(good));
  };
  return {
    path: same(path, (name) => sample.path[name] !== good.path[name]),
    query: same(query, differs('query')),
    headers: same(headers, differs('headers')),
    body: isObject(body)
      ? untestedFields(body, sample.body, good.body)
      : sample.body === good.body
        ? body
        : undefined,
  };
};

/** A body with those of its fields that the sample does not test; `undefined` when it tests the body as a whole. */
const untestedFields = (
  body: Readonly<Record<string, unknown>>,
  sent: string | undefined,
  good: string | undefined,
): unknown => {
  if (sent === good) return body;
  const [tested, usual] = [sent, good].map((text) => parseObject(text));
  if (!tested || !usual) return undefined;
  const isUntested = (name: string): boolean => isDeepStrictEqual(tested[name], usual[name]);
  const names = Object.keys(usual);
  // Of a whole, nothing may be written anew: it may be padded, or nested deeply.
  if (names.every(isUntested) || !names.some(isUntested)) return undefined;
  const untested = Object.entries(body).filter(([name]) => isUntested(name));
  return { ...tested, ...Object.fromEntries(untested) };
};

const parseObject = (text: string | undefined): Readonly<Record<string, unknown>> | undefined => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const planOf = (
  context: ScenarioContext,
  scenario: StatusScenario | string,
  usual: OperationScenarios['prepare'],
): ScenarioPlan => {
  if (typeof scenario === 'string') return { excuse: scenario };
  const key = permittedKey(context);
  if (isExcuse(key)) return key;
  const { request = {}, prepare = usual, expected = {} } = scenario;
  const { operation, contract } = context;
  const send = async () => {
    const prepared = prepare ? await prepare(clientOf(context)) : {};
    const sample = [prepared, request].reduce<Sample>(
      (one, values) => withValues(operation, one, values),
      goodSample(context),
    );
    const own = ownValues(prepared, request);
    return exchange(context, withKey(contract, requestOf(operation, sample), key, own));
  };
  const { headers: present = [], body } = expected;
  return {
    scenarios: [{ how: 'as its scenario shows', present, ...(body !== undefined && { body }), send }],
  };
};

/** What a scenario sets itself, and not the example of the contract. */
const ownValues = (...values: readonly RequestValues[]): OwnValues => ({
  requestTarget: `?${String(
    new URLSearchParams(
      values.flatMap(({ query = {} }) =>
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      ),
    ),
  )}`,
  headers: values.flatMap(({ headers = {} }) => Object.entries(headers)),
});

/** The sample with other values. */
const withValues = (operation: OperationModel, sample: Sample, values: RequestValues = {}): Sample => {
  const { path = {}, query = {}, headers = {}, body } = values;
  const merge = (pairs: Sample['query'], given: Readonly<Record<string, unknown>>): Sample['query'] => [
    ...pairs.filter(([name]) => !Object.hasOwn(given, name)),
    ...Object.entries(given).map(([name, value]) => [name, String(value)] as const),
  ];
  const isText = typeof body === 'string' && operation.requestBody && !takesFields(operation.requestBody);
  return {
    ...sample,
    path: { ...sample.path, ...Object.fromEntries(merge([], path)) },
    query: merge(sample.query, query),
    headers: merge(sample.headers, headers),
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  };
};

const clientOf = ({ contract, target }: ScenarioContext): ServiceClient => ({
  send: async ({ method = 'GET', path, headers = {}, body }) => {
    if (!isSafe(method.toUpperCase()) && !target.allowWrites)
      throw new Error(`the scenario sends ${method} ${path}, which needs --allow-writes`);
    const key = target.keys.permitting(undefined);
    const hasOwnType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    const isRaw = hasOwnType && typeof body === 'string';
    const request = {
      method: method.toUpperCase(),
      requestTarget: path,
      headers: [
        ...(body === undefined || hasOwnType ? [] : [['Content-Type', 'application/json'] as const]),
        ...Object.entries(headers),
      ],
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
    };
    return target.send(isExcuse(key) ? request : withKey(contract, request, key, request));
  },
});
