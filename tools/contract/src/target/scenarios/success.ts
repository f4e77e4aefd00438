import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isJson } from '../../document/operations.js';
import { isExcuse, withKey, type Key } from '../keys.js';
import { substituted, substitutionName, withExample, type Sample } from '../sample.js';
import {
  exchange,
  exchangeSample,
  goodSample,
  headersOf,
  keyFor,
  limitHeaders,
  permittedKey,
  preparedRequest,
} from '../scenarioContext.js';
import type { Scenario, ScenarioPlan, ScenarioContext } from '../target.js';

/** 2xx: the contract's own examples. A client that copies one must succeed. */
export const successful = (context: ScenarioContext, status: number): ScenarioPlan => {
  const { operation, target } = context;
  const key = permittedKey(context);
  if (isExcuse(key)) return key;
  const good = goodSample(context);
  const scenario = (how: string, sample: Sample, used: Key): Scenario => ({
    how,
    present: limitHeaders(operation, status, used),
    // Nobody knows the limits of keys of others.
    absent: headersOf(operation, status).filter(
      (name) => !target.thirdParty && used.limit === 0 && /^ratelimit-/i.test(name),
    ),
    send: () => exchangeSample(context, sample, used),
  });
  const unlimited = target.keys.unlimited(operation.scope);
  return {
    scenarios: [
      scenario('with the request of the example', good, key),
      ...otherExamples(context, good).map(([title, sample]) =>
        scenario(`with the example of ${title}`, sample, key),
      ),
      ...(isExcuse(unlimited) || key.limit === 0
        ? []
        : [scenario('with a key that has no limit', good, unlimited)]),
      ...(target.thirdParty
        ? []
        : [
            ...behindOthers(good).map((sample) =>
              scenario('with its parameters behind a thousand that nobody knows', sample, key),
            ),
            ...(target.fixture ? otherTypes(context, good, key) : []),
          ]),
    ],
  };
};

/** What parsers of queries read at most, unless they are told otherwise. */
const manyParameters = 1_000;

/** No other parameters are read, however many there are. */
const behindOthers = (good: Sample): Sample[] =>
  good.query.length === 0
    ? []
    : [
        {
          ...good,
          query: [...Array.from({ length: manyParameters }, () => ['x', ''] as const), ...good.query],
        },
      ];

/** Where there is only JSON, a body counts as that whatever its type says, as `curl -d` sends it. */
const otherTypes = (context: ScenarioContext, good: Sample, key: Key): Scenario[] => {
  const { contract, operation } = context;
  const { requestBody, responses } = operation;
  if (!requestBody || !isJson(requestBody) || responses.some(({ status }) => status === 415)) return [];
  return ['application/x-www-form-urlencoded', 'text/plain', undefined].map((type) => ({
    how: type === undefined ? 'without Content-Type' : `with a body of the type ${type}`,
    send: async () => {
      const { headers, ...request } = await preparedRequest(context, good);
      const others = headers.filter(([name]) => !/^content-type$/i.test(name));
      const typed = type === undefined ? others : [['Content-Type', type] as const, ...others];
      return exchange(context, withKey(contract, { ...request, headers: typed }, key));
    },
  }));
};

/** A key that names one single request is another one in each run, or a service that remembers it would refuse. */
const once = /^idempotency-key$/i;

/** Those that the usual request does not have: optional parameters, and bodies after the first. */
const otherExamples = (
  { contract, operation, target }: ScenarioContext,
  good: Sample,
): [title: string, sample: Sample][] =>
  contract.examples
    .filter(({ operationId, kind }) => operationId === operation.id && /^(request|parameter)$/.test(kind))
    .map((example): [string, Sample] => {
      const value = substituted(substitutionName(operation, example), example.value, target.substitutions);
      const unique = once.test(example.name) ? `${String(value)}-${randomUUID().slice(0, 8)}` : value;
      return [example.title, withExample(operation, good, example, unique)];
    })
    .filter(([, sample]) => !isDeepStrictEqual(sample, good));

/** 304: the client already has the current ETag. */
export const notModified = (context: ScenarioContext): ScenarioPlan => {
  const { operation } = context;
  const condition = operation.parameters.find(({ name }) => /^if-none-match$/i.test(name));
  if (!condition) return { unknown: 'the operation has no parameter If-None-Match' };
  const key = keyFor(context);
  if (isExcuse(key)) return key;
  const sample = goodSample(context);
  const matching = (how: string, valueFor: (etag: string) => string): Scenario => ({
    how,
    present: limitHeaders(operation, 304, key),
    send: async () => {
      const first = await exchangeSample(context, sample, key);
      const { etag } = first.answer.headers;
      if (etag === undefined) return first;
      const value = valueFor(etag);
      const headers = [...sample.headers, [condition.name, value] as const];
      return exchangeSample(context, { ...sample, headers }, key);
    },
  });
  return {
    scenarios: [
      matching('with the ETag of the last answer', (etag) => etag),
      matching('with that ETag among others, as a weak one', (etag) => `"other", W/${etag}`),
    ],
  };
};
